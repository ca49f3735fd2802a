#include "loop_code.hpp"

#include <algorithm>

#include "ulna/real/pack.hpp"

namespace ulna {

namespace {

void fill(std::vector<double>& to, const trace::Recording& recording, std::string_view name) {
  for (const trace::Array& array : recording.outputs)
    if (array.name == name) to = trace::constants_of(*recording.graph, array);
}

}  // namespace

LoopCode::LoopCode(const Model& model, trace::LoadedKernel function, const trace::Recording& recording)
    : parent_(model.parent_of_v().begin(), model.parent_of_v().end()),
      n_(static_cast<std::size_t>(model.nv())),
      rows_(model.constraint_count()),
      schur_(model),
      code_(std::move(function)),
      call_(trace::call_of_arrays<double>(recording.inputs.size() + recording.outputs.size())),
      lambda_(schur_.stride()),
      x_(n_) {
  fill(a_, recording, "a");
  fill(r_, recording, "r");
  fill(A_, recording, "A");
  fill(L_, recording, "L");
  fill(schur_.half(), recording, "U");
  fill(schur_.scaled_half(), recording, "Y");
  arrays_ = {
      nullptr,  nullptr, nullptr, a_.data(), r_.data(), A_.data(), schur_.half().data(), schur_.scaled_half().data(),
      L_.data()};
}

/// a + M⁻¹ Aᵀ λ with S λ = r, where M⁻¹ Aᵀ = Hᵀ Y and H = L⁻ᵀ.
void LoopCode::forward_dynamics(std::span<const double> q, std::span<const double> v, std::span<const double> tau,
                                std::span<double> a) {
  arrays_[0] = const_cast<double*>(q.data());  // the function only reads there
  arrays_[1] = const_cast<double*>(v.data());
  arrays_[2] = const_cast<double*>(tau.data());
  call_(code_.function, arrays_.data());
  schur_.update({A_.data(), rows_, static_cast<int>(n_)});
  schur_.solve(r_, std::span(lambda_).first(r_.size()));
  schur_.multiply_scaled_half(lambda_, x_);
  for (std::size_t k = 0; k < n_; ++k) {
    const double* L = &L_[k * n_];
    for (int i = parent_[k]; i >= 0; i = parent_[static_cast<std::size_t>(i)])
      x_[k] -= L[i] * x_[static_cast<std::size_t>(i)];
    a[k] = a_[k] + x_[k];
  }
}

}  // namespace ulna
