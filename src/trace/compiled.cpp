#include "ulna/trace/compiled.hpp"

#include "load_kernel.hpp"
#include "ulna/base/error.hpp"
#include "ulna/dynamics/articulated_body/derivatives.hpp"
#include "ulna/model/expect_unit_quaternions.hpp"
#include "ulna/real/lanes.hpp"

namespace ulna {

namespace {

using trace::Kernel;

/// Generated code for one quantity behind Method; the generic formulation for everything else.
template <Real T>
class CompiledMethod final : public Method<T> {
 public:
  CompiledMethod(const Model& model, Quantity what, std::shared_ptr<trace::SharedObject> object, void* function,
                 std::unique_ptr<Method<T>> generic)
      : model_(model), what_(what), object_(std::move(object)), function_(function), generic_(std::move(generic)) {}

  void inverse_dynamics(std::span<const T> q, std::span<const T> v, std::span<const T> a, std::span<T> tau,
                        Wrenches<T> external) override {
    if (what_ != Quantity::inverse_dynamics || !external.empty())
      return generic_->inverse_dynamics(q, v, a, tau, external);
    three("a", "tau", q, v, a, tau);
  }
  void forward_dynamics(std::span<const T> q, std::span<const T> v, std::span<const T> tau, std::span<T> a,
                        Wrenches<T> external) override {
    if (what_ != Quantity::forward_dynamics || !external.empty())
      return generic_->forward_dynamics(q, v, tau, a, external);
    three("tau", "a", q, v, tau, a);
  }
  void mass_matrix(std::span<const T> q, MatrixView<T> M) override {
    if (what_ != Quantity::mass_matrix) return generic_->mass_matrix(q, M);
    expect_size("q", q.size(), model_.nq());
    expect_square(model_, M);
    expect_unit_quaternions(model_, q);
    reinterpret_cast<void (*)(const T*, T*)>(function_)(q.data(), M.data);
  }
  void coriolis_matrix(std::span<const T> q, std::span<const T> v, MatrixView<T> C) override {
    generic_->coriolis_matrix(q, v, C);
  }
  void convective_inertia(std::span<const T> q, std::span<const T> v, MatrixView<T> MCI) override {
    generic_->convective_inertia(q, v, MCI);
  }
  void gravity(std::span<const T> q, std::span<T> g) override { generic_->gravity(q, g); }

 private:
  void three(const char* in, const char* out, std::span<const T> q, std::span<const T> v, std::span<const T> x,
             std::span<T> y) {
    expect_size("q", q.size(), model_.nq());
    expect_size("v", v.size(), model_.nv());
    expect_size(in, x.size(), model_.nv());
    expect_size(out, y.size(), model_.nv());
    expect_unit_quaternions(model_, q);
    reinterpret_cast<void (*)(const T*, const T*, const T*, T*)>(function_)(q.data(), v.data(), x.data(), y.data());
  }

  const Model& model_;
  Quantity what_;
  std::shared_ptr<trace::SharedObject> object_;
  void* function_;
  std::unique_ptr<Method<T>> generic_;
};

std::optional<Kernel> kernel_of(Quantity what) {
  switch (what) {
    case Quantity::inverse_dynamics: return Kernel::inverse_dynamics;
    case Quantity::forward_dynamics: return Kernel::forward_dynamics;
    case Quantity::mass_matrix: return Kernel::inertia_matrix;
    default: return std::nullopt;
  }
}

}  // namespace

template <Real T>
Compiled<T> compile(const Model& model, Quantity what) {
  std::unique_ptr<Method<T>> generic = make_method<T>("auto", what, model);
  const std::optional<Kernel> kernel = kernel_of(what);
  if (!kernel) return {std::move(generic), "only id, fd and the mass matrix are compiled; the generic path is used"};
  const trace::CodeScalar scalar{std::is_same_v<typename Lanes<T>::Scalar, float>, Lanes<T>::count};
  trace::LoadedKernel loaded = trace::load_kernel(model, *kernel, scalar);
  if (loaded.function == nullptr) return {std::move(generic), loaded.note};
  return {std::make_unique<CompiledMethod<T>>(model, what, loaded.object, loaded.function, std::move(generic)),
          loaded.note, true};
}

CompiledDerivatives compile_derivatives(const Model& model) {
  if (model.has_general_joints())
    throw InputError("derivatives are for robots whose joints have one degree of freedom");
  const trace::LoadedKernel loaded = trace::load_kernel(model, Kernel::forward_derivatives, {});
  using Function = void (*)(const double*, const double*, const double*, double*, double*, double*, double*);
  if (loaded.function == nullptr) {
    auto ws = std::make_shared<articulated_body::DerivativeWorkspace<double>>(model);
    return {[&model, ws](auto q, auto v, auto tau, auto a, auto dq, auto dv, auto dtau) {
              articulated_body::forward_derivatives<double>(model, *ws, q, v, tau, a, dq, dv, dtau);
            },
            loaded.note};
  }
  return {[&model, object = loaded.object, function = reinterpret_cast<Function>(loaded.function)](
              auto q, auto v, auto tau, auto a, auto dq, auto dv, auto dtau) {
            expect_size("q", q.size(), model.nq());
            expect_size("v", v.size(), model.nv());
            expect_size("tau", tau.size(), model.nv());
            expect_size("a", a.size(), model.nv());
            for (const auto& m : {dq, dv, dtau}) expect_square(model, m);
            function(q.data(), v.data(), tau.data(), a.data(), dq.data, dv.data, dtau.data);
          },
          loaded.note};
}

template Compiled<double> compile<double>(const Model&, Quantity);
template Compiled<PackDouble> compile<PackDouble>(const Model&, Quantity);
template Compiled<PackFloat> compile<PackFloat>(const Model&, Quantity);

}  // namespace ulna
