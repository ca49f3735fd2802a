#include "ulna/trace/recording.hpp"

#include <fmt/format.h>

#include <cmath>
#include <deque>
#include <stdexcept>

#include "kinematic_arrays.hpp"
#include "quantity_names.hpp"
#include "ulna/base/error.hpp"
#include "ulna/dynamics/articulated_body/derivatives.hpp"
#include "ulna/model/body_inertia.hpp"
#include "ulna/model/transform.hpp"

namespace ulna::trace {

namespace {

/// What a formulation is run for.
Quantity run_for(Quantity quantity) {
  return quantity == Quantity::inverse_inertia ? Quantity::forward_dynamics : quantity;
}

/// Makes inputs and keeps the outputs of one recording.
class Recorder {
 public:
  Recorder(const Model& model, Quantity quantity, const RecordOptions& options)
      : model_(model), products_apart_(options.products_apart) {
    recording_.graph = std::make_unique<OpGraph>();
    if (options.payload != nullptr && has_payload(quantity))
      carry(*options.payload, make_input(*recording_.graph, "payload", 10, payload_));
    if (!options.varied.empty() && has_payload(quantity)) vary(options.varied);
    if (options.wrench != nullptr && has_wrench(quantity))
      load(*options.wrench);
    else if (options.wrenches && has_wrench(quantity))
      load_all();
  }

  std::vector<Trace> input(const std::string& name, int n) {
    std::vector<Trace> values = make_input(*recording_.graph, name, n, recording_.inputs.emplace_back());
    inputs_.push_back(values);
    return values;
  }

  void output(const std::string& name, const std::vector<Trace>& values, const std::string& minus_times = {}) {
    Array array = output_of(*recording_.graph, name, values);
    array.minus_times = minus_times;
    recording_.outputs.push_back(std::move(array));
  }

  std::vector<Trace> square() const {
    return std::vector<Trace>(static_cast<std::size_t>(model_.nv()) * static_cast<std::size_t>(model_.nv()));
  }

  void dynamics(Quantity quantity, std::string_view method);
  void derivatives(Quantity quantity);
  void kinematics(Quantity quantity, const RecordOptions& options);
  /// After dynamics(): gives its quantities their names.
  void name_quantities(Quantity quantity, std::string_view method) {
    const std::string_view used = resolve_method(method, run_for(quantity), model_).name;
    recording_.names = quantity_names(model_, quantity, used, inputs_);
  }

  Recording take() {
    for (Array* array : {&inertias_, &wrench_, &payload_})
      if (!array->elements.empty()) recording_.inputs.push_back(std::move(*array));
    return std::move(recording_);
  }

 private:
  /// The frame's body has an inertia of its own and that of the input.
  void carry(const Frame& frame, std::span<const Trace> x) {
    const RigidInertia<Trace> given{x[0], {x[1], x[2], x[3]}, {x[4], x[5], x[6], x[7], x[8], x[9]}};
    const Body& body = model_.bodies()[static_cast<std::size_t>(frame.body)];
    RigidInertia<Trace> both = cast<Trace>(body.inertia);
    both += Pose<Trace>{cast<Trace>(frame.pose.R), cast<Trace>(frame.pose.p)}.to_outer(given);
    carried_.emplace_back(body, both);
  }

  void vary(const std::vector<Frame>& bodies) {
    const std::vector<Trace> all =
        make_input(*recording_.graph, "inertias", 10 * static_cast<int>(bodies.size()), inertias_);
    for (std::size_t k = 0; k < bodies.size(); ++k) carry(bodies[k], std::span(all).subspan(10 * k, 10));
  }

  void load(const Frame& frame) {
    const std::vector<Trace> x = make_input(*recording_.graph, "wrench", 6, wrench_);
    external_.resize(model_.bodies().size(), Force<Trace>::zero());
    external_[static_cast<std::size_t>(frame.body)] = {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
  }

  void load_all() {
    const std::vector<Trace> all = make_input(*recording_.graph, "wrenches", 6 * model_.body_count(), wrench_);
    for (auto x = all.begin(); x != all.end(); x += 6) external_.push_back({{x[0], x[1], x[2]}, {x[3], x[4], x[5]}});
  }

  const Model& model_;
  bool products_apart_;
  Recording recording_;
  std::vector<std::vector<Trace>> inputs_;
  Array inertias_, wrench_, payload_;
  std::vector<Force<Trace>> external_;
  std::deque<RecordedInertia> carried_;
};

void Recorder::dynamics(Quantity quantity, std::string_view method) {
  const int nv = model_.nv();
  const std::vector<Trace> q = input("q", model_.nq());
  const std::unique_ptr<Method<Trace>> formulation = make_method<Trace>(method, run_for(quantity), model_);
  const bool is_matrix =
      quantity == Quantity::mass_matrix || quantity == Quantity::inverse_mass_matrix || !is_unique(quantity);
  std::vector<Trace> result(static_cast<std::size_t>(nv)), matrix = is_matrix ? square() : std::vector<Trace>{};
  switch (quantity) {
    case Quantity::mass_matrix: formulation->mass_matrix(q, {matrix.data(), nv, nv}); return output("M", matrix);
    case Quantity::inverse_mass_matrix:
      formulation->inverse_mass_matrix(q, {matrix.data(), nv, nv});
      return output("Minv", matrix);
    case Quantity::coriolis_matrix:
      formulation->coriolis_matrix(q, input("v", nv), {matrix.data(), nv, nv});
      return output("C", matrix);
    case Quantity::convective_inertia:
      formulation->convective_inertia(q, input("v", nv), {matrix.data(), nv, nv});
      return output("MCI", matrix);
    case Quantity::inverse_dynamics: {
      const std::vector<Trace> v = input("v", nv);
      formulation->inverse_dynamics(q, v, input("a", nv), result, external_);
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
      formulation->forward_dynamics(q, v, input("tau", nv), result, external_);
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
  const char* left = products_apart_ ? "da_dtau" : "";
  output("da_dq", products_apart_ ? ws.by_q : dq, left);
  output("da_dv", products_apart_ ? ws.by_v : dv, left);
  output("da_dtau", third);
}

void Recorder::kinematics(Quantity quantity, const RecordOptions& options) {
  Kinematics<Trace> chain(model_);
  chain.update_positions(input("q", model_.nq()));
  std::vector<std::vector<Trace>> results = kinematic_arrays(chain, quantity, options, model_);
  if (quantity == Quantity::jacobian) return output("J", results[0]);
  output("R", results[0]);
  output("p", results[1]);
}

/// Formulations that read a body's inertia at every call; the others compute with it beforehand.
bool takes_payload(std::string_view method) {
  return method == "newton_euler" || method == "articulated_body" || method == "composite_body" || method == "denoc";
}

void expect_payload(const Model& model, Quantity quantity, std::string_view method, const Frame& payload) {
  expect_moving(model, payload);
  if (!has_own_way(quantity)) expect_payload_method(resolve_method(method, run_for(quantity), model).name);
}

}  // namespace

void expect_payload_method(std::string_view method) {
  if (takes_payload(method)) return;
  throw InputError(
      fmt::format("'{}' computes with inertias beforehand and takes no payload as an input; choose "
                  "newton_euler, articulated_body, composite_body or denoc",
                  method));
}

std::vector<Ref> Recording::results() const {
  std::vector<Ref> all;
  for (const Array& array : outputs) all.insert(all.end(), array.elements.begin(), array.elements.end());
  return all;
}

std::vector<double> constants_of(const OpGraph& graph, const Array& array) {
  std::vector<double> values;
  values.reserve(array.elements.size());
  for (const Ref& r : array.elements) {
    const Node& node = graph[r.node];
    const double value = node.operation == Operation::constant ? node.value : 0.0;
    values.push_back(r.negative ? -value : value);
  }
  return values;
}

std::vector<Trace> make_input(OpGraph& graph, const std::string& name, int size, Array& array) {
  std::vector<Trace> values;
  array.name = name;
  for (int k = 0; k < size; ++k) {
    values.push_back(graph.input(fmt::format("{}[{}]", name, k)));
    array.elements.push_back(graph.ref(values.back()));
  }
  return values;
}

Array output_of(OpGraph& graph, const std::string& name, const std::vector<Trace>& values) {
  Array array{name, {}};
  for (const Trace& value : values) array.elements.push_back(graph.ref(value));
  return array;
}

int order_of(const Array& matrix) {
  return static_cast<int>(std::lround(std::sqrt(static_cast<double>(matrix.elements.size()))));
}

Counts Recording::counts() const {
  Counts counts = count(*graph, results());
  for (const Array& array : outputs) {
    if (array.minus_times.empty()) continue;
    const int n = order_of(array);
    counts.multiplications += n * n * n;
    counts.additions += n * n * (n - 1);
  }
  return counts;
}

bool can_record(const MethodInfo& method, Quantity quantity, const Model& model) {
  if (has_own_way(quantity)) return false;
  return method.can(run_for(quantity)) && method.refusal(model).empty();
}

void expect_recordable(const Model& model, Quantity quantity, std::string_view method) {
  resolve_method(method, run_for(quantity), model);
}

std::string cheapest_method(const Model& model, Quantity quantity, const RecordOptions& options) {
  std::string best;
  int least = 0;
  for (const MethodInfo& info : methods()) {
    const bool carries = options.payload != nullptr || !options.varied.empty();
    if (!can_record(info, quantity, model) || (carries && !takes_payload(info.name))) continue;
    const std::optional<Recording> recording = record_if_small(model, quantity, info.name, options);
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

void expect_moving(const Model& model, const Frame& frame) {
  model.expect_frame(frame);
  if (frame.body < 0) throw InputError(fmt::format("'{}' is on the ground, which does not move", frame.name));
}

bool has_payload(Quantity quantity) { return quantity != Quantity::pose && quantity != Quantity::jacobian; }

bool has_wrench(Quantity quantity) {
  return quantity == Quantity::inverse_dynamics || quantity == Quantity::forward_dynamics;
}

std::optional<Recording> record_if_small(const Model& model, Quantity quantity, std::string_view method,
                                         const RecordOptions& options) {
  constexpr int most_degrees = 2000;  // some formulations hold matrices of that size
  if (model.nv() > most_degrees) return std::nullopt;
  if (options.payload != nullptr) expect_payload(model, quantity, method, *options.payload);
  for (const Frame& body : options.varied) expect_payload(model, quantity, method, body);
  if (options.wrench != nullptr) expect_moving(model, *options.wrench);
  try {
    if (quantity == Quantity::inverse_inertia) {
      const Model inertia_alone = with_inertia_alone(model);
      Recorder recorder(inertia_alone, quantity, options);
      recorder.dynamics(quantity, method);
      return simplified(recorder.take());
    }
    Recorder recorder(model, quantity, options);
    if (quantity == Quantity::inverse_derivatives || quantity == Quantity::forward_derivatives) {
      recorder.derivatives(quantity);
    } else if (has_own_way(quantity)) {
      recorder.kinematics(quantity, options);
    } else {
      recorder.dynamics(quantity, method);
      recorder.name_quantities(quantity, method);
    }
    return simplified(recorder.take());
  } catch (const std::length_error&) {
    return std::nullopt;
  }
}

Recording record(const Model& model, Quantity quantity, std::string_view method, const RecordOptions& options) {
  if (std::optional<Recording> recording = record_if_small(model, quantity, method, options))
    return std::move(*recording);
  throw InputError(fmt::format("'{}' cannot be traced: it needs more than {} operations, which is the limit",
                               model.name(), OpGraph::default_limit));
}

}  // namespace ulna::trace
