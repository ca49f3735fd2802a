#include "papers/legnani_kinematics.hpp"

#include <fmt/format.h>

#include "papers/deviation.hpp"
#include "papers/legnani_arm.hpp"
#include "ulna/kinematics/kinematics.hpp"
#include "ulna/model/build.hpp"

namespace ulna::reproduction {

namespace {

using homogeneous::inverse_position, homogeneous::refer_motion;
constexpr std::size_t n = stanford_joints;
constexpr int state_count = 20;
// Products of up to eight 4×4 matrices, each element a sum of four terms, over six links.
constexpr double products = 8.0 * 4.0 * 6.0;

/// One state: the paper's matrices by its printed formulas, and Ulna's vectors of the same links.
struct State : ArmState {
  std::vector<Matrix> M_0, L_0, W_0, H_0;      // M_{0,i}, L_{i−1,i(0)}, and by (11) W_{0,i}, H_{0,i}; from i = 0 on
  std::vector<Matrix> M_seen, W_seen, H_seen;  // the same from poses, velocities and accelerations

  State(const Model& model, const ArmState& state);
  Matrix relative_velocity(std::size_t i) const { return v[i - 1] * L_0[i]; }
  Matrix relative_acceleration(std::size_t i) const {
    return a[i - 1] * L_0[i] + (v[i - 1] * v[i - 1]) * (L_0[i] * L_0[i]);
  }
};

State::State(const Model& model, const ArmState& state) : ArmState(state) {
  M_0 = {Matrix::identity()};
  L_0 = W_0 = H_0 = M_seen = W_seen = H_seen = {Matrix::zero()};
  for (std::size_t i = 1; i <= n; ++i) {
    M_0.push_back(M_0.back() * printed_position(i, q[i - 1]));
    L_0.push_back(refer_motion(M_0[i - 1], joint_matrix(i)));
    H_0.push_back(H_0.back() + 2.0 * (W_0.back() * relative_velocity(i)) + relative_acceleration(i));
    W_0.push_back(W_0.back() + relative_velocity(i));
  }
  Kinematics<double> kinematics(model);
  kinematics.update_positions(q);
  kinematics.update_velocities(v);
  kinematics.update_accelerations(v, a);
  for (std::size_t i = 1; i <= n; ++i) {
    const auto [pose, omega, velocity, alpha, acceleration] =
        kinematics.rates_of(*model.find_frame(fmt::format("link{}", i)));
    const Mat3<double> turn = skew(omega), turning = skew(alpha) + turn * turn;
    M_seen.push_back(homogeneous::position_matrix(pose));
    W_seen.push_back(homogeneous::velocity_matrix(Motion<double>{omega, velocity - turn * pose.p}));
    H_seen.push_back(Matrix::from_blocks(turning, acceleration - turning * pose.p, Vec3<double>::zero(), 0.0));
  }
}

/// The deviation of two matrices over all states and over links from `first` on.
template <class Got, class Want>
Deviation over(const std::vector<State>& states, std::size_t first, std::size_t last, const Got& got,
               const Want& want) {
  Deviation deviation(products);
  for (const State& s : states)
    for (std::size_t i = first; i <= last; ++i) deviation.add(elements(got(s, i)), elements(want(s, i)));
  return deviation;
}

// ---- what is printed

/// L_{2,3(0)}: its last column, with the sine that is printed or the right one.
Matrix slide_of_section_4(const State& s, bool printed) {
  const double C1 = std::cos(s.q[0]), S1 = std::sin(s.q[0]), C2 = std::cos(s.q[1]), S2 = std::sin(s.q[1]);
  return homogeneous::velocity_matrix(Motion<double>{{0, 0, 0}, {C1 * (printed ? S1 : S2), S1 * S2, C2}});
}

Matrix turn_of_section_4(const State& s) {
  const double C = std::cos(s.q[0]), S = std::sin(s.q[0]);
  return {{0, 0, C, 0, 0, 0, S, 0, -C, -S, 0, 0, 0, 0, 0, 0}};
}

Matrix squared_turn_of_section_4(const State& s) {
  const double C = std::cos(s.q[0]), S = std::sin(s.q[0]);
  return {{-C * C, -C * S, 0, 0, -C * S, -S * S, 0, 0, 0, 0, -1, 0, 0, 0, 0, 0}};
}

/// (3bis): H̃ of link i by the double sum over all joints.
Matrix coriolis_sum(const State& s, std::size_t i) {
  Matrix H = Matrix::zero();
  for (std::size_t r = 1; r <= i; ++r) {
    H += s.relative_velocity(r) * s.relative_velocity(r);
    for (std::size_t k = 1; k < r; ++k) H += 2.0 * (s.relative_velocity(k) * s.relative_velocity(r));
  }
  return H;
}

/// Its second form in section 3, by commutators.
Matrix coriolis_commutators(const State& s, std::size_t i) {
  Matrix H = s.W_0[i] * s.W_0[i];
  for (std::size_t r = 1; r <= i; ++r)
    H += s.W_0[r - 1] * s.relative_velocity(r) - s.relative_velocity(r) * s.W_0[r - 1];
  return H;
}

Matrix accelerations_of_3(const State& s, std::size_t i) {
  Matrix H = coriolis_sum(s, i);
  for (std::size_t j = 1; j <= i; ++j) H += s.a[j - 1] * s.L_0[j];
  return H;
}

// ---- claims

/// The first three rows of the printed M_{i−1,i}.
constexpr std::array printed_rows{"C₁ 0 −S₁ 0; S₁ 0 C₁ 0; 0 −1 0 0", "C₂ 0 S₂ 0; S₂ 0 −C₂ 0; 0 1 0 d₂",
                                  "1 0 0 0; 0 1 0 0; 0 0 1 d₃",      "C₄ 0 −S₄ 0; S₄ 0 C₄ 0; 0 −1 0 d₄",
                                  "C₅ 0 S₅ 0; S₅ 0 −C₅ 0; 0 1 0 0",  "C₆ −S₆ 0 0; S₆ C₆ 0 0; 0 0 1 0"};

void add_positions(const std::vector<State>& states, std::vector<Claim>& claims) {
  for (std::size_t i = 1; i <= n; ++i) {
    claims.push_back(agreement_claim(
        {"Section 4.1", fmt::format("M from frame {} to {}", i, i - 1), fmt::format("[{}]", printed_rows[i - 1])},
        over(
            states, i, i, [](const State& s, std::size_t k) { return printed_position(k, s.q[k - 1]); },
            [](const State& s, std::size_t k) {
              return k == 1 ? s.M_seen[1] : inverse_position(s.M_seen[k - 1]) * s.M_seen[k];
            }),
        "", i == 1 ? "Against the frames of a robot file with the paper's Denavit–Hartenberg parameters." : ""));
  }
}

void add_section_4(const std::vector<State>& states, std::vector<Claim>& claims) {
  const auto L_0 = [](const State& s, std::size_t i) { return s.L_0[i]; };
  claims.push_back(
      agreement_claim({"Section 4.1", "L₁,₂(0)", "[0 0 C₁ 0; 0 0 S₁ 0; −C₁ −S₁ 0 0]"},
                      over(
                          states, 2, 2, [](const State& s, std::size_t) { return turn_of_section_4(s); }, L_0),
                      ""));
  claims.push_back(
      agreement_claim({"Section 4.1", "L²₁,₂(0) in H₁,₂(0)", "[−C₁² −C₁S₁ 0 0; −C₁S₁ −S₁² 0 0; 0 0 −1 0]"},
                      over(
                          states, 2, 2, [](const State& s, std::size_t) { return squared_turn_of_section_4(s); },
                          [](const State& s, std::size_t i) { return s.L_0[i] * s.L_0[i]; }),
                      ""));
  const auto slide = [&](bool printed) {
    return over(
        states, 3, 3, [=](const State& s, std::size_t) { return slide_of_section_4(s, printed); }, L_0);
  };
  claims.push_back(misprint_claim({"Section 4.1", "L₂,₃(0), last column", "(C₁S₁, S₁S₂, C₂)"}, slide(true),
                                  slide(false), "", {"4.1", "(C₁S₂, S₁S₂, C₂)", "the direction of z₂"}));
  claims.push_back(agreement_claim({"Section 4.1", "L²₂,₃(0) of the prismatic joint", "the null matrix"},
                                   over(
                                       states, 3, 3, [](const State& s, std::size_t i) { return s.L_0[i] * s.L_0[i]; },
                                       [](const State&, std::size_t) { return Matrix::zero(); }),
                                   ""));
}

void add_composition(const std::vector<State>& states, std::vector<Claim>& claims) {
  const auto W_seen = [](const State& s, std::size_t i) { return s.W_seen[i]; };
  const auto H_seen = [](const State& s, std::size_t i) { return s.H_seen[i]; };
  claims.push_back(agreement_claim({"(2), (11)", "W₀,ᵢ as the sum of L q̇", "W₀,ᵢ = Σ Lⱼ₋₁,ⱼ(0) q̇ⱼ"},
                                   over(
                                       states, 1, n, [](const State& s, std::size_t i) { return s.W_0[i]; }, W_seen),
                                   "", "Against the velocities of all links as vectors."));
  claims.push_back(agreement_claim({"(11)", "H₀,ᵢ by Coriolis' theorem", "H₀,ⱼ₋₁ + 2 W W + Hⱼ₋₁,ⱼ"},
                                   over(
                                       states, 1, n, [](const State& s, std::size_t i) { return s.H_0[i]; }, H_seen),
                                   "", "Against the accelerations of all links as vectors."));
  claims.push_back(agreement_claim({"(3), (3bis)", "H₀,ᵢ as the double sum", "Σ (L q̇)² + Σ L q̈ + ΣΣ 2 L L q̇ q̇"},
                                   over(states, 1, n, accelerations_of_3, H_seen), ""));
  claims.push_back(agreement_claim({"Section 3", "H̃₀,ₕ by commutators", "Σ (W Wᵢ − Wᵢ W) + W²₀,ₕ"},
                                   over(states, 1, n, coriolis_commutators, coriolis_sum), ""));
  claims.push_back(agreement_claim(
      {"Section 3", "dW₀,ₕ/dt", "Σ (W Wᵢ − Wᵢ W) + Σ L q̈"},
      over(
          states, 1, n,
          [](const State& s, std::size_t i) {
            return accelerations_of_3(s, i) - coriolis_sum(s, i) + coriolis_commutators(s, i) - s.W_0[i] * s.W_0[i];
          },
          [](const State& s, std::size_t i) { return s.H_seen[i] - s.W_seen[i] * s.W_seen[i]; }),
      ""));
  const auto referred = [&](std::size_t back) {
    return over(
        states, 1, n,
        [=](const State& s, std::size_t i) { return refer_motion(s.M_0[i - back], s.v[i - 1] * joint_matrix(i)); },
        [](const State& s, std::size_t i) { return s.W_seen[i] - s.W_seen[i - 1]; });
  };
  claims.push_back(
      misprint_claim({"Section 6", "Wᵢ₋₁,ᵢ(0), and H alike", "M₀,ᵢ Wᵢ₋₁,ᵢ M₀,ᵢ⁻¹"}, referred(0), referred(1), "",
                     {"4.7", "M₀,ᵢ₋₁ Wᵢ₋₁,ᵢ M₀,ᵢ₋₁⁻¹", "as in Figs 4, 5 and 6: Wᵢ₋₁,ᵢ is of frame i − 1"}));
}

void add_derivatives(const std::vector<State>& states, std::vector<Claim>& claims) {
  const auto M_rate = [](const State& s, std::size_t i) { return rate_of(printed_position(0, i, along(s.q, s.v))); };
  claims.push_back(
      agreement_claim({"Section 3", "dM₀,₁/dt, and of all links", "W₀,ᵢ M₀,ᵢ"},
                      over(
                          states, 1, n, [](const State& s, std::size_t i) { return s.W_0[i] * s.M_0[i]; }, M_rate),
                      "", "Against exact derivatives by dual numbers, here and below."));
  claims.push_back(agreement_claim({"Section 9.1", "dM⁻¹/dt", "−M⁻¹ (dM/dt) M⁻¹"},
                                   over(
                                       states, 1, n,
                                       [&](const State& s, std::size_t i) {
                                         const Matrix inverse = inverse_position(s.M_0[i]);
                                         return -1.0 * (inverse * M_rate(s, i) * inverse);
                                       },
                                       [](const State& s, std::size_t i) {
                                         return rate_of(inverse_position(printed_position(0, i, along(s.q, s.v))));
                                       }),
                                   ""));
  claims.push_back(agreement_claim(
      {"Section 9.2", "dLᵢ(0)/dt", "W₀,ᵢ₋₁ Lᵢ(0) − Lᵢ(0) W₀,ᵢ₋₁"},
      over(
          states, 1, n, [](const State& s, std::size_t i) { return s.W_0[i - 1] * s.L_0[i] - s.L_0[i] * s.W_0[i - 1]; },
          [](const State& s, std::size_t i) {
            const auto M = printed_position(0, i - 1, along(s.q, s.v));
            return rate_of(refer_motion(M, homogeneous::cast<Dual4>(joint_matrix(i))));
          }),
      ""));
  // m has no meaning there; the link after is as good as any other.
  const auto L_referred = [&](std::size_t ahead) {
    return over(
        states, 1, n - 1,
        [=](const State& s, std::size_t i) {
          return s.M_0[i - 1] * joint_matrix(i) * inverse_position(s.M_0[i - 1 + ahead]);
        },
        [](const State& s, std::size_t i) { return s.L_0[i]; });
  };
  claims.push_back(misprint_claim({"Section 9.2", "Lᵢ(0)", "M₀,ᵢ₋₁ Lᵢ M₀,ₘ₋₁⁻¹"}, L_referred(1), L_referred(0), "",
                                  {"4.9", "M₀,ᵢ₋₁ Lᵢ M₀,ᵢ₋₁⁻¹", "m is not defined here; computed with m = i + 1"}));
}

/// dM_{i,j}/dq_m = L_{m−1,m} M_{i,j}: with L in its own frame, as the paper's short notation has it, or in frame i.
Deviation position_derivative(const std::vector<State>& states, bool printed) {
  Deviation deviation(products);
  for (const State& s : states) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t m = i + 1; m <= n; ++m) {
        const Matrix L = printed ? joint_matrix(m) : refer_motion(printed_position(i, m - 1, s.q), joint_matrix(m));
        deviation.add(elements(L * printed_position(i, n, s.q)),
                      elements(rate_of(printed_position(i, n, varied(s.q, m)))));
      }
    }
  }
  return deviation;
}

/// Ṗ* and P̈* of the end effector from the last columns.
void add_end_effector(const std::vector<State>& states, std::vector<Claim>& claims) {
  Deviation velocity(products), acceleration(products);
  for (const State& s : states) {
    const Vec3<double> P = s.M_0[n].column();
    const auto moved = [&](const Matrix& A) { return A.block() * P + A.column(); };
    const Vec3<double> v = moved(s.W_0[n]), seen_v = moved(s.W_seen[n]), a = moved(s.H_0[n]),
                       seen_a = moved(s.H_seen[n]);
    velocity.add(std::array{v.x, v.y, v.z}, std::array{seen_v.x, seen_v.y, seen_v.z});
    acceleration.add(std::array{a.x, a.y, a.z}, std::array{seen_a.x, seen_a.y, seen_a.z});
  }
  claims.push_back(agreement_claim({"Section 2.1", "velocity of the end effector", "W₀,ₙ P*"}, velocity, "m/s"));
  claims.push_back(agreement_claim({"Section 2.1", "its acceleration", "H₀,ₙ P*"}, acceleration, "m/s²"));
}

}  // namespace

Section legnani_kinematics() {
  Section section{"Sections 2.1, 4.1, 6 and 9: the matrices of motion", {}, {}, {}, {}};
  section.text = {fmt::format(
      "The Stanford arm by the matrices that are printed, at {} random states, against poses, velocities and "
      "accelerations that Ulna computes as vectors. Lengths: d₂ = {:g} m, d₄ = {:g} m, which the paper does not "
      "give (erratum 4.14). Equal: to rounding, at most {:.0e} of the largest element.",
      state_count, stanford_d2, stanford_d4, rounding(products, 1.0))};
  const Model model = build(legnani_stanford());
  std::vector<State> states;
  states.reserve(state_count);
  for (const ArmState& state : random_states(model, state_count)) states.emplace_back(model, state);
  add_positions(states, section.claims);
  add_section_4(states, section.claims);
  add_composition(states, section.claims);
  add_end_effector(states, section.claims);
  add_derivatives(states, section.claims);
  section.claims.push_back(misprint_claim({"Section 3", "dMᵢ,ⱼ/dqₘ", "Lₘ₋₁,ₘ Mᵢ,ⱼ"}, position_derivative(states, true),
                                          position_derivative(states, false), "",
                                          {"4.11", "Lₘ₋₁,ₘ(i) Mᵢ,ⱼ", "L must be referred to frame i"}));
  return section;
}

}  // namespace ulna::reproduction
