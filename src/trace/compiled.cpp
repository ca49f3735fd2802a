#include "ulna/trace/compiled.hpp"

#include <fmt/format.h>

#include <array>

#include "shared_object.hpp"
#include "ulna/model/finding.hpp"
#include "ulna/trace/generate.hpp"

namespace ulna {

namespace {

using trace::Kernel;

/// Generated code behind Method; the generic formulation for everything else.
template <Real T>
class CompiledMethod final : public Method<T> {
 public:
  CompiledMethod(const Model& model, std::shared_ptr<trace::SharedObject> object, void* function,
                 std::unique_ptr<Method<T>> generic)
      : model_(model), object_(std::move(object)), function_(function), generic_(std::move(generic)) {}

  void inverse_dynamics(std::span<const T> q, std::span<const T> v, std::span<const T> a, std::span<T> tau,
                        Wrenches<T> external) override {
    if (!external.empty()) return generic_->inverse_dynamics(q, v, a, tau, external);
    three("a", "tau", q, v, a, tau);
  }
  void forward_dynamics(std::span<const T> q, std::span<const T> v, std::span<const T> tau, std::span<T> a,
                        Wrenches<T> external) override {
    if (!external.empty()) return generic_->forward_dynamics(q, v, tau, a, external);
    three("tau", "a", q, v, tau, a);
  }
  void mass_matrix(std::span<const T> q, MatrixView<T> M) override {
    expect_size("q", q.size(), model_.nq());
    expect_square(model_, M);
    reinterpret_cast<void (*)(const T*, T*)>(function_)(q.data(), M.data);
  }

 private:
  void three(const char* in, const char* out, std::span<const T> q, std::span<const T> v, std::span<const T> x,
             std::span<T> y) {
    expect_size("q", q.size(), model_.nq());
    expect_size("v", v.size(), model_.nv());
    expect_size(in, x.size(), model_.nv());
    expect_size(out, y.size(), model_.nv());
    reinterpret_cast<void (*)(const T*, const T*, const T*, T*)>(function_)(q.data(), v.data(), x.data(), y.data());
  }

  const Model& model_;
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
  trace::LoadedObject loaded;
  try {
    constexpr auto scalar = std::is_same_v<T, double> ? trace::CodeScalar::number : trace::CodeScalar::pack;
    trace::CodeFile file = trace::generate_code(model, std::array{*kernel}, scalar);
    file.prefix = "robot";
    file.checks.clear();
    loaded = trace::compile_and_load(trace::c_source(file, ""));
  } catch (const InputError& e) {
    return {std::move(generic), fmt::format("{}; the generic path is used", e.what())};
  }
  if (loaded.object == nullptr) return {std::move(generic), loaded.note};
  void* function = loaded.object->find(fmt::format("robot_{}", trace::name_of(*kernel)));
  if (function == nullptr)
    return {std::move(generic), "the compiled code lacks its function; the generic path is used"};
  return {std::make_unique<CompiledMethod<T>>(model, loaded.object, function, std::move(generic)), loaded.note};
}

template Compiled<double> compile<double>(const Model&, Quantity);
template Compiled<PackDouble> compile<PackDouble>(const Model&, Quantity);

}  // namespace ulna
