// What the library itself computes, for test/python to compare to the last bit: reads numbers from a file, writes
// numbers. Usage: python_numbers ROBOT QUANTITY one|many N < inputs > outputs, all raw doubles; the state k is
// contiguous.
#include <cstdio>
#include <cstring>
#include <vector>

#include "ulna/dynamics/constraint_force/explicit_matrices.hpp"
#include "ulna/dynamics/denoc/udu.hpp"
#include "ulna/dynamics/homogeneous/homogeneous.hpp"
#include "ulna/dynamics/spatial_operator/explicit_matrices.hpp"
#include "ulna/loop/free_motion.hpp"
#include "ulna/ulna.hpp"

namespace {

using namespace ulna;
using Numbers = std::vector<double>;

Numbers read(int count) {
  Numbers numbers(static_cast<std::size_t>(count));
  if (std::fread(numbers.data(), sizeof(double), numbers.size(), stdin) != numbers.size()) std::exit(2);
  return numbers;
}

void write(const Numbers& numbers) { std::fwrite(numbers.data(), sizeof(double), numbers.size(), stdout); }

void one(const Model& model, Quantity quantity, const Numbers& q, const Numbers& v, const Numbers& x) {
  const auto n = static_cast<std::size_t>(model.nv());
  const int nv = model.nv();
  Numbers vector(n), A(n * n), B(n * n), C(n * n), J(6 * n);
  const auto view = [&](Numbers& m) { return MatrixView<double>(m.data(), nv, nv); };
  if (quantity == Quantity::inverse_derivatives) {
    newton_euler::DerivativeWorkspace<double> workspace(model);
    newton_euler::inverse_derivatives(model, workspace, q, v, x, view(A), view(B), view(C));
    write(A), write(B), write(C);
  } else if (quantity == Quantity::forward_derivatives) {
    articulated_body::DerivativeWorkspace<double> workspace(model);
    articulated_body::forward_derivatives(model, workspace, q, v, x, vector, view(A), view(B), view(C));
    write(A), write(B), write(C);
  } else if (quantity == Quantity::jacobian || quantity == Quantity::pose) {
    Kinematics<double> kinematics(model);
    kinematics.update_positions(q);
    if (quantity == Quantity::jacobian) {
      kinematics.jacobian(model.tip(), Reference::own_axes, {J.data(), 6, nv});
      return write(J);
    }
    const Pose<double> pose = kinematics.pose(model.tip());
    const Mat3<double>& R = pose.R;
    write({R.xx, R.xy, R.xz, pose.p.x, R.yx, R.yy, R.yz, pose.p.y, R.zx, R.zy, R.zz, pose.p.z, 0, 0, 0, 1});
  } else {
    const auto method = make_method<double>("auto", quantity, model);
    switch (quantity) {
      case Quantity::inverse_dynamics: method->inverse_dynamics(q, v, x, vector); return write(vector);
      case Quantity::forward_dynamics: method->forward_dynamics(q, v, x, vector); return write(vector);
      case Quantity::gravity: method->gravity(q, vector); return write(vector);
      case Quantity::mass_matrix: method->mass_matrix(q, view(A)); return write(A);
      case Quantity::inverse_mass_matrix: method->inverse_mass_matrix(q, view(A)); return write(A);
      case Quantity::coriolis_matrix: method->coriolis_matrix(q, v, view(A)); return write(A);
      default: method->convective_inertia(q, v, view(A)); return write(A);
    }
  }
}

Numbers numbers_of(const Motion<double>& m) {
  return {m.angular.x, m.angular.y, m.angular.z, m.linear.x, m.linear.y, m.linear.z};
}

/// What the bodies do at one state: quantities of their own, that no formulation gives.
bool motion(const Model& model, const std::string& word, const Numbers& q, const Numbers& v, const Numbers& a) {
  Kinematics<double> kinematics(model);
  kinematics.update_positions(q);
  kinematics.update_velocities(v);
  kinematics.update_accelerations(v, a);
  const Vec3<double> c = kinematics.com();
  const Force<double> m = kinematics.momentum();
  if (word == "velocity")
    write(numbers_of(kinematics.velocity(model.tip(), Reference::own_axes)));
  else if (word == "acceleration")
    write(numbers_of(kinematics.acceleration(model.tip(), Reference::own_axes)));
  else if (word == "momentum")
    write({m.moment.x, m.moment.y, m.moment.z, m.force.x, m.force.y, m.force.z});
  else if (word == "com")
    write({c.x, c.y, c.z});
  else if (word == "potential_energy")
    write({kinematics.gravity_energy() + kinematics.spring_energy(q)});
  else if (word == "kinetic_energy")
    write({kinematics.kinetic_energy(v)});
  else
    return false;
  return true;
}

Numbers numbers_of(const Manipulability& m, int full_rank) {
  return {m.yoshikawa, m.condition, m.smallest, static_cast<double>(m.rank), static_cast<double>(full_rank)};
}

/// How well the tip moves, of the task that it is there for.
Numbers manipulability_of(const TipTask& task, const Numbers& jacobian) {
  const int columns = static_cast<int>(jacobian.size() / 6);
  const Numbers rows = task.rows({jacobian.data(), 6, columns});
  return numbers_of(manipulability({rows.data(), static_cast<int>(rows.size()) / columns, columns}, task.rank),
                    task.rank);
}

Numbers tip_manipulability(const Model& model, const Numbers& q) {
  Numbers jacobian(6 * static_cast<std::size_t>(model.nv()));
  Kinematics<double> kinematics(model);
  kinematics.update_positions(q);
  kinematics.jacobian(model.tip(), Reference::world_axes, {jacobian.data(), 6, model.nv()});
  return manipulability_of(tip_task(model, model.tip()), jacobian);
}

/// The formulations' own matrices at one state.
bool matrices(const Model& model, const std::string& word, const Numbers& q, const Numbers& v, const Numbers& a) {
  if (word == "udu") {
    const int n = model.nv();
    Numbers I(static_cast<std::size_t>(n * n)), U(I.size()), D(static_cast<std::size_t>(n));
    denoc::Workspace<double> workspace(model);
    denoc::mass_matrix(model, workspace, q, {I.data(), n, n});
    denoc::reverse_gaussian_elimination<double>({I.data(), n, n}, {U.data(), n, n}, D.data());
    write(U), write(D);
  } else if (word == "constraint_force") {
    const constraint_force::ExplicitMatrices m = constraint_force::explicit_matrices(model, q);
    write(m.A), write(m.B), write(m.C);
  } else if (word == "spatial_operator") {
    const auto X = spatial_operator::explicit_matrices<double>(model, q, v);
    write(X.Phi.data), write(X.D().data), write(X.C().data), write(X.G().data);
  } else if (word == "homogeneous") {
    homogeneous::Workspace<double> workspace(model);
    Numbers tau(v.size());
    homogeneous::inverse_dynamics<double>(model, workspace, q, v, a, tau);
    using Link = homogeneous::LinkMatrices<double>;
    for (const auto which : {&Link::M_0, &Link::L_0, &Link::J_0, &Link::W_0, &Link::H_0, &Link::Phi_0, &Link::Psi_0})
      for (const Link& link : workspace.links) write({(link.*which).e.begin(), (link.*which).e.end()});
  } else if (word == "manipulability") {
    write(tip_manipulability(model, q));
  } else if (word == "joint_actions") {
    homogeneous::Workspace<double> workspace(model);
    std::vector<Force<double>> actions(model.bodies().size());
    homogeneous::joint_actions<double>(model, workspace, q, v, a, actions);
    for (const Force<double>& f : actions) write({f.moment.x, f.moment.y, f.moment.z, f.force.x, f.force.y, f.force.z});
  } else {
    return false;
  }
  return true;
}

/// A hand that reaches for a point in a few knots, and the gains of the first: as test/python/control_test.py has it.
bool optimal_control(const Model& model, const std::string& word, const Numbers& q, const Numbers& v,
                     const Numbers& point) {
  if (word != "optimal_control") return false;
  const auto n = static_cast<std::size_t>(model.nv());
  ControlProblem problem;
  problem.knots = 20;
  problem.step = 0.01;
  problem.compiled = false;
  problem.running.torque_weight.assign(n, 1e-3);
  problem.running.velocity_weight.assign(n, 0.1);
  IkTarget hand = position_target(model.tip(), {point[0], point[1], point[2]});
  hand.position = {1e4, 2e4, 3e4};
  problem.terminal.tips = {hand};
  problem.terminal.velocity_weight.assign(n, 10.0);
  problem.keep_out = {{model.tip(), {0.4, 0.1, 0.4}, 0.1, 1e3}};
  problem.limit_weight = 100.0;
  OptimalControl control(model, problem);
  control.start(q, v);
  const OptimalControl::Solution solution = control.solve(15);
  write({solution.cost, static_cast<double>(solution.iterations)});
  for (int k = 0; k <= 20; ++k) write({control.q(k).begin(), control.q(k).end()});
  for (int k = 0; k < 20; ++k) write({control.torque(k).begin(), control.torque(k).end()});
  const MatrixView<const double> K = control.gains(0);
  for (int j = 0; j < K.cols; ++j) write(Numbers(K.column(j), K.column(j) + K.rows));
  return true;
}

/// Rates that keep the loops closed, as near as possible to those given.
Numbers closed(const Model& model, const Numbers& q, const Numbers& rates, const Numbers* v) {
  LoopEquations equations(model);
  equations.update(q);
  Numbers right(static_cast<std::size_t>(equations.rows()), 0.0);
  if (v != nullptr) {
    equations.update_bias(*v);
    right.assign(equations.b().begin(), equations.b().end());
  }
  return closed_rates(equations, rates, right, {});
}

/// What belongs to closed loops, at one position that closes them.
bool loops(const Model& model, const std::string& word, const Numbers& q, const Numbers& v, const Numbers& x) {
  if (word == "assemble") {
    write(assemble(model, q, {}).q);
  } else if (word == "closed_rates") {
    write(closed(model, q, v, nullptr));
  } else if (word == "closed_accelerations") {
    const Numbers rates = closed(model, q, v, nullptr);
    write(closed(model, q, x, &rates));
  } else if (word == "loop_equations") {
    LoopEquations equations(model);
    equations.update(q);
    equations.update_bias(v);
    const MatrixView<const double> A = equations.matrix();
    for (int j = 0; j < A.cols; ++j) write(Numbers(A.column(j), A.column(j) + A.rows));
    write(Numbers(equations.b().begin(), equations.b().end()));
    write(Numbers(equations.residual().begin(), equations.residual().end()));
  } else if (word == "mobility") {
    const LoopMobility m = mobility_near(model, q).value();
    for (const int number : {m.mobility(), m.degrees, m.equations, m.redundant()}) write({static_cast<double>(number)});
  } else if (word == "loop_manipulability") {
    write(manipulability_of(tip_task(model, model.tip(), q), free_jacobian(model, model.tip(), q)));
  } else {
    return false;
  }
  return true;
}

/// What only batches of their own give.
bool many_motions(const Model& model, const std::string& word, int n, const Numbers& q, const Numbers& v) {
  Batch<double> batch(model, {.compiled = false, .reference = Reference::own_axes});
  const MatrixView<const double> Q(q.data(), model.nq(), n), V(v.data(), model.nv(), n);
  Numbers all(6 * static_cast<std::size_t>(n));
  const auto result = [&](int rows) {
    all.resize(static_cast<std::size_t>(rows) * static_cast<std::size_t>(n));
    return MatrixView<double>(all.data(), rows, n);
  };
  const auto vector = [&] { return VectorView<double>(result(1).data, static_cast<std::size_t>(n)); };
  if (word == "velocity")
    batch.velocity(Q, V, result(6));
  else if (word == "com")
    batch.com(Q, result(3));
  else if (word == "potential_energy")
    batch.potential_energy(Q, vector());
  else if (word == "kinetic_energy")
    batch.kinetic_energy(Q, V, vector());
  else if (word == "momentum")
    batch.momentum(Q, V, result(6));
  else
    return false;
  write(all);
  return true;
}

void many(const Model& model, Quantity quantity, int n, Numbers& q, Numbers& v, Numbers& x) {
  const int nv = model.nv(), square = nv * nv;
  Batch<double> batch(model, {.compiled = false, .reference = Reference::own_axes});
  const MatrixView<const double> Q(q.data(), model.nq(), n), V(v.data(), nv, n), X(x.data(), nv, n);
  const auto sized = [&](int rows) { return Numbers(static_cast<std::size_t>(rows) * static_cast<std::size_t>(n)); };
  Numbers a = sized(nv), A = sized(square), B = sized(square), C = sized(square), J = sized(6 * nv), R = sized(9),
          p = sized(3);
  const auto view = [&](Numbers& m, int rows) { return MatrixView<double>(m.data(), rows, n); };
  switch (quantity) {
    case Quantity::inverse_dynamics: batch.inverse_dynamics(Q, V, X, view(a, nv)); return write(a);
    case Quantity::forward_dynamics: batch.forward_dynamics(Q, V, X, view(a, nv)); return write(a);
    case Quantity::gravity: batch.gravity(Q, view(a, nv)); return write(a);
    case Quantity::mass_matrix: batch.mass_matrix(Q, view(A, square)); return write(A);
    case Quantity::inverse_mass_matrix: batch.inverse_mass_matrix(Q, view(A, square)); return write(A);
    case Quantity::coriolis_matrix: batch.coriolis_matrix(Q, V, view(A, square)); return write(A);
    case Quantity::convective_inertia: batch.convective_inertia(Q, V, view(A, square)); return write(A);
    case Quantity::jacobian: batch.jacobian(Q, view(J, 6 * nv)); return write(J);
    case Quantity::pose:
      batch.pose(Q, view(R, 9), view(p, 3));
      write(R);
      return write(p);
    case Quantity::inverse_derivatives:
      batch.inverse_derivatives(Q, V, X, view(A, square), view(B, square));
      batch.mass_matrix(Q, view(C, square));
      break;
    default: batch.forward_derivatives(Q, V, X, view(a, nv), view(A, square), view(B, square), view(C, square));
  }
  write(A), write(B), write(C);
}

}  // namespace

int main(int, char** argument) {
  const Model model = load(argument[1]);
  const std::string word = argument[2];
  const bool batch = std::strcmp(argument[3], "many") == 0;
  const int n = std::atoi(argument[4]);
  Numbers q = read(n * model.nq()), v = read(n * model.nv()), x = read(n * model.nv());
  if (batch && many_motions(model, word, n, q, v)) return 0;
  if (!model.loops().empty()) return loops(model, word, q, v, x) ? 0 : 2;
  if (!batch && (motion(model, word, q, v, x) || matrices(model, word, q, v, x))) return 0;
  if (optimal_control(model, word, q, v, x)) return 0;
  const Quantity quantity = quantity_named(word);
  batch ? many(model, quantity, n, q, v, x) : one(model, quantity, q, v, x);
}
