#include "ulna/trace/recording.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "quantity_names.hpp"
#include "ulna/base/error.hpp"
#include "ulna/dynamics/articulated_body/derivatives.hpp"
#include "ulna/kinematics/kinematics.hpp"
#include "ulna/model/transform.hpp"

namespace ulna::trace {

namespace {

constexpr const char* no_derivatives = "derivatives are for robots whose joints have one degree of freedom";

/// What a formulation is run for.
Quantity run_for(Quantity quantity) {
  return quantity == Quantity::inverse_inertia ? Quantity::forward_dynamics : quantity;
}

/// Makes inputs and keeps the outputs of one recording.
class Recorder {
 public:
  explicit Recorder(const Model& model) : model_(model) { recording_.graph = std::make_unique<OpGraph>(); }

  std::vector<Trace> input(const std::string& name, int n) {
    std::vector<Trace> values;
    Array array{name, {}};
    for (int k = 0; k < n; ++k) {
      values.push_back(recording_.graph->input(fmt::format("{}[{}]", name, k)));
      array.elements.push_back(recording_.graph->ref(values.back()));
    }
    recording_.inputs.push_back(std::move(array));
    inputs_.push_back(values);
    return values;
  }

  void output(const std::string& name, const std::vector<Trace>& values) {
    Array array{name, {}};
    for (const Trace& value : values) array.elements.push_back(recording_.graph->ref(value));
    recording_.outputs.push_back(std::move(array));
  }

  std::vector<Trace> square() const {
    return std::vector<Trace>(static_cast<std::size_t>(model_.nv()) * static_cast<std::size_t>(model_.nv()));
  }

  void dynamics(Quantity quantity, std::string_view method);
  void derivatives(Quantity quantity);
  void kinematics(Quantity quantity);
  /// After dynamics(): gives its quantities their names.
  void name_quantities(Quantity quantity, std::string_view method) {
    const std::string_view used = resolve_method(method, run_for(quantity), model_).name;
    recording_.names = quantity_names(model_, quantity, used, inputs_);
  }

  Recording take() { return std::move(recording_); }

 private:
  const Model& model_;
  Recording recording_;
  std::vector<std::vector<Trace>> inputs_;
};

void Recorder::dynamics(Quantity quantity, std::string_view method) {
  const int nv = model_.nv();
  const std::vector<Trace> q = input("q", model_.nq());
  const std::unique_ptr<Method<Trace>> formulation = make_method<Trace>(method, run_for(quantity), model_);
  const bool is_matrix = quantity == Quantity::mass_matrix || !is_unique(quantity);
  std::vector<Trace> result(static_cast<std::size_t>(nv)), matrix = is_matrix ? square() : std::vector<Trace>{};
  switch (quantity) {
    case Quantity::mass_matrix: formulation->mass_matrix(q, {matrix.data(), nv, nv}); return output("M", matrix);
    case Quantity::coriolis_matrix:
      formulation->coriolis_matrix(q, input("v", nv), {matrix.data(), nv, nv});
      return output("C", matrix);
    case Quantity::convective_inertia:
      formulation->convective_inertia(q, input("v", nv), {matrix.data(), nv, nv});
      return output("MCI", matrix);
    case Quantity::inverse_dynamics: {
      const std::vector<Trace> v = input("v", nv);
      formulation->inverse_dynamics(q, v, input("a", nv), result);
      return output("tau", result);
    }
    case Quantity::gravity: formulation->gravity(q, result); return output("g", result);
    case Quantity::inverse_inertia: {
      const std::vector<Trace> rest(static_cast<std::size_t>(nv), Trace(0.0));
      formulation->forward_dynamics(q, rest, input("phi", nv), result);
      return output("a", result);
    }
    default: {
      const std::vector<Trace> v = input("v", nv);
      formulation->forward_dynamics(q, v, input("tau", nv), result);
      return output("a", result);
    }
  }
}

void Recorder::derivatives(Quantity quantity) {
  const int nv = model_.nv();
  const auto view = [&](std::vector<Trace>& m) { return MatrixView<Trace>{m.data(), nv, nv}; };
  const std::vector<Trace> q = input("q", model_.nq()), v = input("v", nv);
  std::vector<Trace> dq = square(), dv = square(), third = square();
  if (quantity == Quantity::inverse_derivatives) {
    newton_euler::DerivativeWorkspace<Trace> ws(model_);
    const std::vector<Trace> a = input("a", nv);
    newton_euler::inverse_derivatives(model_, ws, q, v, a, view(dq), view(dv), view(third));
    output("dtau_dq", dq);
    return output("dtau_dv", dv);
  }
  articulated_body::DerivativeWorkspace<Trace> ws(model_);
  const std::vector<Trace> tau = input("tau", nv);
  std::vector<Trace> a(tau.size());
  articulated_body::forward_derivatives(model_, ws, q, v, tau, a, view(dq), view(dv), view(third));
  output("a", a);
  output("da_dq", dq);
  output("da_dv", dv);
  output("da_dtau", third);
}

void Recorder::kinematics(Quantity quantity) {
  Kinematics<Trace> chain(model_);
  chain.update_positions(input("q", model_.nq()));
  if (quantity == Quantity::pose) {
    const Pose<Trace> tip = chain.pose(model_.tip());
    const Mat3<Trace>& R = tip.R;
    output("R", {R.xx, R.yx, R.zx, R.xy, R.yy, R.zy, R.xz, R.yz, R.zz});
    return output("p", {tip.p.x, tip.p.y, tip.p.z});
  }
  std::vector<Trace> J(6 * static_cast<std::size_t>(model_.nv()));
  chain.jacobian(model_.tip(), Reference::world_axes, {J.data(), 6, model_.nv()});
  output("J", J);
}

}  // namespace

std::vector<Ref> Recording::results() const {
  std::vector<Ref> all;
  for (const Array& array : outputs) all.insert(all.end(), array.elements.begin(), array.elements.end());
  return all;
}

bool can_record(const MethodInfo& method, Quantity quantity, const Model& model) {
  if (has_own_way(quantity)) return false;
  return method.can(run_for(quantity)) && method.refusal(model).empty();
}

void expect_recordable(const Model& model, Quantity quantity, std::string_view method) {
  resolve_method(method, run_for(quantity), model);
}

std::string cheapest_method(const Model& model, Quantity quantity) {
  std::string best;
  int least = 0;
  for (const MethodInfo& info : methods()) {
    if (!can_record(info, quantity, model)) continue;
    const std::optional<Recording> recording = record_if_small(model, quantity, info.name);
    if (!recording) continue;
    const int size = recording->counts().arithmetic();
    if (best.empty() || size < least) {
      best = info.name;
      least = size;
    }
  }
  if (best.empty())
    throw InputError(fmt::format("'{}' cannot be traced: no method gives '{}' for it within the limit of {} operations",
                                 model.name(), word_of(quantity), OpGraph::default_limit));
  return best;
}

std::optional<Recording> record_if_small(const Model& model, Quantity quantity, std::string_view method) {
  constexpr int most_degrees = 2000;  // some formulations hold matrices of that size
  if (model.nv() > most_degrees) return std::nullopt;
  try {
    if (quantity == Quantity::inverse_inertia) {
      const Model inertia_alone = with_inertia_alone(model);
      Recorder recorder(inertia_alone);
      recorder.dynamics(quantity, method);
      return simplified(recorder.take());
    }
    Recorder recorder(model);
    if (quantity == Quantity::inverse_derivatives || quantity == Quantity::forward_derivatives) {
      if (model.has_general_joints()) throw InputError(no_derivatives);
      recorder.derivatives(quantity);
    } else if (has_own_way(quantity)) {
      recorder.kinematics(quantity);
    } else {
      recorder.dynamics(quantity, method);
      recorder.name_quantities(quantity, method);
    }
    return simplified(recorder.take());
  } catch (const std::length_error&) {
    return std::nullopt;
  }
}

Recording record(const Model& model, Quantity quantity, std::string_view method) {
  if (std::optional<Recording> recording = record_if_small(model, quantity, method)) return std::move(*recording);
  throw InputError(fmt::format("'{}' cannot be traced: it needs more than {} operations, which is the limit",
                               model.name(), OpGraph::default_limit));
}

}  // namespace ulna::trace
