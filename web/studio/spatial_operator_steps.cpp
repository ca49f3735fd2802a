#include <array>

#include "studio/steps.hpp"
#include "ulna/dynamics/spatial_operator/explicit_matrices.hpp"

namespace ulna::studio {

namespace {

using Operators = spatial_operator::ExplicitMatrices<double>;
using Vectors = std::vector<spatial_operator::SpatialVector<double>>;

StepMatrix shown(const char* name, const spatial_operator::Dense<double>& a) { return {name, 0, a.rows, a.data}; }

StepMatrix shown(const char* name, const Vectors& vectors) {
  return per_link(name, vectors.size(), [&](std::size_t i) {
    const auto& [l, w] = vectors[i];
    return std::array{l.x, l.y, l.z, w.x, w.y, w.z};
  });
}

}  // namespace

Walk spatial_operator_walk(const StepInput& in) {
  const Operators X = spatial_operator::explicit_matrices<double>(in.model, in.q, in.v);
  spatial_operator::Workspace<double> ws(in.model);
  std::vector<double> tau(in.v.size());
  spatial_operator::inverse_dynamics<double>(in.model, ws, in.q, in.v, in.a, tau);
  return {
      "wolinski2015",
      {{"Joints",
        "H_j = [−h̃_ij s_ji; h_ij]",
        "(37), (39), (41), (44)",
        "Linear part first, at the mass centre, in world axes. A column per joint; (44) prints 6n × 6n (erratum 3.5).",
        {shown("H", X.H), shown("Ḣ", X.H_dot)}},
       {"Shifts",
        "B_ij = [1 −r̃_ij; 0 1],  Φ = (1 − B)⁻¹",
        "(36), (38), (40), (42), (43)",
        "Φ carries a velocity from any link to all outer ones. In (38) the tilde belongs over the whole vector "
        "(erratum "
        "3.3); with the rows of step 3 as printed Φ would stay 1 (erratum 3.6).",
        {shown("B", X.B), shown("Ḃ", X.B_dot), shown("Φ", X.Phi)}},
       {"Velocities and accelerations",
        "V = Φ H q̇,  V̇ = Φ((ḂΦH + Ḣ) q̇ + H q̈)",
        "(8)–(13)",
        "A column per link.",
        {shown("V", ws.V), shown("V̇", ws.V_dot)}},
       {"Masses",
        "M_j = diag(m_j 1, J_j),  Ω_j = diag(0, −ω̃_j J_j),  F_G = [m_j g; 0]",
        "(45)–(49)",
        "",
        {shown("M", X.M), shown("Ω", X.Omega), shown("F_G", X.F_G)}},
       {"Forces",
        "F = Φᵀ(M V̇ − Ω V − F_G),  T = Hᵀ F",
        "(15)–(19)",
        "A column per link; friction, springs and armature of the joints are in T.",
        {shown("F", ws.F), row_of("T", tau)}},
       {"In joint space",
        "D = HᵀΦᵀMΦH,  C = HᵀΦᵀ(MΦ(ḂΦH + Ḣ) − ΩΦH),  G = HᵀΦᵀ(−F_G)",
        "(23)–(26)",
        "D q̈ + C q̇ + G = T, D of the links alone. (22) has Ω within MΦ(…) (erratum 3.2); (25) is right.",
        {shown("D", X.D()), shown("C", X.C()), row_of("G", X.G().data)}}}};
}

}  // namespace ulna::studio
