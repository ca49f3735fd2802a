#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "mechanism.hpp"
#include "ulna/dynamics/constraint_force/explicit_matrices.hpp"
#include "ulna/dynamics/denoc/udu.hpp"
#include "ulna/dynamics/physical.hpp"

namespace ulna::app {

namespace {

struct MatricesOptions : RobotOptions {
  std::string q, v, method = "auto";
};

struct Answer {
  std::vector<double> M, C, g;
  double condition;
};

/// One formulation for all three where it gives them; what it does not give comes from `auto`.
Answer answer_of(const Model& model, const std::string& method, const std::vector<double>& q,
                 const std::vector<double>& v) {
  constexpr int most_degrees = 5000;  // the eigenvalues of more take hours
  if (model.nv() > most_degrees)
    throw InputError(
        fmt::format("the matrices of {} degrees of freedom are too large; {} are the most", model.nv(), most_degrees));
  const auto n = static_cast<std::size_t>(model.nv());
  Answer answer{std::vector<double>(n * n), std::vector<double>(n * n), std::vector<double>(n), 0.0};
  const auto method_for = [&](Quantity quantity) {
    const bool given = method == "auto" || method_info(method).can(quantity);
    return make_method<double>(given ? method : "auto", quantity, model);
  };
  method_for(Quantity::mass_matrix)->mass_matrix(q, {answer.M.data(), model.nv(), model.nv()});
  method_for(Quantity::coriolis_matrix)->coriolis_matrix(q, v, {answer.C.data(), model.nv(), model.nv()});
  method_for(Quantity::gravity)->gravity(q, answer.g);
  expect_finite(answer.M, "the inertia matrix");
  expect_finite(answer.C, "the Coriolis matrix");
  expect_finite(answer.g, "the gravity vector");
  answer.condition = symmetric_condition(answer.M, model.nv());
  return answer;
}

/// U and D of the UDUᵀ decomposition, for --method denoc.
void add_udu(const Model& model, const Answer& answer, bool json, Json& document) {
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
void add_loop_equations(const ClosedModel& model, const std::vector<double>& q, const std::vector<double>& v, bool json,
                        Json& document) {
  LoopEquations equations(model);
  equations.update(q);
  equations.update_bias(v);
  const int mobility = loop_mobility(equations, model.tree.nv()).mobility();
  if (json) {
    document["loops"] = {{"A", to_json(equations.matrix())}, {"b", equations.b()}, {"mobility", mobility}};
    return;
  }
  print_matrix("\nA of the closed loops, A a = b", equations.matrix());
  print_matrix("\nb", {equations.b().data(), 1, equations.rows()});
  fmt::print("\nM, C and g are those of the tree; the loops leave {} degree{} of freedom\n", mobility,
             mobility == 1 ? "" : "s");
}

void run(const MatricesOptions& options) {
  const ClosedModel closed = build_closed(options.graph());
  const Model& model = closed.tree;
  const std::vector<double> q = closed_position(closed, options.q), v = closed_velocities(closed, q, options.v);
  const bool denoc = options.method == "denoc", constraint_force = options.method == "constraint_force";
  // Refuses a method without any matrix, or a robot beyond it.
  resolve_method(options.method, constraint_force ? Quantity::forward_dynamics : Quantity::mass_matrix, model);
  const Answer answer = answer_of(model, options.method, q, v);
  const MatrixView<const double> M{answer.M.data(), model.nv(), model.nv()}, C{answer.C.data(), model.nv(), model.nv()};
  Json document{{"M", to_json(M)}, {"C", to_json(C)}, {"g", answer.g}, {"condition", answer.condition}};
  if (!options.json) {
    print_matrix(denoc ? "GIM, inertia (armature included)" : "M, inertia (armature included)", M);
    print_matrix(denoc ? "\nMCI, convective inertia (torque C v)" : "\nC, Coriolis and centrifugal (torque C v)", C);
    print_matrix("\ng, gravity", {answer.g.data(), 1, model.nv()});
    fmt::print("\ncondition of M: {}\n",
               std::isfinite(answer.condition) ? short_number(answer.condition) : "M is not positive definite");
  }
  if (denoc) add_udu(model, answer, options.json, document);
  if (constraint_force) add_constraint_blocks(model, q, options.json, document);
  if (!closed.loops.empty()) add_loop_equations(closed, q, v, options.json, document);
  if (options.json) print_json(document);
}

}  // namespace

void add_matrices(CLI::App& app, Outcome&) {
  CLI::App* command = app.add_subcommand("matrices", "M, C and g of the equations of motion, and M's condition");
  command->footer(
      "--method denoc adds U and D of the UDUᵀ decomposition, --method constraint_force the blocks of A.\n"
      "Example: ulna matrices planar2r --q 0.3,0.8 --v 1,-1");
  auto options = std::make_shared<MatricesOptions>();
  options->add_to(*command);
  add_numbers_option(*command, "--q", options->q, "positions; the zero position without it");
  add_numbers_option(*command, "--v", options->v, "velocities; zero without it");
  add_method_option(*command, options->method);
  command->callback([options] { run(*options); });
}

}  // namespace ulna::app
