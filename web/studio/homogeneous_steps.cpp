#include "studio/steps.hpp"
#include "ulna/dynamics/homogeneous/homogeneous.hpp"

namespace ulna::studio {

namespace {

using Matrices = homogeneous::LinkMatrices<double>;

/// One matrix of every link.
void add_of_links(Step& step, const char* name, const homogeneous::Workspace<double>& ws,
                  homogeneous::Matrix4<double> Matrices::*which) {
  for (std::size_t i = 0; i < ws.links.size(); ++i) {
    StepMatrix matrix{name, static_cast<int>(i) + 1, 4, {}};
    for (std::size_t column = 0; column < 4; ++column)
      for (std::size_t row = 0; row < 4; ++row) matrix.columns.push_back((ws.links[i].*which)(row, column));
    step.matrices.push_back(std::move(matrix));
  }
}

}  // namespace

Walk homogeneous_walk(const StepInput& in) {
  const int n = in.model.nv();
  homogeneous::Workspace<double> ws(in.model);
  std::vector<double> tau(in.v.size()), M(tau.size() * tau.size()), C(tau.size());
  homogeneous::inverse_dynamics<double>(in.model, ws, in.q, in.v, in.a, tau);
  Walk walk{"legnani1996", {}};
  auto step = [&](Step given) -> Step& { return walk.steps.emplace_back(std::move(given)); };
  add_of_links(step({"Positions",
                     "M_{0,i} = M_{0,i−1} M_{i−1,i}",
                     "sec. 2.1; Fig. 4, steps 3 and 5",
                     "[R p; 0 1] of link i in frame (0): the world's axes, at the first joint.",
                     {}}),
               "M_{0,i}", ws, &Matrices::M_0);
  add_of_links(step({"Joints",
                     "L_{i(0)} = M L_i M⁻¹",
                     "(1); Fig. 4, step 6",
                     "[u× b; 0 0]: the joint's motion at unit rate. Sec. 6 prints M_{0,i} where M_{0,i−1} is meant "
                     "(erratum 4.7).",
                     {}}),
               "L_{i(0)}", ws, &Matrices::L_0);
  add_of_links(step({"Velocities",
                     "W_{0,i} = Σ L_j q̇_j",
                     "(2); Fig. 6, steps 4, 6 and 8",
                     "[ω× v; 0 0], v of the point at the origin.",
                     {}}),
               "W_{0,i}", ws, &Matrices::W_0);
  add_of_links(step({"Accelerations",
                     "H_{0,i} = Σ (L_j q̈_j + L_j² q̇_j²) + Σ 2 W_s W_r",
                     "(3), (11); Fig. 6, steps 4, 7 and 9",
                     "[α× + ω×ω× a; 0 0].",
                     {}}),
               "H_{0,i}", ws, &Matrices::H_0);
  add_of_links(step({"Inertia",
                     "J_{i(0)} = M_{0,i} J_i M_{0,i}ᵗ",
                     "Fig. 4, step 11",
                     "[∫xxᵗ h; hᵗ m]; step 11 prints M_{0,i−1} (erratum 4.8).",
                     {}}),
               "J_{i(0)}", ws, &Matrices::J_0);
  Step& actions = step({"Actions and torques",
                        "Ψ_i = Ψ_{i+1} + skew{(H_g − H_i) J_i} + Φ_i,  τ_i = −Ψ_i ⊗ L_i",
                        "sec. 2.3, 4.2; Fig. 4, steps 12 and 13",
                        "[n× f; −fᵗ 0]: what links i … n do to link i − 1. Sec. 2.3 prints another sign and index "
                        "(erratum 4.5).",
                        {}});
  add_of_links(actions, "Ψ_{i(0)}", ws, &Matrices::Psi_0);
  actions.matrices.push_back(row_of("τ", tau));
  homogeneous::mass_matrix<double>(in.model, ws, in.q, {M.data(), n, n});
  homogeneous::velocity_and_gravity<double>(in.model, ws, in.q, in.v, C);
  step({"Lagrange, by traces",
        "M[i,m] = Tr Σ L_i J_h L_mᵗ,  C[m] = Tr Σ (H̃_h − H_g) J_h L_mᵗ",
        "sec. 3; (8), (9)",
        "C is a vector here: Coriolis, centrifugal and gravity torques. Misprints: errata 4.6 and 4.10." +
            armature_note(in.model),
        {{"M", 0, n, M}, row_of("C", C)}});
  return walk;
}

}  // namespace ulna::studio
