#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <map>

#include "mechanism.hpp"
#include "ulna/dynamics/constraint_force/explicit_matrices.hpp"
#include "ulna/dynamics/denoc/udu.hpp"
#include "ulna/dynamics/physical.hpp"

namespace ulna::app {

namespace {

struct MatricesOptions : RobotOptions {
  std::string q, v, method = "auto";
};

struct MatricesAnswer {
  std::vector<double> M, C, g, MCI;            // MCI only where the formulation gives it
  std::map<std::string, std::string> methods;  // what each is by
  double condition;

  std::string by(const char* matrix) const { return methods.at(matrix); }
};

/// One formulation for all where it gives them; M, C and g come from `auto` where it does not.
MatricesAnswer answer_of(const Model& model, const std::string& method, const std::vector<double>& q,
                         const std::vector<double>& v) {
  constexpr int most_degrees = 5000;  // the eigenvalues of more take hours
  if (model.nv() > most_degrees)
    throw InputError(
        fmt::format("the matrices of {} degrees of freedom are too large; {} are the most", model.nv(), most_degrees));
  const auto n = static_cast<std::size_t>(model.nv());
  MatricesAnswer answer{std::vector<double>(n * n), std::vector<double>(n * n), std::vector<double>(n), {}, {}, 0.0};
  const auto view = [&](std::vector<double>& m) { return MatrixView<double>{m.data(), model.nv(), model.nv()}; };
  const auto gives = [&](Quantity quantity) { return method != "auto" && method_info(method).can(quantity); };
  const auto method_for = [&](Quantity quantity, const char* matrix) {
    const std::string_view name = gives(quantity) ? method : automatic_method(quantity, model);
    answer.methods[matrix] = name;
    return make_method<double>(name, quantity, model);
  };
  method_for(Quantity::mass_matrix, "M")->mass_matrix(q, view(answer.M));
  method_for(Quantity::coriolis_matrix, "C")->coriolis_matrix(q, v, view(answer.C));
  method_for(Quantity::gravity, "g")->gravity(q, answer.g);
  if (gives(Quantity::convective_inertia)) {
    answer.MCI.resize(n * n);
    method_for(Quantity::convective_inertia, "MCI")->convective_inertia(q, v, view(answer.MCI));
  }
  expect_finite(answer.M, "the inertia matrix");
  expect_finite(answer.C, "the Coriolis matrix");
  expect_finite(answer.g, "the gravity vector");
  expect_finite(answer.MCI, "the matrix of convective inertia");
  answer.condition = symmetric_condition(answer.M, model.nv());
  return answer;
}

/// U and D of the UDUᵀ decomposition, for --method denoc.
void add_udu(const Model& model, const MatricesAnswer& answer, bool json, Json& document) {
  const auto n = static_cast<std::size_t>(model.nv());
  std::vector<double> work = answer.M, U(n * n), D(n);
  denoc::reverse_gaussian_elimination<double>({work.data(), model.nv(), model.nv()}, {U.data(), model.nv(), model.nv()},
                                              D.data());
  const MatrixView<const double> view{U.data(), model.nv(), model.nv()};
  if (json) {
    document["U"] = to_json(view);
    document["D"] = D;
    return;
  }
  print_matrix("\nU of the GIM = U D Uᵀ", view);
  print_matrix("\nD, diagonal", {D.data(), 1, model.nv()});
}

/// Sizes and condition of A, for --method constraint_force.
void add_constraint_blocks(const Model& model, const std::vector<double>& q, bool json, Json& document) {
  const constraint_force::ExplicitMatrices m = constraint_force::explicit_matrices(model, q);
  if (json) {
    document["A"] = {{"size", m.constraints}, {"blocks", m.block_sizes}, {"condition", m.condition_of_A}};
    return;
  }
  fmt::print("\nA of the constraint forces: {0} × {0}, block tridiagonal, blocks of {1}, condition {2}\n",
             m.constraints, fmt::join(m.block_sizes, ", "), short_number(m.condition_of_A));
}

/// A and b of A a = b, and what they leave free.
void add_loop_equations(const Model& model, const std::vector<double>& q, const std::vector<double>& v, bool json,
                        Json& document) {
  LoopEquations equations(model);
  equations.update(q);
  equations.update_bias(v);
  const int mobility = loop_mobility(equations, model.nv()).mobility();
  if (json) {
    document["loops"] = {{"A", to_json(equations.matrix())}, {"b", equations.b()}, {"mobility", mobility}};
    return;
  }
  print_matrix("\nA of the closed loops, A a = b", equations.matrix());
  print_matrix("\nb", {equations.b().data(), 1, equations.rows()});
  fmt::print("\nM, C and g are those of the tree; the loops leave {} degree{} of freedom\n", mobility,
             mobility == 1 ? "" : "s");
}

/// Refuses a method without any matrix, or one that does not support the robot.
void expect_matrices(const std::string& method, const Model& model) {
  if (method == "auto") return;
  for (const Quantity quantity : {Quantity::gravity, Quantity::coriolis_matrix, Quantity::convective_inertia})
    if (method_info(method).can(quantity)) return void(resolve_method(method, quantity, model));
  resolve_method(method, method == "constraint_force" ? Quantity::forward_dynamics : Quantity::mass_matrix, model);
}

void run(const MatricesOptions& options) {
  const Model closed = build(options.graph());
  const Model model = closed.tree();
  const std::vector<double> q = closed_position(closed, options.q), v = closed_velocities(closed, q, options.v);
  const bool denoc = options.method == "denoc", constraint_force = options.method == "constraint_force";
  expect_matrices(options.method, model);
  const MatricesAnswer answer = answer_of(model, options.method, q, v);
  const auto view = [&](const std::vector<double>& m) {
    return MatrixView<const double>{m.data(), model.nv(), model.nv()};
  };
  Json document{{"M", to_json(view(answer.M))},
                {"C", to_json(view(answer.C))},
                {"g", answer.g},
                {"methods", answer.methods},
                {"condition", answer.condition}};
  if (!answer.MCI.empty()) document["MCI"] = to_json(view(answer.MCI));
  if (!options.json) {
    print_matrix(fmt::format("M, inertia, armature included (by {})", answer.by("M")), view(answer.M));
    print_matrix(fmt::format("\nC, Coriolis and centrifugal: torque C v, dM/dt - 2C is skew (by {})", answer.by("C")),
                 view(answer.C));
    print_matrix(fmt::format("\ng, gravity (by {})", answer.by("g")), {answer.g.data(), 1, model.nv()},
                 torque_scale(model));
    if (!answer.MCI.empty())
      print_matrix(fmt::format("\nMCI, convective inertia: torque MCI v = C v and no more (by {})", answer.by("MCI")),
                   view(answer.MCI));
    fmt::print("\ncondition of M: {}\n",
               std::isfinite(answer.condition) ? short_number(answer.condition) : "M is not positive definite");
  }
  if (denoc) add_udu(model, answer, options.json, document);
  if (constraint_force) add_constraint_blocks(model, q, options.json, document);
  if (!closed.loops().empty()) add_loop_equations(closed, q, v, options.json, document);
  if (options.json) print_json(document);
}

}  // namespace

void add_matrices(CLI::App& app, Outcome&) {
  CLI::App* command = app.add_subcommand("matrices", "M, C and g of the equations of motion, and M's condition");
  command->footer(
      "C is the one with dM/dt - 2C skew-symmetric. What --method does not give comes from `auto`; the answer names\n"
      "the formulation of each. --method newton_euler and denoc add MCI, a matrix of convective inertia with the same\n"
      "product C v and no more; denoc also U and D of the UDUᵀ decomposition, constraint_force the blocks of A.\n"
      "Example: ulna matrices planar2r --q 0.3,0.8 --v 1,-1");
  auto options = std::make_shared<MatricesOptions>();
  options->add_to(*command);
  add_numbers_option(*command, "--q", options->q, "positions, or the name of a posture (default: the zero position)");
  add_numbers_option(*command, "--v", options->v, "velocities (default: zero)");
  add_method_option(*command, options->method);
  command->callback([options] { run(*options); });
}

}  // namespace ulna::app
