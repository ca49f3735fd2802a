#include "papers/wolinski_equations.hpp"

#include <fmt/format.h>

#include <array>
#include <random>

#include "papers/deviation.hpp"
#include "papers/traced_operations.hpp"
#include "ulna/dynamics/composite_body/composite_body.hpp"
#include "ulna/dynamics/newton_euler/newton_euler.hpp"
#include "ulna/dynamics/spatial_operator/explicit_matrices.hpp"
#include "ulna/io/robot/load.hpp"
#include "ulna/kinematics/kinematics.hpp"
#include "ulna/model/random_state.hpp"

namespace ulna::reproduction {

namespace {

using spatial_operator::Dense;
using spatial_operator::ExplicitMatrices;
using Matrix = Dense<double>;

constexpr int state_count = 20;
// Six products one after the other, each a sum of 6n = 42 terms.
constexpr double products = 6.0 * 42.0;

/// A random state of the KUKA: the paper's matrices there, and what Newton and Euler say in their place.
struct State {
  std::vector<double> q, v;
  std::vector<Force<double>> loads;
  ExplicitMatrices<double> X;
  std::vector<double> M, Cv, G, Q;

  State(const Model& model, std::mt19937_64& generator);
};

std::vector<Force<double>> random_loads(const Model& model, std::mt19937_64& generator) {
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  const auto vector = [&] {
    const double x = unit(generator), y = unit(generator);
    return Vec3<double>{x, y, unit(generator)};
  };
  std::vector<Force<double>> loads(static_cast<std::size_t>(model.body_count()));
  for (Force<double>& load : loads) {
    load.moment = vector();
    load.force = 10.0 * vector();
  }
  return loads;
}

State::State(const Model& model, std::mt19937_64& generator)
    : q(random_position(model, generator)),
      v(random_velocity(model, generator, 2.0)),
      loads(random_loads(model, generator)),
      X(spatial_operator::explicit_matrices(model, q, v, loads)),
      M(v.size() * v.size()),
      Cv(v.size()),
      G(v.size()),
      Q(v.size()) {
  composite_body::Workspace<double> composite(model);
  newton_euler::Workspace<double> newton_euler(model);
  const std::vector<double> still(v.size(), 0.0);
  composite_body::mass_matrix(model, composite, q, {M.data(), model.nv(), model.nv()});
  newton_euler::coriolis_force(model, newton_euler, q, v, Cv);
  newton_euler::gravity(model, newton_euler, q, G);
  newton_euler::inverse_dynamics(model, newton_euler, q, still, still, Q, loads);
  for (std::size_t k = 0; k < Q.size(); ++k) Q[k] -= G[k];
}

Matrix column(const std::vector<double>& values) {
  Matrix x(static_cast<int>(values.size()), 1);
  x.data = values;
  return x;
}

/// The deviation of what `compute(state)` returns from what `reference(state)` does.
template <class Compute, class Want>
Deviation over(const std::vector<State>& states, const Compute& compute, const Want& reference) {
  Deviation deviation(products);
  for (const State& state : states) {
    const Matrix got = compute(state);
    deviation.add(got.data, reference(state));
  }
  return deviation;
}

// ---- what the print says where it is wrong

/// Eq. (22): Ω inside MΦ(…).
Matrix coriolis_of_22(const ExplicitMatrices<double>& X) {
  return X.project() * X.M * X.Phi * (X.B_dot * X.Phi * X.H + X.H_dot - X.Omega * X.Phi * X.H);
}

/// H_j and what moves with it, as eqs (36)–(39) have them: read back from the assembled matrices.
struct Joint {
  Vec3<double> h, r, omega_i, s;  // h_ij, r_ij, ω_i, s_ji
};

std::vector<Joint> joints_of(const Model& model, const State& state) {
  Kinematics<double> kinematics(model);
  kinematics.update_positions(state.q);
  std::vector<Joint> joints(state.v.size());
  Vec3<double> omega{0, 0, 0}, inner{0, 0, 0};
  for (int j = 0; j < model.nv(); ++j) {
    const Pose<double> pose = kinematics.pose(Frame{"", j, Pose<double>::identity()});
    const Vec3<double> centre = pose * model.com(j);
    const Vec3<double> h = pose.R.column_z();
    joints[static_cast<std::size_t>(j)] = {h, centre - inner, omega, pose.p - centre};
    omega += state.v[static_cast<std::size_t>(j)] * h;
    inner = centre;
  }
  return joints;
}

/// Eq. (39) with the product of two tilde matrices, as it is printed, or with the tilde of the product.
Matrix joint_rates_of_39(const Model& model, const State& state, bool printed) {
  Matrix H_dot(6 * model.nv(), model.nv());
  int j = 0;
  for (const Joint& joint : joints_of(model, state)) {
    const Mat3<double> h = skew(joint.h), w = skew(joint.omega_i);
    const double rate = state.v[static_cast<std::size_t>(j)];
    const Vec3<double> first = printed ? w * (h * joint.s) : skew(w * joint.h) * joint.s;
    H_dot.put(6 * j, j, -first - h * (w * joint.s + rate * (h * joint.s)));
    H_dot.put(6 * j + 3, j, w * joint.h);
    ++j;
  }
  return H_dot;
}

/// Eq. (38). A vector stands where a 3×3 matrix must; products of tilde matrices are the only other way to read it.
Matrix shift_rates_of_38(const Model& model, const State& state, bool printed) {
  Matrix B_dot(6 * model.nv(), 6 * model.nv());
  int j = 0;
  for (const Joint& joint : joints_of(model, state)) {
    const Mat3<double> h = skew(joint.h), w = skew(joint.omega_i);
    const double rate = state.v[static_cast<std::size_t>(j)];
    const Mat3<double> block =
        printed ? w * skew(joint.r) - rate * (h * skew(joint.s)) : skew(w * joint.r - rate * (h * joint.s));
    if (j > 0) B_dot.put(6 * j, 6 * j - 3, -1.0 * block);
    ++j;
  }
  return B_dot;
}

Matrix coriolis_with(const ExplicitMatrices<double>& X, const Matrix& B_dot, const Matrix& H_dot) {
  return X.project() * (X.M * X.Phi * (B_dot * X.Phi * X.H + H_dot) - X.Omega * X.Phi * X.H);
}

/// Step 3: Φ_i from the rows of link j, which hold nothing yet, or from those of link i.
Matrix phi_of_step_3(const ExplicitMatrices<double>& X, bool printed) {
  Matrix Phi = Matrix::identity(X.Phi.rows);
  for (int row = 6; row < Phi.rows; row += 6) {
    const Matrix B_ij = X.B.block(row, row - 6, 6, 6);
    Phi.put(row, 0, B_ij * Phi.block(printed ? row : row - 6, 0, 6, row));
  }
  return Phi;
}

/// ω of link 7 from the rate of its rotation matrix, with joint 7 turned by q_6 or by q_7.
Deviation spin_of_link_7(const Model& model, const std::vector<State>& states, bool printed) {
  Deviation deviation(products);
  const Frame link{"", 6, Pose<double>::identity()};
  for (const State& state : states) {
    std::vector<Dual4> q(state.q.size());
    for (std::size_t k = 0; k < q.size(); ++k) q[k] = Dual4(state.q[k]) + Dual4::variable(0.0, 0) * Dual4(state.v[k]);
    if (printed) q[6] = q[5];
    Kinematics<Dual4> moving(model);
    moving.update_positions(q);
    const Mat3<Dual4> R = moving.pose(link).R;
    const auto part = [](const Vec3<Dual4>& a, bool rate) {
      return rate ? Vec3<double>{a.x.d[0], a.y.d[0], a.z.d[0]}
                  : Vec3<double>{value_of(a.x), value_of(a.y), value_of(a.z)};
    };
    // 2ω = Σ e × ė over the columns e of R
    Vec3<double> omega{0, 0, 0};
    for (const Vec3<Dual4>& e : {R.column_x(), R.column_y(), R.column_z()})
      omega += 0.5 * cross(part(e, false), part(e, true));
    const Matrix V = state.X.Phi * state.X.H * column(state.v);
    deviation.add(std::array{omega.x, omega.y, omega.z}, std::span(V.data).subspan(39, 3));
  }
  return deviation;
}

/// How much D, C q̇ and G change if joint 7 is turned by q_6.
double effect_of_q6(const Model& model, const std::vector<State>& states) {
  double most = 0.0;
  for (const State& state : states) {
    std::vector<double> q = state.q;
    q[6] = q[5];
    const auto X = spatial_operator::explicit_matrices(model, q, state.v);
    most = std::max({most, largest_difference(X.D().data, state.X.D().data),
                     largest_difference((X.C() * column(state.v)).data, (state.X.C() * column(state.v)).data),
                     largest_difference(X.G().data, state.X.G().data)});
  }
  return most;
}

/// Exponents of kg, m and s.
using Dimension = std::array<int, 3>;

std::string text_of(const Dimension& x) {
  const std::array units{"kg", "m", "s"};
  std::string above, below;
  for (std::size_t k = 0; k < 3; ++k) {
    std::string& side = x[k] > 0 ? above : below;
    if (x[k] != 0) side += (side.empty() ? "" : "·") + std::string(units[k]);
    if (std::abs(x[k]) == 2) side += "²";
  }
  return above + "/" + below;
}

// ---- claims

void add_what_is_right(const std::vector<State>& states, std::vector<Claim>& claims) {
  claims.push_back(agreement_claim({"(42)", "Φ is the inverse of I − B", "Φ = (I − B)⁻¹"},
                                   over(
                                       states, [](const State& s) { return (Matrix::identity(42) - s.X.B) * s.X.Phi; },
                                       [](const State&) { return Matrix::identity(42).data; }),
                                   "in (I − B)Φ"));
  claims.push_back(
      agreement_claim({"(24)", "D is the inertia matrix", "D = HᵀΦᵀMΦH"},
                      over(
                          states, [](const State& s) { return s.X.D(); }, [](const State& s) { return s.M; }),
                      "kg m²", "Against composite rigid bodies."));
  claims.push_back(agreement_claim(
      {"(25)", "C q̇ is the Coriolis and centrifugal torque", "C = HᵀΦᵀ(MΦ(ḂΦH + Ḣ) − ΩΦH)"},
      over(
          states, [](const State& s) { return s.X.C() * column(s.v); }, [](const State& s) { return s.Cv; }),
      "N m", "Against Newton–Euler in link axes."));
  claims.push_back(
      agreement_claim({"(26)", "G holds the arm against gravity", "G = HᵀΦᵀ(−F_G)"},
                      over(
                          states, [](const State& s) { return s.X.G(); }, [](const State& s) { return s.G; }),
                      "N m", "Against Newton–Euler."));
  claims.push_back(
      agreement_claim({"(27)", "Q holds it against forces on any link", "Q = HᵀΦᵀ(−F_Q)"},
                      over(
                          states, [](const State& s) { return s.X.Q(); }, [](const State& s) { return s.Q; }),
                      "N m", "Random forces and moments at every mass centre, against Newton–Euler."));
}

void add_misprints(const Model& model, const std::vector<State>& states, std::vector<Claim>& claims) {
  const auto Cv = [](const State& s) { return s.Cv; };
  const Deviation right = over(
      states, [](const State& s) { return s.X.C() * column(s.v); }, Cv);
  claims.push_back(misprint_claim({"(22)", "C q̇", "MΦ(ḂΦH + Ḣ − ΩΦH)"},
                                  over(
                                      states, [](const State& s) { return coriolis_of_22(s.X) * column(s.v); }, Cv),
                                  right, "N m",
                                  {"3.2", "MΦ(ḂΦH + Ḣ) − ΩΦH", "as (21) and (25) have it: Ω is a force already"}));
  const auto with_38 = [&](bool printed) {
    return over(
        states,
        [&](const State& s) {
          return coriolis_with(s.X, shift_rates_of_38(model, s, printed), s.X.H_dot) * column(s.v);
        },
        Cv);
  };
  claims.push_back(misprint_claim({"(38)", "Ḃ_ij", "−(ω̃_i r_ij − h̃_ij s_ji q̇_j)"}, with_38(true), with_38(false), "N m",
                                  {"3.3", "the tilde over the whole vector",
                                   "a vector does not fill a 3×3 block; as printed: read as products of tildes"}));
  const auto with_39 = [&](bool printed) {
    return over(
        states,
        [&](const State& s) {
          return coriolis_with(s.X, s.X.B_dot, joint_rates_of_39(model, s, printed)) * column(s.v);
        },
        Cv);
  };
  claims.push_back(misprint_claim(
      {"(39)", "Ḣ_j", "(ω̃_i h̃_ij) s_ji"}, with_39(true), with_39(false), "N m",
      {"3.4", "the tilde of the vector ω̃_i h_ij", "which is the rate of h_ij; not the product of two tildes"}));
  const auto identity = [](const State&) { return Matrix::identity(42).data; };
  const auto phi = [&](bool printed) {
    return over(
        states, [&](const State& s) { return (Matrix::identity(42) - s.X.B) * phi_of_step_3(s.X, printed); }, identity);
  };
  claims.push_back(misprint_claim({"Section 3, step 3", "Φ_i", "rows 6j − 5 to 6j"}, phi(true), phi(false),
                                  "in (I − B)Φ",
                                  {"3.6", "rows 6i − 5 to 6i", "the others are empty at that time, and Φ stays I"}));
}

void add_joint_7(const Model& model, const std::vector<State>& states, std::vector<Claim>& claims) {
  claims.push_back(
      misprint_claim({"Appendix, joint 7", "A″_67", "R_z(q_6)"}, spin_of_link_7(model, states, true),
                     spin_of_link_7(model, states, false), "rad/s in the ω of link 7",
                     {"3.1", "R_z(q_7)",
                      fmt::format("with it the rate of A_7 is the ω_7 of (48). Link 7 is round: D, C q̇ and G "
                                  "change by {:.0e} only",
                                  effect_of_q6(model, states))}));
}

void add_sizes_and_units(const Model& model, const std::vector<State>& states, std::vector<Claim>& claims) {
  const ExplicitMatrices<double>& X = states[0].X;
  const int n = model.nv(), needed = (X.B_dot * X.Phi * X.H).cols;
  claims.push_back(misprint_claim({"(44)", "columns of Ḣ", "6n"}, fmt::format("ḂΦH of (13) has {} = n", needed),
                                  needed == 6 * n, {"3.5", "n", "Ḣ is added to ḂΦH"}, needed == n));
  claims.push_back(misprint_claim({"Section 3, step 1", "columns of H and Ḣ", "6"},
                                  fmt::format("step 2 fills columns 1 to {} = n", n), n == 6,
                                  {"3.5", "n", "step 2 puts H_j in column j"}, X.H.cols == n));
  const Dimension torque{1, 2, -2}, rate{0, 0, -1}, printed{1, 1, -1}, corrected{1, 2, -1};  // N·m·s = kg·m²/s
  Dimension gain{};
  for (std::size_t k = 0; k < 3; ++k) gain[k] = torque[k] - rate[k];
  claims.push_back(misprint_claim({"(34)", "unit of c", "kg·m/(rad·s)"},
                                  fmt::format("torque over rate: {}", text_of(gain)), gain == printed,
                                  {"3.7", "N·m·s/rad", "which (32) needs"}, gain == corrected));
}

/// Operations of a quantity for general arms of 6, 7, … joints.
std::vector<double> cost(Quantity quantity) {
  std::vector<double> operations;
  for (const int n : {6, 7, 8, 9, 10})
    operations.push_back(traced_operations(load(fmt::format("general:{}", n)), quantity, "spatial_operator").sum());
  return operations;
}

bool is_linear(const std::vector<double>& values) {
  for (std::size_t k = 2; k < values.size(); ++k)
    if (values[k] - values[k - 1] != values[1] - values[0]) return false;
  return true;
}

void add_order(std::vector<Claim>& claims) {
  const std::vector<double> inverse = cost(Quantity::inverse_dynamics), forward = cost(Quantity::forward_dynamics);
  claims.push_back(sentence_claim({"Section 1", "inverse dynamics is recursive: (8), (9), (15), (18)", "O(n)"},
                                  fmt::format("{:g} operations more per joint", inverse[1] - inverse[0]),
                                  is_linear(inverse), "Traced for arms without a zero in their data."));
  claims.push_back(undetermined_claim({"Sections 1, 4.4", "forward dynamics is recursive", "O(n)"},
                                      "The steps that are printed solve with D, and (24)–(27) are products of full "
                                      "matrices; how it is meant to be O(n) is "
                                      "not said.",
                                      fmt::format("{:g} operations more for joint 7, {:g} for joint 10",
                                                  forward[1] - forward[0], forward[4] - forward[3])));
}

}  // namespace

Section wolinski_equations() {
  Section section{"Sections 2, 3 and the appendix: the equations", {}, {}, {}, {}};
  section.text = {fmt::format(
      "The matrices H, B, Φ, M, Ω and their rates are assembled for the KUKA at {} random states, |q̇| ≤ 2 rad/s, "
      "and the products are compared with what does not come from the paper: composite bodies and Newton–Euler in "
      "link axes. Where the print is wrong it is evaluated as printed too. An equation holds if it is off by "
      "rounding alone: at most {:.0e} of the largest element, six products of 42 terms each.",
      state_count, rounding(products, 1.0))};
  const Model model = load("kuka_lwr4");
  std::mt19937_64 generator(2015);
  std::vector<State> states;
  states.reserve(state_count);
  for (int k = 0; k < state_count; ++k) states.emplace_back(model, generator);
  add_what_is_right(states, section.claims);
  add_misprints(model, states, section.claims);
  add_joint_7(model, states, section.claims);
  add_sizes_and_units(model, states, section.claims);
  add_order(section.claims);
  return section;
}

}  // namespace ulna::reproduction
