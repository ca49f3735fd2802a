#include "ulna/trace/generate.hpp"

#include <fmt/format.h>

#include <random>

#include "kinematic_arrays.hpp"
#include "ulna/base/error.hpp"
#include "ulna/dynamics/articulated_body/derivatives.hpp"
#include "ulna/model/random_state.hpp"
#include "ulna/model/transform.hpp"

namespace ulna::trace {

namespace {

std::vector<std::vector<double>> derivatives(const Model& model, Quantity quantity,
                                             const std::vector<std::vector<double>>& in) {
  const auto n = static_cast<std::size_t>(model.nv());
  std::vector<double> a(n), dq(n * n), dv(n * n), third(n * n);
  const auto view = [&](std::vector<double>& m) { return MatrixView<double>{m.data(), model.nv(), model.nv()}; };
  if (quantity == Quantity::inverse_derivatives) {
    newton_euler::DerivativeWorkspace<double> ws(model);
    newton_euler::inverse_derivatives(model, ws, in[0], in[1], in[2], view(dq), view(dv), view(third));
    return {dq, dv};
  }
  articulated_body::DerivativeWorkspace<double> ws(model);
  articulated_body::forward_derivatives(model, ws, in[0], in[1], in[2], a, view(dq), view(dv), view(third));
  return {a, dq, dv, third};
}

}  // namespace

std::vector<std::vector<double>> random_inputs(const Model& model, Quantity quantity, unsigned seed) {
  std::mt19937 generator(seed);
  std::vector<std::vector<double>> inputs{random_position(model, generator)};
  switch (quantity) {
    case Quantity::mass_matrix:
    case Quantity::inverse_mass_matrix:
    case Quantity::gravity:
    case Quantity::pose:
    case Quantity::jacobian: return inputs;
    case Quantity::coriolis_matrix:
    case Quantity::convective_inertia:
    case Quantity::inverse_inertia: inputs.push_back(random_velocity(model, generator)); return inputs;
    default: break;
  }
  inputs.push_back(random_velocity(model, generator));
  inputs.push_back(random_velocity(model, generator, 10.0));
  return inputs;
}

std::vector<std::vector<double>> generic_result(const Model& model, Quantity quantity,
                                                const std::vector<std::vector<double>>& inputs, std::string_view chosen,
                                                const RecordOptions& options, Wrenches<double> external) {
  const auto n = static_cast<std::size_t>(model.nv());
  const bool is_matrix =
      quantity == Quantity::mass_matrix || quantity == Quantity::inverse_mass_matrix || !is_unique(quantity);
  std::vector<double> vector(n), matrix(is_matrix ? n * n : 0);
  const MatrixView<double> view{matrix.data(), model.nv(), model.nv()};
  const auto method = [](Quantity what, const Model& robot) { return make_method<double>("auto", what, robot); };
  switch (quantity) {
    case Quantity::mass_matrix: method(Quantity::mass_matrix, model)->mass_matrix(inputs[0], view); return {matrix};
    case Quantity::inverse_mass_matrix:
      method(Quantity::inverse_mass_matrix, model)->inverse_mass_matrix(inputs[0], view);
      return {matrix};
    case Quantity::coriolis_matrix:
      make_method<double>(chosen, Quantity::coriolis_matrix, model)->coriolis_matrix(inputs[0], inputs[1], view);
      return {matrix};
    case Quantity::convective_inertia:
      make_method<double>(chosen, Quantity::convective_inertia, model)->convective_inertia(inputs[0], inputs[1], view);
      return {matrix};
    case Quantity::inverse_dynamics:
      method(Quantity::inverse_dynamics, model)->inverse_dynamics(inputs[0], inputs[1], inputs[2], vector, external);
      return {vector};
    case Quantity::forward_dynamics:
      method(Quantity::forward_dynamics, model)->forward_dynamics(inputs[0], inputs[1], inputs[2], vector, external);
      return {vector};
    case Quantity::gravity: method(Quantity::gravity, model)->gravity(inputs[0], vector); return {vector};
    case Quantity::inverse_inertia: {
      const Model alone = with_inertia_alone(model);
      const std::vector<double> rest(n, 0.0);
      method(Quantity::forward_dynamics, alone)->forward_dynamics(inputs[0], rest, inputs[1], vector);
      return {vector};
    }
    case Quantity::inverse_derivatives:
    case Quantity::forward_derivatives: return derivatives(model, quantity, inputs);
    default: {
      Kinematics<double> chain(model);
      chain.update_positions(inputs[0]);
      return kinematic_arrays(chain, quantity, options, model);
    }
  }
}

void move_wrenches(const Model& model, const Model& loaded, const Kinematics<double>& chain,
                   std::span<Force<double>> wrenches) {
  for (std::size_t i = 0; i < wrenches.size(); ++i) {
    const auto body = static_cast<int>(i);
    const Vec3<double> moved = chain.pose(Frame{"", body}).R * (model.com(body) - loaded.com(body));
    wrenches[i].moment += cross(moved, wrenches[i].force);
  }
}

namespace {

/// Some payload for the check, as the generic path and as generated code take it.
constexpr MassData check_payload{1.3, {0.02, -0.03, 0.05}, {0.004, 0.005, 0.006, 0.0005, -0.0003, 0.0002}};

std::vector<double> payload_numbers(const MassData& payload) {
  const auto [mass, h, I] = RigidInertia<double>::from_centre(payload.mass, payload.com, payload.inertia);
  return {mass, h.x, h.y, h.z, I.xx, I.yy, I.zz, I.xy, I.xz, I.yz};
}

/// And some wrench, which code takes at the mass centre that the body has without a payload.
constexpr Force<double> check_wrench{{1.1, -0.7, 0.4}, {3.0, -5.0, 8.0}};

/// As the generic path takes it, at the mass centre that the body has with it; on the body of the frame, or on all.
std::vector<Force<double>> check_wrenches(const Model& model, const Model& loaded, const std::vector<double>& q,
                                          const RecordOptions& given) {
  std::vector<Force<double>> external(model.bodies().size(), Force<double>::zero());
  for (std::size_t body = 0; body < external.size(); ++body)
    if (given.wrenches || given.wrench->body == static_cast<int>(body)) external[body] = check_wrench;
  Kinematics<double> chain(model);
  chain.update_positions(q);
  move_wrenches(model, loaded, chain, external);
  return external;
}

CheckCase check_case(const Model& model, Quantity quantity, const std::string& method, const RecordOptions& given) {
  std::vector<std::vector<double>> inputs = random_inputs(model, quantity, 1);
  Model loaded = model;
  std::vector<Force<double>> external;
  const bool carries = given.payload != nullptr && has_payload(quantity);
  const bool pushed = (given.wrench != nullptr || given.wrenches) && has_wrench(quantity);
  if (carries) loaded.set_payload(*given.payload, check_payload);
  if (pushed) external = check_wrenches(model, loaded, inputs[0], given);
  std::vector<std::vector<double>> outputs = generic_result(loaded, quantity, inputs, method, given, external);
  if (!given.varied.empty() && has_payload(quantity)) inputs.emplace_back(10 * given.varied.size(), 0.0);
  if (pushed) {
    const auto& [moment, force] = check_wrench;
    std::vector<double>& numbers = inputs.emplace_back();
    for (int k = given.wrenches ? model.body_count() : 1; k > 0; --k)
      numbers.insert(numbers.end(), {moment.x, moment.y, moment.z, force.x, force.y, force.z});
  }
  if (carries) inputs.push_back(payload_numbers(check_payload));
  return {std::move(inputs), std::move(outputs)};
}

bool divides_by_inertia(Quantity quantity) {
  return quantity == Quantity::forward_dynamics || quantity == Quantity::inverse_inertia ||
         quantity == Quantity::inverse_mass_matrix || quantity == Quantity::forward_derivatives;
}

/// Products of matrices as loops over four rows: worth it for single doubles, where packs are full anyway.
bool has_loops(CodeScalar scalar, const Model& model) {
  return !scalar.is_pack() && !scalar.has_library_turns() && model.nv() >= 4;
}

/// The frames in a regrouped model, which may have moved the origins of bodies.
struct MovedFrames {
  MovedFrames(const RecordOptions& given, const Model& model, const Model& grouped) {
    const auto move = [&](Frame& frame) {
      if (frame.body >= 0) frame.pose.p += grouped.com(frame.body) - model.com(frame.body);
    };
    const auto moved = [&](const Frame* from, Frame& to) -> const Frame* {
      if (from == nullptr) return nullptr;
      to = *from;
      move(to);
      return &to;
    };
    options = given;
    options.payload = moved(given.payload, payload);
    options.wrench = moved(given.wrench, wrench);
    for (Frame& frame : options.frames) move(frame);
    for (Frame& frame : options.varied) move(frame);
  }
  MovedFrames(const MovedFrames&) = delete;  // the options refer to the frames beside them
  MovedFrames& operator=(const MovedFrames&) = delete;

  Frame payload, wrench;
  RecordOptions options;
};

}  // namespace

CodeFile generate_code(const Model& given, std::span<const Quantity> quantities, CodeScalar scalar,
                       const CodeOptions& options) {
  const auto& [method, inputs, prefix] = options;
  if (!prefix.empty() && c_identifier(prefix) != prefix)
    throw InputError(fmt::format("prefix '{}' is not a C identifier: letters, digits and _, no digit first", prefix));
  CodeFile file{given.name(), prefix.empty() ? c_identifier(given.name()) : prefix, scalar, {}, {}, "", "", ""};
  Model model = given;
  if (inputs.payload != nullptr) {
    expect_moving(model, *inputs.payload);
    model.set_payload(*inputs.payload, {});
    file.payload_frame = inputs.payload->name;
  }
  for (const Frame& body : inputs.varied) expect_moving(model, body);
  if (inputs.wrench != nullptr) file.wrench_frame = inputs.wrench->name;
  const Model grouped = regrouped(model);
  const MovedFrames moved(inputs, model, grouped);
  // Regrouped parameters have no mass centres, and some formulations want those.
  const bool wants_centres = method != "auto" && !method_info(method).refusal(grouped).empty();
  for (const Quantity quantity : quantities) {
    // Regrouping keeps the product of a matrix that is not unique; who asks for a formulation's gets that matrix
    // itself.
    const bool as_it_is = wants_centres || (method != "auto" && !is_unique(quantity));
    const Model& traced = as_it_is ? model : grouped;
    RecordOptions there = as_it_is ? inputs : moved.options;
    there.products_apart = quantity == Quantity::forward_derivatives && has_loops(scalar, model);
    const std::string chosen = has_own_way(quantity) ? ""
                               : method != "auto"    ? method
                               : is_unique(quantity) ? cheapest_method(traced, quantity, there)
                                                     : std::string(automatic_method(quantity, model));
    file.functions.push_back({std::string(word_of(quantity)), chosen, record(traced, quantity, chosen, there),
                              divides_by_inertia(quantity)});
    file.checks.push_back(check_case(model, quantity, chosen, inputs));
  }
  return file;
}

}  // namespace ulna::trace
