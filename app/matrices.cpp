#include <fmt/format.h>

#include <cmath>

#include "command.hpp"
#include "output.hpp"
#include "ulna/dynamics/physical.hpp"

namespace ulna::app {

namespace {

struct MatricesOptions : RobotOptions {
  std::string q, v, method = "auto";
};

void run(const MatricesOptions& options) {
  const Model model = build(options.graph());
  const std::vector<double> q = positions(model, options.q), v = velocities(model, "--v", options.v);
  const auto n = static_cast<std::size_t>(model.nv());
  std::vector<double> M(n * n), C(n * n), g(n);
  // One formulation for all three where it gives them; what it does not give comes from `auto`.
  const auto method_for = [&](Quantity quantity) {
    const bool given = options.method == "auto" || method_info(options.method).can(quantity);
    return make_method<double>(given ? options.method : "auto", quantity, model);
  };
  make_method<double>(options.method, Quantity::mass_matrix, model);  // refuses a method without any matrix
  method_for(Quantity::mass_matrix)->mass_matrix(q, {M.data(), model.nv(), model.nv()});
  method_for(Quantity::coriolis_matrix)->coriolis_matrix(q, v, {C.data(), model.nv(), model.nv()});
  method_for(Quantity::gravity)->gravity(q, g);
  expect_finite(M, "the inertia matrix");
  expect_finite(C, "the Coriolis matrix");
  const double condition = symmetric_condition(M, model.nv());
  const MatrixView<const double> M_view{M.data(), model.nv(), model.nv()}, C_view{C.data(), model.nv(), model.nv()};
  if (options.json) {
    return print_json({{"M", to_json(M_view)},
                       {"C", to_json(C_view)},
                       {"g", g},
                       {"condition", std::isfinite(condition) ? Json(condition) : Json(nullptr)}});
  }
  print_matrix("M, inertia (armature included)", M_view);
  print_matrix("\nC, Coriolis and centrifugal (torque C v; Ṁ − 2C is skew)", C_view);
  print_matrix("\ng, gravity", {g.data(), 1, model.nv()});
  fmt::print("\ncondition of M: {}\n",
             std::isfinite(condition) ? short_number(condition) : "M is not positive definite");
}

}  // namespace

void add_matrices(CLI::App& app, Outcome&) {
  CLI::App* command = app.add_subcommand("matrices", "M, C and g of the equations of motion, and M's condition");
  command->footer("Example: ulna matrices planar2r --q 0.3,0.8 --v 1,-1");
  auto options = std::make_shared<MatricesOptions>();
  options->add_to(*command);
  command->add_option("--q", options->q, "positions; zero without it")->type_name("Q1,…");
  command->add_option("--v", options->v, "velocities; zero without it")->type_name("V1,…");
  add_method_option(*command, options->method);
  command->callback([options] { run(*options); });
}

}  // namespace ulna::app
