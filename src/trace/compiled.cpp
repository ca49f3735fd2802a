#include "ulna/trace/compiled.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <vector>

#include "load_kernel.hpp"
#include "ulna/base/error.hpp"
#include "ulna/dynamics/articulated_body/derivatives.hpp"
#include "ulna/model/expect_unit_quaternions.hpp"
#include "ulna/real/lanes.hpp"

namespace ulna {

namespace {

/// Where generated code writes a matrix, which it knows without gaps: in place, or beside and then copied.
template <class T>
class Gapless {
 public:
  explicit Gapless(const Model& model)
      : beside_(static_cast<std::size_t>(model.nv()) * static_cast<std::size_t>(model.nv())) {}

  T* place(const MatrixView<T>& m) { return in_place(m) ? m.data : beside_.data(); }
  void deliver(const MatrixView<T>& m) const {
    if (in_place(m)) return;
    const T* from = beside_.data();
    for (int j = 0; j < m.cols; ++j, from += m.rows) std::copy_n(from, m.rows, m.column(j));
  }

 private:
  static bool in_place(const MatrixView<T>& m) { return m.stride == m.rows; }

  std::vector<T> beside_;
};

/// A payload as generated code takes it, from what the model carries at the time.
template <class T>
class PayloadNumbers {
 public:
  explicit PayloadNumbers(const Frame* frame) : body_(frame == nullptr ? -1 : frame->body) {}

  bool is_input() const { return body_ >= 0; }
  const T* of(const Model& model) {
    const auto& [mass, h, I] = model.payload(body_);
    numbers_ = {T(mass), T(h.x), T(h.y), T(h.z), T(I.xx), T(I.yy), T(I.zz), T(I.xy), T(I.xz), T(I.yz)};
    return numbers_.data();
  }

 private:
  int body_;
  std::array<T, 10> numbers_{};
};

/// Code takes a model's payload in the frame of its body.
Frame body_frame(const Frame& frame) { return {frame.name, frame.body, Pose<double>::identity()}; }

/// The formulation for one quantity, and its generated code.
template <Real T>
struct OwnQuantity {
  Quantity quantity;
  void* function;
  std::unique_ptr<Method<T>> generic;
};

/// Generated code for some quantities behind Method; the generic formulations for everything else.
template <Real T>
class CompiledMethod final : public Method<T> {
 public:
  CompiledMethod(const Model& model, std::vector<OwnQuantity<T>> own, std::shared_ptr<trace::SharedObject> object,
                 const Frame* payload)
      : model_(model), own_(std::move(own)), object_(std::move(object)), payload_(payload), matrix_(model) {
    for (std::size_t k = 0; k < own_.size(); ++k) place_[static_cast<std::size_t>(own_[k].quantity)] = k;
  }

  void inverse_dynamics(VectorIn<T> q, VectorIn<T> v, VectorIn<T> a, VectorOut<T> tau, Wrenches<T> external) override {
    const auto& own = at(Quantity::inverse_dynamics);
    if (!is(own, Quantity::inverse_dynamics) || !external.empty())
      return own.generic->inverse_dynamics(q, v, a, tau, external);
    three(own, "a", "tau", q, v, a, tau);
  }
  void forward_dynamics(VectorIn<T> q, VectorIn<T> v, VectorIn<T> tau, VectorOut<T> a, Wrenches<T> external) override {
    const auto& own = at(Quantity::forward_dynamics);
    if (!is(own, Quantity::forward_dynamics) || !external.empty())
      return own.generic->forward_dynamics(q, v, tau, a, external);
    three(own, "tau", "a", q, v, tau, a);
  }
  void mass_matrix(VectorIn<T> q, MatrixOut<T> M) override {
    const auto& own = at(Quantity::mass_matrix);
    if (!is(own, Quantity::mass_matrix)) return own.generic->mass_matrix(q, M);
    square(own, {q}, M);
  }
  void inverse_mass_matrix(VectorIn<T> q, MatrixOut<T> inverse) override {
    const auto& own = at(Quantity::inverse_mass_matrix);
    if (!is(own, Quantity::inverse_mass_matrix)) return own.generic->inverse_mass_matrix(q, inverse);
    square(own, {q}, inverse);
  }
  void coriolis_matrix(VectorIn<T> q, VectorIn<T> v, MatrixOut<T> C) override {
    const auto& own = at(Quantity::coriolis_matrix);
    if (!is(own, Quantity::coriolis_matrix)) return own.generic->coriolis_matrix(q, v, C);
    square(own, {q, v}, C);
  }
  void convective_inertia(VectorIn<T> q, VectorIn<T> v, MatrixOut<T> MCI) override {
    const auto& own = at(Quantity::convective_inertia);
    if (!is(own, Quantity::convective_inertia)) return own.generic->convective_inertia(q, v, MCI);
    square(own, {q, v}, MCI);
  }
  void gravity(VectorIn<T> q, VectorOut<T> g) override {
    const auto& own = at(Quantity::gravity);
    if (!is(own, Quantity::gravity)) return own.generic->gravity(q, g);
    expect_size("q", q.size(), model_.nq());
    expect_size("g", g.size(), model_.nv());
    expect_unit_quaternions(model_, q);
    run(own, {q}, g.data());
  }

 private:
  using Inputs = std::initializer_list<std::span<const T>>;

  /// Whether there is code for the quantity.
  static bool is(const OwnQuantity<T>& own, Quantity quantity) {
    return own.quantity == quantity && own.function != nullptr;
  }
  const OwnQuantity<T>& at(Quantity quantity) const { return own_[place_[static_cast<std::size_t>(quantity)]]; }

  void three(const OwnQuantity<T>& own, const char* in, const char* out, VectorIn<T> q, VectorIn<T> v, VectorIn<T> x,
             VectorOut<T> y) {
    expect_size("q", q.size(), model_.nq());
    expect_size("v", v.size(), model_.nv());
    expect_size(in, x.size(), model_.nv());
    expect_size(out, y.size(), model_.nv());
    expect_unit_quaternions(model_, q);
    run(own, {q, v, x}, y.data());
  }
  /// A matrix of q, or of q and v.
  void square(const OwnQuantity<T>& own, Inputs in, const MatrixView<T>& out) {
    expect_size("q", in.begin()->size(), model_.nq());
    if (in.size() > 1) expect_size("v", in.begin()[1].size(), model_.nv());
    expect_square(model_, out);
    expect_unit_quaternions(model_, *in.begin());
    run(own, in, matrix_.place(out));
    matrix_.deliver(out);
  }
  /// The function takes its inputs, then the payload where that is one, then the place of the result.
  void run(const OwnQuantity<T>& own, Inputs in, T* out) {
    std::array<const T*, 4> x{};
    std::size_t n = 0;
    for (const std::span<const T>& input : in) x[n++] = input.data();
    if (payload_.is_input()) x[n++] = payload_.of(model_);
    using P = const T*;
    switch (n) {
      case 1: return reinterpret_cast<void (*)(P, T*)>(own.function)(x[0], out);
      case 2: return reinterpret_cast<void (*)(P, P, T*)>(own.function)(x[0], x[1], out);
      case 3: return reinterpret_cast<void (*)(P, P, P, T*)>(own.function)(x[0], x[1], x[2], out);
      default: return reinterpret_cast<void (*)(P, P, P, P, T*)>(own.function)(x[0], x[1], x[2], x[3], out);
    }
  }

  const Model& model_;
  std::vector<OwnQuantity<T>> own_;
  /// By quantity; of what there is none the first, whose formulation says that it does not give it.
  std::array<std::size_t, static_cast<std::size_t>(Quantity::jacobian) + 1> place_{};
  std::shared_ptr<trace::SharedObject> object_;
  PayloadNumbers<T> payload_;
  Gapless<T> matrix_;
};

/// Generated derivatives of forward dynamics.
class DerivativeKernel {
 public:
  DerivativeKernel(const Model& model, const trace::LoadedKernel& loaded, const Frame* payload)
      : model_(model),
        object_(loaded.object),
        function_(loaded.function),
        payload_(payload),
        by_q_(model),
        by_v_(model),
        by_tau_(model) {}

  void evaluate(VectorIn<double> q, VectorIn<double> v, VectorIn<double> tau, VectorOut<double> a, MatrixOut<double> dq,
                MatrixOut<double> dv, MatrixOut<double> dtau) {
    expect_size("q", q.size(), model_.nq());
    expect_size("v", v.size(), model_.nv());
    expect_size("tau", tau.size(), model_.nv());
    expect_size("a", a.size(), model_.nv());
    for (const auto& m : {dq, dv, dtau}) expect_square(model_, m);
    expect_unit_quaternions(model_, q);
    using In = const double*;
    using Out = double*;
    if (payload_.is_input()) {
      reinterpret_cast<void (*)(In, In, In, In, Out, Out, Out, Out)>(function_)(
          q.data(), v.data(), tau.data(), payload_.of(model_), a.data(), by_q_.place(dq), by_v_.place(dv),
          by_tau_.place(dtau));
    } else {
      reinterpret_cast<void (*)(In, In, In, Out, Out, Out, Out)>(function_)(
          q.data(), v.data(), tau.data(), a.data(), by_q_.place(dq), by_v_.place(dv), by_tau_.place(dtau));
    }
    by_q_.deliver(dq);
    by_v_.deliver(dv);
    by_tau_.deliver(dtau);
  }

 private:
  const Model& model_;
  std::shared_ptr<trace::SharedObject> object_;
  void* function_;
  PayloadNumbers<double> payload_;
  Gapless<double> by_q_, by_v_, by_tau_;
};

/// What Method has a function for.
bool is_compiled(Quantity what) {
  switch (what) {
    case Quantity::inverse_dynamics:
    case Quantity::forward_dynamics:
    case Quantity::mass_matrix:
    case Quantity::inverse_mass_matrix:
    case Quantity::coriolis_matrix:
    case Quantity::convective_inertia:
    case Quantity::gravity: return true;
    default: return false;
  }
}

}  // namespace

template <Real T>
Compiled<T> compile(const Model& model, std::span<const Quantity> what, const CompileOptions& options) {
  if (what.empty()) throw std::invalid_argument("compile() of no quantity");
  if (options.payload != nullptr) trace::expect_moving(model, *options.payload);
  std::vector<OwnQuantity<T>> own;
  for (const Quantity quantity : what) own.push_back({quantity, nullptr, make_method<T>("auto", quantity, model)});
  const auto generic = [&](const std::string& note) {
    return Compiled<T>{std::make_unique<CompiledMethod<T>>(model, std::move(own), nullptr, nullptr), note};
  };
  if (!std::all_of(what.begin(), what.end(), is_compiled))
    return generic("only id, fd, gim, minv, c, mci and gravity are compiled so; the generic path is used");
  const trace::CodeScalar scalar{std::is_same_v<typename Lanes<T>::Scalar, float>, Lanes<T>::count};
  const Frame carrier = options.payload == nullptr ? Frame{} : body_frame(*options.payload);
  const std::vector<trace::LoadedKernel> loaded =
      trace::load_kernels(model, what, scalar, "auto", {.payload = options.payload == nullptr ? nullptr : &carrier});
  for (std::size_t k = 0; k < own.size(); ++k) {
    if (loaded[k].function == nullptr) return generic(loaded[k].note);
    own[k].function = loaded[k].function;
  }
  return {std::make_unique<CompiledMethod<T>>(model, std::move(own), loaded[0].object, options.payload), loaded[0].note,
          true};
}

template <Real T>
Compiled<T> compile(const Model& model, Quantity what, const CompileOptions& options) {
  return compile<T>(model, std::span(&what, 1), options);
}

CompiledDerivatives compile_derivatives(const Model& model, const CompileOptions& options) {
  if (options.payload != nullptr) trace::expect_moving(model, *options.payload);
  const Frame carrier = options.payload == nullptr ? Frame{} : body_frame(*options.payload);
  const trace::LoadedKernel loaded = trace::load_kernel(model, Quantity::forward_derivatives, {}, "auto",
                                                        {.payload = options.payload == nullptr ? nullptr : &carrier});
  if (loaded.function == nullptr) {
    auto ws = std::make_shared<articulated_body::DerivativeWorkspace<double>>(model);
    return {[&model, ws](auto q, auto v, auto tau, auto a, auto dq, auto dv, auto dtau) {
              articulated_body::forward_derivatives(model, *ws, q, v, tau, a, dq, dv, dtau);
            },
            loaded.note};
  }
  auto kernel = std::make_shared<DerivativeKernel>(model, loaded, options.payload);
  return {[kernel](auto q, auto v, auto tau, auto a, auto dq, auto dv, auto dtau) {
            kernel->evaluate(q, v, tau, a, dq, dv, dtau);
          },
          loaded.note};
}

template Compiled<double> compile<double>(const Model&, std::span<const Quantity>, const CompileOptions&);
template Compiled<PackDouble> compile<PackDouble>(const Model&, std::span<const Quantity>, const CompileOptions&);
template Compiled<PackFloat> compile<PackFloat>(const Model&, std::span<const Quantity>, const CompileOptions&);
template Compiled<double> compile<double>(const Model&, Quantity, const CompileOptions&);
template Compiled<PackDouble> compile<PackDouble>(const Model&, Quantity, const CompileOptions&);
template Compiled<PackFloat> compile<PackFloat>(const Model&, Quantity, const CompileOptions&);

}  // namespace ulna
