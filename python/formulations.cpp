// The formulations' own matrices: for reading and teaching, one state at a time.
#include <pybind11/stl.h>

#include "bindings.hpp"
#include "fast_method.hpp"
#include "one_state.hpp"
#include "ulna/dynamics/constraint_force/explicit_matrices.hpp"
#include "ulna/dynamics/denoc/denoc.hpp"
#include "ulna/dynamics/denoc/udu.hpp"
#include "ulna/dynamics/homogeneous/homogeneous.hpp"
#include "ulna/dynamics/spatial_operator/explicit_matrices.hpp"

namespace ulna::python {

namespace {

py::tuple udu(Robot& robot, const py::object& q) {
  const Model& model = *robot.tree;
  const OneState position(q, "q", model.nq());
  expect_scope("denoc", model);
  const auto n = static_cast<std::size_t>(model.nv());
  std::vector<double> I(n * n), U(n * n), D(n);
  {
    const WithoutGil computing;
    denoc::Workspace<double> workspace(model);
    denoc::mass_matrix(model, workspace, position.vector(), {I.data(), model.nv(), model.nv()});
    denoc::reverse_gaussian_elimination<double>({I.data(), model.nv(), model.nv()}, {U.data(), model.nv(), model.nv()},
                                                D.data());
  }
  return py::make_tuple(array_of(MatrixView<const double>(U.data(), model.nv(), model.nv())), array_of(D));
}

py::dict constraint_force_matrices(Robot& robot, const py::object& q) {
  const OneState position(q, "q", robot.tree->nq());
  expect_scope("constraint_force", *robot.tree);
  const constraint_force::ExplicitMatrices m =
      without_gil([&] { return constraint_force::explicit_matrices(*robot.tree, position.vector()); });
  py::dict dict;
  dict["A"] = array_of(MatrixView<const double>(m.A.data(), m.constraints, m.constraints));
  dict["B"] = array_of(MatrixView<const double>(m.B.data(), m.constraints, m.freedoms));
  dict["C"] = array_of(MatrixView<const double>(m.C.data(), m.freedoms, m.freedoms));
  dict["block_sizes"] = m.block_sizes;
  dict["condition"] = m.condition_of_A;
  return dict;
}

py::object array_of_dense(const spatial_operator::Dense<double>& m) {
  return array_of(MatrixView<const double>(m.data.data(), m.rows, m.cols));
}

py::dict spatial_operator_matrices(Robot& robot, const py::object& q, const py::object& v) {
  const OneState position(q, "q", robot.tree->nq()), rates(v, "v", robot.tree->nv());
  const auto X = without_gil(
      [&] { return spatial_operator::explicit_matrices<double>(*robot.tree, position.vector(), rates.vector()); });
  const auto [D, C] = without_gil([&] { return std::pair(X.D(), X.C()); });
  py::dict dict;
  dict["H"] = array_of_dense(X.H);
  dict["H_dot"] = array_of_dense(X.H_dot);
  dict["B"] = array_of_dense(X.B);
  dict["B_dot"] = array_of_dense(X.B_dot);
  dict["Phi"] = array_of_dense(X.Phi);
  dict["M"] = array_of_dense(X.M);
  dict["Omega"] = array_of_dense(X.Omega);
  dict["D"] = array_of_dense(D);
  dict["C"] = array_of_dense(C);
  dict["G"] = array_of(X.G().data);
  return dict;
}

using Matrices = std::vector<homogeneous::LinkMatrices<double>>;

/// One matrix of all links: (n, 4, 4).
py::object stacked(const Matrices& links, homogeneous::Matrix4<double> homogeneous::LinkMatrices<double>::*which) {
  std::vector<double> numbers;
  numbers.reserve(16 * links.size());
  for (const auto& link : links) numbers.insert(numbers.end(), (link.*which).e.begin(), (link.*which).e.end());
  return array_of(numbers).attr("reshape")(-1, 4, 4);
}

py::dict homogeneous_matrices(Robot& robot, const py::object& q, const py::object& v, const py::object& a) {
  using Link = homogeneous::LinkMatrices<double>;
  const Model& model = *robot.tree;
  const OneState position(q, "q", model.nq()), rates(v, "v", model.nv()), second(a, "a", model.nv());
  expect_scope("homogeneous", model);
  homogeneous::Workspace<double> workspace(model);
  std::vector<double> tau(static_cast<std::size_t>(model.nv()));
  without_gil([&] {
    homogeneous::inverse_dynamics<double>(model, workspace, position.vector(), rates.vector(), second.vector(), tau);
  });
  py::dict dict;
  dict["M"] = stacked(workspace.links, &Link::M_0);
  dict["L"] = stacked(workspace.links, &Link::L_0);
  dict["J"] = stacked(workspace.links, &Link::J_0);
  dict["W"] = stacked(workspace.links, &Link::W_0);
  dict["H"] = stacked(workspace.links, &Link::H_0);
  dict["Phi"] = stacked(workspace.links, &Link::Phi_0);
  dict["Psi"] = stacked(workspace.links, &Link::Psi_0);
  return dict;
}

py::object joint_actions(Robot& robot, const py::object& q, const py::object& v, const py::object& a) {
  const Model& model = *robot.tree;
  const OneState position(q, "q", model.nq()), rates(v, "v", model.nv()), second(a, "a", model.nv());
  expect_scope("homogeneous", model);
  homogeneous::Workspace<double> workspace(model);
  std::vector<Force<double>> actions(model.bodies().size());
  without_gil([&] {
    homogeneous::joint_actions<double>(model, workspace, position.vector(), rates.vector(), second.vector(), actions);
  });
  std::vector<double> numbers;
  numbers.reserve(6 * actions.size());
  for (const Force<double>& f : actions)
    for (const Vec3<double>& part : {f.moment, f.force}) numbers.insert(numbers.end(), {part.x, part.y, part.z});
  return array_of(numbers).attr("reshape")(-1, 6);
}

}  // namespace

void bind_formulations(py::module_& module) {
  const Methods methods(module.attr("Model"));
  methods.def(
      "udu", "(self, q)",
      "(U, D) of M = U diag(D) U^T (saha2001): U unit upper triangular (nv, nv), D (nv,). q: (nq,). Serial arms.", &udu,
      py::arg("q"));
  methods.def(
      "constraint_force_matrices", "(self, q)",
      "A, B and C of the constraint forces (fijany_bejczy), with M^-1 = C - B^T A^-1 B, as a dict: A (m, m), B\n"
      "(m, n), C (n, n), block_sizes of A, condition of A. q: (nq,). Serial chains.",
      &constraint_force_matrices, py::arg("q"));
  methods.def(
      "spatial_operator_matrices", "(self, q, v)",
      "The matrices of wolinski2015 as a dict: H, H_dot (6n, n), B, B_dot, Phi, M, Omega (6n, 6n), and D, C (n, n)\n"
      "and G (n,) as their products. Linear parts first, as printed. q: (nq,), v: (nv,). Serial arms.",
      &spatial_operator_matrices, py::arg("q"), py::arg("v"));
  methods.def(
      "homogeneous_matrices", "(self, q, v, a)",
      "The 4x4 matrices of legnani1996 in frame (0), as a dict of (n, 4, 4): M position, L joint, J pseudo-inertia,\n"
      "W velocity, H acceleration, Phi external action, Psi action on the link before. q: (nq,), v, a: (nv,).\n"
      "Serial arms.",
      &homogeneous_matrices, py::arg("q"), py::arg("v"), py::arg("a"));
  methods.def(
      "joint_actions", "(self, q, v, a)",
      "Moment (N m) and force (N) that each joint transmits, in the axes of its body with z along the joint, (n, 6).\n"
      "q: (nq,), v, a: (nv,). Serial arms.",
      &joint_actions, py::arg("q"), py::arg("v"), py::arg("a"));
}

}  // namespace ulna::python
