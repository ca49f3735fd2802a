#include <Eigen/Cholesky>
#include <array>

#include "studio/steps.hpp"
#include "ulna/dynamics/constraint_force/constraint_force.hpp"
#include "ulna/dynamics/constraint_force/explicit_matrices.hpp"

namespace ulna::studio {

namespace {

using constraint_force::ExplicitMatrices;

/// C − Bᵗ A⁻¹ B, column by column.
std::vector<double> schur_complement(const ExplicitMatrices& X) {
  const Eigen::Map<const Eigen::MatrixXd> A(X.A.data(), X.constraints, X.constraints),
      B(X.B.data(), X.constraints, X.freedoms), C(X.C.data(), X.freedoms, X.freedoms);
  const Eigen::MatrixXd inverse = C - B.transpose() * A.ldlt().solve(B);
  return {inverse.data(), inverse.data() + inverse.size()};
}

/// Of the joints one after the other: as many numbers as each locks.
template <std::size_t n>
std::vector<double> in_line(const std::vector<std::array<double, n>>& blocks, const std::vector<int>& sizes) {
  std::vector<double> line;
  for (std::size_t j = 0; j < blocks.size(); ++j)
    line.insert(line.end(), blocks[j].begin(), blocks[j].begin() + std::min(sizes[j], static_cast<int>(n)));
  return line;
}

}  // namespace

Walk constraint_force_walk(const StepInput& in) {
  const ExplicitMatrices X = constraint_force::explicit_matrices(in.model, in.q);
  constraint_force::Workspace<double> ws(in.model);
  std::vector<double> a(in.v.size());
  constraint_force::forward_dynamics<double>(in.model, ws, in.q, in.v, in.tau, a);
  const std::vector<double> F_S =
      ws.armature ? in_line(ws.F_S_six, X.block_sizes) : in_line(ws.F_S_five, X.block_sizes);
  const auto forces = per_link("F", ws.F.size(), [&](std::size_t i) {
    const auto& [n, f] = ws.F[i];
    return std::array{n.x, n.y, n.z, f.x, f.y, f.z};
  });
  const auto accelerations = per_link("V̇", ws.V_dot.size(), [&](std::size_t i) {
    const auto& [w, l] = ws.V_dot[i];
    return std::array{w.x, w.y, w.z, l.x, l.y, l.z};
  });
  const bool free = in.model.has_free_base();
  Walk walk{
      "fijany_bejczy",
      {{"Applied forces",
        "F_T = Γ − b(Q, Q̇)",
        "(1.1); step 1",
        "The given torques less what Newton and Euler need at Q̈ = 0.",
        {row_of("F_T", ws.F_T)}},
       {"The blocks of A",
        free ? "A′ = Wᵗ Pᵗ I⁻¹ P W + Wᵗ I_b⁻¹ W" : "A = Wᵗ Pᵗ I⁻¹ P W",
        free ? "(3.14), (4.13)" : "(3.14)",
        "W spans what the joints lock: five directions of a hinge or slider. Block tridiagonal, not block diagonal as "
        "the text says (erratum 1.2). Joints from the base outwards; the paper counts inwards.",
        {{"A", 0, X.constraints, X.A}}},
       {"The blocks of B and C",
        "B = Wᵗ Pᵗ I⁻¹ P H,  C = Hᵗ Pᵗ I⁻¹ P H",
        "(3.15), (3.16)",
        "H spans what the joints leave free. The algorithm never forms B and C.",
        {{"B", 0, X.constraints, X.B}, {"C", 0, X.freedoms, X.C}}},
       {"Constraint forces",
        free ? "A′ F_S = −B F_T + Ṙ_T10" : "A F_S = −B F_T",
        free ? "(4.12); step 3" : "(3.17); step 3",
        ws.armature ? "Joints with armature have an equation more, which is not in the paper." : "",
        {row_of("F_S", F_S)}},
       {"Forces and accelerations of the links",
        "F_i = H_i F_Ti + W_i F_Si,  V̇ = I⁻¹ P F",
        "(3.1), (3.11); step 4",
        "A column per link, angular part first, in the link's axes at the origin of its frame.",
        {forces, accelerations}}}};
  Step last{"Joint accelerations",
            free ? "Q̈ = Bᵗ F_S + C F_T − Hᵗ V̇_b" : "Q̈ = Bᵗ F_S + C F_T",
            free ? "(4.3), (4.7); step 5" : "(3.18), (3.20); step 5",
            "",
            {}};
  if (!free) {
    last.note = "M⁻¹ = C − Bᵗ A⁻¹ B, a Schur complement; of the links alone, without armature.";
    last.matrices.push_back({"M⁻¹", 0, X.freedoms, schur_complement(X)});
  }
  last.matrices.push_back(row_of("Q̈", a));
  walk.steps.push_back(std::move(last));
  return walk;
}

}  // namespace ulna::studio
