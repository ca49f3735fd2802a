#include "papers/legnani_dynamics.hpp"

#include <fmt/format.h>

#include "papers/dense.hpp"
#include "papers/deviation.hpp"
#include "papers/legnani_arm.hpp"
#include "ulna/dynamics/composite_body/composite_body.hpp"
#include "ulna/dynamics/homogeneous/homogeneous.hpp"
#include "ulna/dynamics/newton_euler/newton_euler.hpp"
#include "ulna/kinematics/kinematics.hpp"
#include "ulna/model/build.hpp"

namespace ulna::reproduction {

namespace {

using homogeneous::LinkMatrices, homogeneous::pseudo_product, homogeneous::refer_action,
    homogeneous::trace_with_transpose;
using Links = std::vector<LinkMatrices<double>>;
using List = std::vector<double>;
constexpr std::size_t n = stanford_joints;
constexpr int size = static_cast<int>(n);
constexpr int state_count = 20;
// Products of up to ten 4×4 matrices, each element a sum of four terms, over six links.
constexpr double products = 10.0 * 4.0 * 6.0;

/// One state: the matrices of the paper, and what the classical formulations say.
struct State : ArmState {
  std::vector<Force<double>> loads;  // at the mass centres, world axes
  Links moving, coasting;            // with q̈, and with q̈ = 0: the paper's H and H̃
  Matrix H_g;
  List M, tau, bias, coriolis, gravity;  // tau and bias with the loads
  double kinetic, potential;

  State(const Model& model, const ArmState& state, std::mt19937_64& generator);
  Matrix inertia_of(std::size_t i) const { return moving[i].J_0; }
};

State::State(const Model& model, const ArmState& state, std::mt19937_64& generator)
    : ArmState(state),
      loads(n),
      H_g(homogeneous::gravity_matrix(model.gravity())),
      M(n * n),
      tau(n),
      bias(n),
      coriolis(n),
      gravity(n) {
  std::uniform_real_distribution<double> unit(-10.0, 10.0);
  for (Force<double>& load : loads) {
    const List x{unit(generator), unit(generator), unit(generator), unit(generator), unit(generator), unit(generator)};
    load = {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
  }
  homogeneous::Workspace<double> ws(model);
  homogeneous::velocity_and_gravity(model, ws, q, v, bias, loads);
  coasting = ws.links;
  homogeneous::inverse_dynamics(model, ws, q, v, a, tau, loads);
  moving = ws.links;
  newton_euler::Workspace<double> classical(model);
  composite_body::Workspace<double> composite(model);
  composite_body::mass_matrix(model, composite, q, {M.data(), size, size});
  newton_euler::inverse_dynamics(model, classical, q, v, a, tau, loads);
  newton_euler::bias(model, classical, q, v, bias, loads);
  newton_euler::coriolis_force(model, classical, q, v, coriolis);
  newton_euler::gravity(model, classical, q, gravity);
  Kinematics<double> kinematics(model);
  kinematics.update_positions(q);
  kinematics.update_velocities(v);
  kinetic = kinematics.kinetic_energy(v);
  potential = kinematics.gravity_energy();
}

template <class Got, class Want>
Deviation over(const std::vector<State>& states, const Got& got, const Want& want) {
  Deviation deviation(products);
  for (const State& s : states) deviation.add(got(s), want(s));
  return deviation;
}

/// M[i,m] = Trace[Σ_{h ≥ max(i,m)} L_i J_h L_mᵗ], with any J_h.
template <class Inertia>
List mass_by_traces(const State& s, const Inertia& J) {
  List M(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t m = 0; m < n; ++m) {
      for (std::size_t h = std::max(i, m); h < n; ++h)
        M[m * n + i] += trace_with_transpose(s.moving[i].L_0 * J(h), s.moving[m].L_0);
    }
  }
  return M;
}

/// Trace[Σ_{h ≥ m} (X_h J_h) L_mᵗ].
template <class Acceleration>
List torques_by_traces(const State& s, const Acceleration& X) {
  List torques(n);
  for (std::size_t m = 0; m < n; ++m)
    for (std::size_t h = m; h < n; ++h) torques[m] += trace_with_transpose(X(h) * s.inertia_of(h), s.moving[m].L_0);
  return torques;
}

/// C[m] with ΣΦ over the outer links, or with Φ_m alone, as its index says.
List bias_by_traces(const State& s, bool printed) {
  List C = torques_by_traces(s, [&](std::size_t h) { return s.coasting[h].H_0 - s.H_g; });
  for (std::size_t m = 0; m < n; ++m)
    for (std::size_t h = m; h < (printed ? m + 1 : n); ++h) C[m] -= pseudo_product(s.moving[m].L_0, s.moving[h].Phi_0);
  return C;
}

/// −Ψ_i ⊗ L_i, where Ψ_i sums skew(± H J) + skew(H_g J) + Φ over links i + shift … n.
List torques_by_actions(const State& s, double inertia_sign, std::size_t shift) {
  List torques(n);
  for (std::size_t i = 0; i < n; ++i) {
    Matrix Psi = Matrix::zero();
    for (std::size_t j = i + shift; j < n; ++j)
      Psi += skew((s.H_g + inertia_sign * s.moving[j].H_0) * s.inertia_of(j)) + s.moving[j].Phi_0;
    torques[i] = -pseudo_product(Psi, s.moving[i].L_0);
  }
  return torques;
}

List negative(List values) {
  for (double& x : values) x = -x;
  return values;
}

Matrix own_inertia(const MassData& mass) {
  return homogeneous::pseudo_inertia(RigidInertia<double>::from_centre(mass.mass, mass.com, mass.inertia));
}

/// The paper's J_{i(i)} with moments of inertia on its diagonal, as the symbols say.
Matrix inertia_with_moments(const MassData& mass) {
  Matrix J = own_inertia(mass);
  const Sym3<double> I = RigidInertia<double>::from_centre(mass.mass, mass.com, mass.inertia).about_origin;
  J(0, 0) = I.xx;
  J(1, 1) = I.yy;
  J(2, 2) = I.zz;
  return J;
}

const auto mass_matrix_of = [](const State& s) { return s.M; };
const auto torques_of = [](const State& s) { return s.tau; };

// ---- claims

void add_inertia(const Graph& graph, const std::vector<State>& states, std::vector<Claim>& claims) {
  claims.push_back(agreement_claim(
      {"Section 3", "mass matrix", "M[i,m] = Trace[Σ Lᵢ Jₕ Lₘᵗ]"},
      over(
          states, [](const State& s) { return mass_by_traces(s, [&](std::size_t h) { return s.inertia_of(h); }); },
          mass_matrix_of),
      "", "Against composite rigid bodies."));
  const auto mass_of = [&](std::size_t h) { return graph.bodies[h + 1].mass; };
  const auto with_own = [&](bool printed) {
    return over(
        states,
        [&](const State& s) {
          return mass_by_traces(s, [&](std::size_t h) {
            const Matrix J = printed ? inertia_with_moments(mass_of(h)) : own_inertia(mass_of(h));
            return refer_action(printed_position(0, h + 1, s.q), J);
          });
        },
        mass_matrix_of);
  };
  claims.push_back(misprint_claim({"Section 4.2", "diagonal of Jᵢ(i)", "I_xx, I_yy, I_zz"}, with_own(true),
                                  with_own(false), "in the mass matrix",
                                  {"4.4", "∫x²dm, ∫y²dm, ∫z²dm",
                                   "the symbols are those of moments of inertia; ∫x²dm = (−J_x + J_y + J_z)/2 + m "
                                   "x_g²"}));
  const auto referred = [&](std::size_t ahead) {
    return over(
        states,
        [&](const State& s) {
          return mass_by_traces(s, [&](std::size_t h) {
            return refer_action(printed_position(0, h + ahead, s.q), own_inertia(mass_of(h)));
          });
        },
        mass_matrix_of);
  };
  claims.push_back(misprint_claim({"Fig. 4, step 11", "Jᵢ(0)", "M₀,ᵢ₋₁ Jᵢ M₀,ᵢ₋₁ᵗ"}, referred(0), referred(1),
                                  "in the mass matrix",
                                  {"4.8", "M₀,ᵢ Jᵢ M₀,ᵢᵗ", "as in section 4.2 and in the program of Fig. 6"}));
}

void add_definiteness(const std::vector<State>& states, Section& section) {
  double asymmetry = 0.0, least = 1e300;
  for (const State& s : states) {
    List M = mass_by_traces(s, [&](std::size_t h) { return s.inertia_of(h); });
    const Eigen::Map<Eigen::MatrixXd> view(M.data(), size, size);
    asymmetry = worse(asymmetry, (view - view.transpose()).cwiseAbs().maxCoeff());
    least = lesser(least, smallest_eigenvalue(view));
  }
  section.claims.push_back(sentence_claim({"Section 3", "the mass matrix", "symmetric and positive definite"},
                                          fmt::format("|M − Mᵗ| ≤ {:.0e}, least eigenvalue {:.2g}", asymmetry, least),
                                          asymmetry <= rounding(products, largest(states[0].M)) && least > 0.0,
                                          fmt::format("At {} random states.", state_count)));
  Table table{"The mass matrix of the Stanford arm by traces, at the first of the random states; kg m², kg m and kg.",
              {"joint", "1", "2", "3", "4", "5", "6"},
              {}};
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<std::string> row{fmt::format("{}", i + 1)};
    for (std::size_t k = 0; k < n; ++k) row.push_back(fmt::format("{:.5f}", states[0].M[k * n + i] + 0.0));
    table.rows.push_back(row);
  }
  section.tables.push_back(table);
}

void add_energies(const std::vector<State>& states, std::vector<Claim>& claims) {
  Deviation kinetic(products), potential(products);
  for (const State& s : states) {
    double t = 0.0, v = 0.0;
    for (const LinkMatrices<double>& link : s.moving) {
      t += 0.5 * trace_with_transpose(link.W_0 * link.J_0, link.W_0);
      v += homogeneous::trace(-1.0 * (s.H_g * link.J_0));
    }
    kinetic.add(t, s.kinetic);
    potential.add(v, s.potential);
  }
  claims.push_back(agreement_claim({"(8)", "kinetic energy", "½ Trace(W J Wᵗ)"}, kinetic, "J",
                                   "Against ½ m v² and ½ ω·J ω of all links."));
  claims.push_back(
      agreement_claim({"(9)", "potential energy", "Trace(−H_g J)"}, potential, "J",
                      "Erratum 4.12: the paper does not say so, but H_g holds the acceleration of gravity, (0, 0, "
                      "−9.81) in its last column; then this is −Σ m g·x_g."));
}

/// −∂v/∂q_m and +∂v/∂q_m by dual numbers, from (9) and the printed positions.
List potential_gradient(const Graph& graph, const State& s, double sign) {
  List gradient(n);
  for (std::size_t m = 1; m <= n; ++m) {
    for (std::size_t h = 1; h <= n; ++h) {
      const auto M = printed_position(0, h, varied(s.q, m));
      const auto J = refer_action(M, homogeneous::cast<Dual4>(own_inertia(graph.bodies[h].mass)));
      gradient[m - 1] += sign * homogeneous::trace(-1.0 * (s.H_g * rate_of(J)));
    }
  }
  return gradient;
}

void add_lagrange(const Graph& graph, const std::vector<State>& states, std::vector<Claim>& claims) {
  claims.push_back(agreement_claim(
      {"Section 3", "d/dt ∂t/∂q̇ − ∂t/∂q", "Trace[(H̃ + Σ L q̈) J Lᵗ]"},
      over(
          states, [](const State& s) { return torques_by_traces(s, [&](std::size_t h) { return s.moving[h].H_0; }); },
          [](const State& s) {
            List inertial = s.coriolis;
            for (std::size_t i = 0; i < n; ++i)
              for (std::size_t k = 0; k < n; ++k) inertial[i] += s.M[k * n + i] * s.a[k];
            return inertial;
          }),
      "N m or N", "Against M q̈ and the Coriolis torques of the classical formulations."));
  const auto weight = [](const State& s) { return torques_by_traces(s, [&](std::size_t) { return -1.0 * s.H_g; }); };
  const auto against = [&](double sign) {
    return over(states, weight, [&](const State& s) { return potential_gradient(graph, s, sign); });
  };
  claims.push_back(misprint_claim(
      {"Section 3", "d/dt ∂v/∂q̇ − ∂v/∂q", "Trace[−H_g J Lᵗ]"}, against(-1.0), against(1.0), "N m",
      {"4.6", "Trace[−H_g J Lᵗ] is +∂v/∂q", "which is what the Lagrangian t − v asks for; the sum C[m] has it right"}));
  const auto with_loads = [&](bool printed) {
    return over(
        states, [=](const State& s) { return bias_by_traces(s, printed); }, [](const State& s) { return s.bias; });
  };
  claims.push_back(misprint_claim({"Section 3", "C[m]: the external actions", "Lₘ ⊗ Σ Φₘ"}, with_loads(true),
                                  with_loads(false), "N m",
                                  {"4.10", "Lₘ ⊗ Σₕ≥m Φₕ", "with loads on all links; the rest of C[m] is right"}));
}

void add_newton_euler(const std::vector<State>& states, std::vector<Claim>& claims) {
  const auto actions = [&](double inertia_sign, std::size_t shift) {
    return over(
        states, [=](const State& s) { return torques_by_actions(s, inertia_sign, shift); }, torques_of);
  };
  // Whether Ψ acts on link i or on link i − 1 is open in the print: the better of both signs.
  Deviation printed = actions(1.0, 0);
  const Deviation other = over(
      states, [](const State& s) { return negative(torques_by_actions(s, 1.0, 0)); }, torques_of);
  if (other.off() < printed.off()) printed = other;
  const Deviation right = actions(-1.0, 0);
  claims.push_back(
      misprint_claim({"Section 2.3", "Ψᵢ", "Σ [skew(H J) + Φ̂ + Φ]"}, printed, right, "N m",
                     {"4.5", "Σ [skew((H_g − H) J) + Φ]",
                      "inertia acts against the acceleration, as in section 4.2 and Figs 4 and 6; the drive's "
                      "torque is −Ψᵢ ⊗ Lᵢ"}));
  claims.push_back(misprint_claim({"Section 2.3", "recursion", "Ψᵢ₋₁ = Ψᵢ + … of body i"}, actions(-1.0, 1), right,
                                  "N m", {"4.5", "Ψᵢ = Ψᵢ₊₁ + … of body i", "Ψᵢ is the sum over bodies i to n"}));
  claims.push_back(
      agreement_claim({"Sections 2.3, 3", "Newton–Euler and Lagrange give the same torques", "−Ψ ⊗ L = M q̈ + C"},
                      over(
                          states, [](const State& s) { return torques_by_actions(s, -1.0, 0); },
                          [](const State& s) {
                            List lagrange = bias_by_traces(s, false);
                            const List M = mass_by_traces(s, [&](std::size_t h) { return s.inertia_of(h); });
                            for (std::size_t i = 0; i < n; ++i)
                              for (std::size_t k = 0; k < n; ++k) lagrange[i] += M[k * n + i] * s.a[k];
                            return lagrange;
                          }),
                      "N m or N", "With random loads on all links."));
}

/// dW/dt, dW/dq_m, dJ/dt and dJ/dq_m of section 3, for the last link.
void add_derivatives(const Graph& graph, const std::vector<State>& states, std::vector<Claim>& claims) {
  Deviation J_rate(products), J_gradient(products), W_gradient(products);
  const auto J_own = homogeneous::cast<Dual4>(own_inertia(graph.bodies[n].mass));
  for (const State& s : states) {
    const Matrix &W = s.moving[n - 1].W_0, J = s.inertia_of(n - 1);
    J_rate.add(elements(W * J + J * transpose(W)),
               elements(rate_of(refer_action(printed_position(0, n, along(s.q, s.v)), J_own))));
    for (std::size_t m = 1; m <= n; ++m) {
      const Matrix L = s.moving[m - 1].L_0, outer = W - s.moving[m - 1].W_0;
      const std::vector<Dual4> q = varied(s.q, m);
      J_gradient.add(elements(L * J + J * transpose(L)),
                     elements(rate_of(refer_action(printed_position(0, n, q), J_own))));
      auto W_dual = homogeneous::Matrix4<Dual4>::zero();
      for (std::size_t i = 1; i <= n; ++i)
        W_dual +=
            Dual4(s.v[i - 1]) * refer_motion(printed_position(0, i - 1, q), homogeneous::cast<Dual4>(joint_matrix(i)));
      W_gradient.add(elements(L * outer - outer * L), elements(rate_of(W_dual)));
    }
  }
  claims.push_back(agreement_claim({"Section 3", "dW₀,ₕ/dqₘ", "Lₘ Wₘ,ₕ − Wₘ,ₕ Lₘ"}, W_gradient, ""));
  claims.push_back(agreement_claim({"Section 3", "dJₕ(0)/dt", "W J + J Wᵗ"}, J_rate, ""));
  claims.push_back(agreement_claim({"Section 3", "dJₕ(0)/dqₘ", "Lₘ J + J Lₘᵗ"}, J_gradient, ""));
}

}  // namespace

Section legnani_dynamics() {
  Section section{"Sections 2.3, 3 and 4.2: dynamics by Newton–Euler and by Lagrange", {}, {}, {}, {}};
  section.text = {fmt::format(
      "The same arm at {} random states with random loads on all links, against formulations that know no 4×4 "
      "matrices: composite bodies and Newton–Euler in link axes.",
      state_count)};
  const Graph graph = legnani_stanford();
  const Model model = build(graph);
  std::mt19937_64 generator(1997);
  std::vector<State> states;
  states.reserve(state_count);
  for (const ArmState& state : random_states(model, state_count)) states.emplace_back(model, state, generator);
  section.claims.push_back(undetermined_claim({"Section 4", "masses, inertias and lengths of the Stanford arm", "–"},
                                              "Erratum 4.14: the paper gives none. Taken: lengths, masses and "
                                              "inertias of saha2001, mass centres of our own."));
  add_inertia(graph, states, section.claims);
  add_definiteness(states, section);
  add_energies(states, section.claims);
  add_derivatives(graph, states, section.claims);
  add_lagrange(graph, states, section.claims);
  add_newton_euler(states, section.claims);
  return section;
}

}  // namespace ulna::reproduction
