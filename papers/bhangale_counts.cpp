#include "papers/bhangale_counts.hpp"

#include <fmt/format.h>

#include <array>
#include <random>

#include "papers/claim.hpp"
#include "papers/dense.hpp"
#include "papers/deviation.hpp"
#include "papers/polynomial.hpp"
#include "papers/traced_operations.hpp"
#include "ulna/io/robot/load.hpp"
#include "ulna/model/random_state.hpp"

namespace ulna::reproduction {

namespace {

using Eigen::Matrix3d, Eigen::MatrixXd, Eigen::Vector3d, Eigen::VectorXd;
constexpr double epsilon = std::numeric_limits<double>::epsilon();

struct Step {
  const char* name;
  Polynomial multiplications, additions;
};

const std::array spatial_steps{
    Step{"1", {0, 2}, {}},
    Step{"2", {0, 8}, {0, 4}},
    Step{"3", {}, {0, 3}},
    Step{"4", {0, 3}, {}},
    Step{"5(a)", {0, 22}, {0, 26}},
    Step{"5(b)", {-18, 18}, {-18, 18}},
    Step{"6(b)", {0, -11, 11}, {0, -7, 7}},
};
const std::array planar_steps{
    Step{"1", {0, 2}, {}}, Step{"2", {0, 4}, {0, 2}},      Step{"3", {}, {0, 2}},
    Step{"4", {0, 2}, {}}, Step{"5(b)", {-7, 7}, {-7, 7}}, Step{"6(b)", {0, -3.5, 3.5}, {0, -2, 2}},
};

template <std::size_t n>
void add_sum(Section& section, const std::array<Step, n>& steps, const char* where, const std::string& m,
             const std::string& a) {
  Polynomial multiplications, additions;
  for (const Step& step : steps) {
    multiplications = multiplications + step.multiplications;
    additions = additions + step.additions;
  }
  section.claims.push_back(
      sentence_claim({where, "sum of the steps, M", m}, multiplications.text(), multiplications.text() == m));
  section.claims.push_back(sentence_claim({where, "sum of the steps, A", a}, additions.text(), additions.text() == a));
}

/// Worst over random states of: GIM against legnani1996's traces, Cθ̇ against Newton–Euler, both relative.
struct Elements {
  double inertia = 0.0, convective = 0.0, element_difference = 0.0;
};

Elements check_elements(const std::string& robot) {
  const Model model = load(robot);
  const int n = model.nv();
  std::mt19937 generator(11);
  Elements worst;
  for (int k = 0; k < 50; ++k) {
    const std::vector<double> q = random_position(model, generator), v = random_velocity(model, generator);
    const MatrixXd M = mass_matrix(model, q, "homogeneous");
    worst.inertia = worse(worst.inertia, (mass_matrix(model, q, "denoc") - M).norm() / M.norm());
    const auto convective = [&](const char* method) {
      MatrixXd C(n, n);
      make_method<double>(method, Quantity::convective_inertia, model)->convective_inertia(q, v, {C.data(), n, n});
      return C;
    };
    const MatrixXd C = convective("denoc"), other = convective("newton_euler");
    const std::vector<double> zero(q.size(), 0.0);
    VectorXd bias(n), gravity(n);
    const auto method = make_method<double>("newton_euler", Quantity::inverse_dynamics, model);
    method->inverse_dynamics(q, v, zero, bias);
    method->inverse_dynamics(q, zero, zero, gravity);
    const VectorXd rates = Eigen::Map<const VectorXd>(v.data(), n);
    worst.convective = worse(worst.convective, (C * rates - (bias - gravity)).norm() / (M.norm() * rates.norm()));
    worst.element_difference = worse(worst.element_difference, (C - other).norm() / C.norm());
  }
  return worst;
}

/// Two sliding joints across each other: section 4, option 1.
struct SlidingPair {
  bool constant_diagonal = true, no_convection = true;
};

SlidingPair check_sliding_pair() {
  const Model model = build(parse_toml(R"(dh = "standard"
[[link]]
joint = "prismatic"
alpha = "90 deg"
mass = 3
com = [0.1, 0.2, 0.3]
inertia = [0.1, 0.2, 0.25]
[[link]]
joint = "prismatic"
mass = 2
com = [0.3, 0.1, 0.2]
inertia = [0.2, 0.1, 0.15]
)",
                                       "pp.toml"));
  std::mt19937 generator(6);
  const MatrixXd first = mass_matrix(model, model.neutral(), "denoc");
  SlidingPair found;
  for (int k = 0; k < 20; ++k) {
    const std::vector<double> q = random_position(model, generator), v = random_velocity(model, generator);
    const MatrixXd M = mass_matrix(model, q, "denoc");
    MatrixXd C(2, 2);
    make_method<double>("denoc", Quantity::convective_inertia, model)->convective_inertia(q, v, {C.data(), 2, 2});
    found.constant_diagonal = found.constant_diagonal && M == first && std::abs(M(0, 1)) < 4 * epsilon * M(0, 0);
    found.no_convection = found.no_convection && C.norm() < 4 * epsilon * M.norm();
  }
  return found;
}

Matrix3d rotation(double theta, double alpha) {
  const double c = std::cos(theta), s = std::sin(theta), ca = std::cos(alpha), sa = std::sin(alpha);
  Matrix3d Q;
  Q << c, -s * ca, s * sa, s, c * ca, -c * sa, 0, sa, ca;
  return Q;
}

/// Appendix B.2 with the element i_12 or i_22 in β₁ and the sign of β₅ in the (2, 2) element.
Matrix3d turned_inertia(const Matrix3d& I, double theta, double alpha, bool corrected) {
  const double c = std::cos(theta), s = std::sin(theta), ca = std::cos(alpha), sa = std::sin(alpha);
  const double b0 = I(0, 1) * c;
  const double b1 = (I(0, 0) - (corrected ? I(1, 1) : I(0, 1))) * s - 2.0 * b0;
  const double b2 = I(0, 2) * c + I(1, 2) * s, b3 = b1 * c + I(0, 1), b4 = I(0, 2) * s - I(1, 2) * c;
  const double b5 = b1 * s, b6 = b4 * ca, b7 = ((I(1, 1) - I(2, 2)) + b5) * sa + 2.0 * b6, b8 = b7 * sa;
  Matrix3d out;
  out(0, 0) = I(0, 0) - b5;
  out(1, 0) = b2 * sa - b3 * ca;
  out(2, 0) = b2 * ca + b3 * sa;
  out(1, 1) = I(1, 1) + (corrected ? b5 : -b5) - b8;
  out(2, 1) = b4 - b7 * ca;
  out(2, 2) = b8 + I(2, 2);
  return out.selfadjointView<Eigen::Lower>();
}

constexpr double some_theta = 0.7, some_alpha = -1.1;

/// B.1.
Claim turned_vector_claim() {
  const Vector3d r(0.3, -0.8, 0.5);
  const double exact = (rotation(some_theta, some_alpha) * r).z(), ca = std::cos(some_alpha), sa = std::sin(some_alpha);
  const double printed = r.y() * sa - r.z() * ca, corrected = r.y() * sa + r.z() * ca;
  return misprint_claim(
      {"B.1", "third component of Q r", "r_y sin α − r_z cos α"},
      fmt::format("wrong by {:.2g}", std::abs(printed - exact)), std::abs(printed - exact) < 4 * epsilon,
      {"2.14", "r_y sin α + r_z cos α", "by the third row of Q"}, std::abs(corrected - exact) < 4 * epsilon);
}

/// B.2, which turns the other way than it says.
Claim turned_inertia_claim() {
  const Matrix3d Q = rotation(some_theta, some_alpha);
  Matrix3d I;
  I << 2.0, 0.3, -0.4, 0.3, 3.0, 0.5, -0.4, 0.5, 4.0;
  const Matrix3d inwards = Q * I * Q.transpose(), outwards = Q.transpose() * I * Q;
  const auto error = [&](bool fixed, const Matrix3d& wanted) {
    return (turned_inertia(I, some_theta, some_alpha, fixed) - wanted).norm() / I.norm();
  };
  return misprint_claim(
      {"B.2", "Q I Qᵀ in 16M 17A", "β₁ with i₁₁ − i₁₂, (2,2) = i₂₂ − β₅ − β₈"},
      fmt::format("printed: {:.2g} from Q I Qᵀ, {:.2g} from Qᵀ I Q; corrected: {:.0e} from Qᵀ I Q",
                  error(false, inwards), error(false, outwards), error(true, outwards)),
      error(false, inwards) < 1e-14,
      {"2.15", "β₁ with i₁₁ − i₂₂, (2,2) = i₂₂ + β₅ − β₈", "and the scheme gives QᵀIQ, from frame i to i + 1"},
      error(true, outwards) < 16 * epsilon);
}

/// B.2, the element (3, 3) of a product of two cross products.
Claim double_cross_claim() {
  const Vector3d d(0.4, 0.2, -0.6), delta = 2.5 * d;
  const double element = (2.5 * cross_matrix(d) * cross_matrix(d))(2, 2);
  const double as_printed = delta.y() * d.y() - delta.x() * d.x(),
               as_corrected = -delta.y() * d.y() - delta.x() * d.x();
  return misprint_claim({"B.2", "(3,3) of d × (m d × 1)", "δ_y d_y − δ_x d_x"},
                        fmt::format("{:.3f} where {:.3f} is right", as_printed, element),
                        std::abs(as_printed - element) < 1e-14, {"2.16", "−δ_y d_y − δ_x d_x", "a sign"},
                        std::abs(as_corrected - element) < 1e-14);
}

/// Kinetic energy ½ tᵀ M t of a planar body with t = [ω, v(O)], against ½ m |v(C)|² + ½ i ω².
Claim planar_mass_claim() {
  const double m = 1.7, i_zz = 0.4, omega = 0.9;
  const Eigen::Vector2d arm(0.6, -0.3), v(0.5, 0.8), turned(-arm.y(), arm.x());  // R d
  const double energy = 0.5 * (m * (v + omega * turned).squaredNorm() + i_zz * omega * omega);
  Matrix3d as_in_print, as_it_should;
  as_in_print << i_zz, -m * turned.transpose(), m * turned, m * Eigen::Matrix2d::Identity();  // dᵀR = −(R d)ᵀ
  as_it_should << i_zz + m * arm.squaredNorm(), m * turned.transpose(), m * turned, m * Eigen::Matrix2d::Identity();
  const Vector3d twist(omega, v.x(), v.y());
  const double printed_energy = 0.5 * twist.dot(as_in_print * twist),
               right_energy = 0.5 * twist.dot(as_it_should * twist);
  return misprint_claim({"Section 3.2.1, step 5(a)", "planar M_i", "[[i_zz, m dᵀR], [m R d, m 1]]"},
                        fmt::format("kinetic energy {:.4f} where {:.4f} is right", printed_energy, energy),
                        std::abs(printed_energy - energy) < 1e-12,
                        {"2.4", "[[i_zz + m d·d, m (R d)ᵀ], [m R d, m 1]]", "the printed one is not symmetric"},
                        std::abs(right_energy - energy) < 1e-12);
}

}  // namespace

Section bhangale_elements() {
  Section section{"Section 3.1: the elements of GIM and MCI", {}, {}, {}, {}};
  double inertia = 0.0, convective = 0.0, apart = 0.0;
  for (const char* robot : {"puma560", "rtx", "stanford3", "kuka_lwr4", "planar3r"}) {
    const Elements found = check_elements(robot);
    inertia = worse(inertia, found.inertia);
    convective = worse(convective, found.convective);
    apart = worse(apart, found.element_difference);
  }
  const double allowed = 64.0 * 7.0 * epsilon;  // seven joints at most, a rounding error or so for each product
  section.claims.push_back(sentence_claim({"(10)", "GIM element by element", "i_ij = p_iᵀ M̃_i A_ij p_j"},
                                          fmt::format("as the traces of legnani1996, to {:.1e}", inertia),
                                          inertia < allowed));
  section.claims.push_back(
      sentence_claim({"(10), (12)", "MCI: Cθ̇", "Cθ̇ of (10)"}, fmt::format("as Newton and Euler, to {:.1e}", convective),
                     convective < allowed, "With O_i fixed in link i where a joint slides (erratum 2.2)."));
  const SlidingPair pair = check_sliding_pair();
  section.claims.push_back(sentence_claim(
      {"Sections 3.2, 4", "two sliding joints across each other: GIM", "diagonal, with constant elements"},
      pair.constant_diagonal ? "so at 20 positions" : "not so", pair.constant_diagonal));
  section.claims.push_back(sentence_claim({"Section 4", "the same: MCI", "zeros"},
                                          pair.no_convection ? "so at 20 states" : "not so", pair.no_convection));
  section.text = {fmt::format(
      "PUMA, RTX, Stanford, KUKA LWR and a planar arm, 50 random states each. C itself is not unique (erratum 2.17): "
      "Ulna's other matrix C differs from that of (10) by up to {:.2f} of its norm, with the same product Cθ̇.",
      apart)};
  return section;
}

Section bhangale_complexities() {
  Section section{"Tables I and II, equations (14) to (18)", {}, {}, {}, {}};
  add_sum(section, spatial_steps, "Table I, (14)", "11n² + 42n − 18", "7n² + 44n − 18");
  add_sum(section, planar_steps, "Table II, (17)", "3.5n² + 11.5n − 7", "2n² + 9n − 7");
  const Polynomial gim_m{-18, 42, 11}, gim_a{-18, 44, 7}, old_m{-27, 56, 12}, old_a{-53, 67, 7}, mci_m{4, 22, 14},
      mci_a{-65.5, 55.5, 13.5}, planar_m{-7, 11.5, 3.5}, planar_a{-7, 9, 2}, planar_mci_m{4, 13, 7},
      planar_mci_a{2, 13, 4};
  const auto value = [&](const char* where, const char* what, const char* printed, double computed) {
    section.claims.push_back(number_claim({where, what, printed}, computed));
  };
  value("after (14)", "GIM, n = 6, M", "630", gim_m(6));
  value("after (14)", "GIM, n = 6, A", "498", gim_a(6));
  value("after (15)", "earlier GIM, n = 6, M", "741", old_m(6));
  value("after (15)", "earlier GIM, n = 6, A", "601", old_a(6));
  value("after (16)", "MCI, n = 6, M", "640", mci_m(6));
  value("after (18)", "planar GIM, n = 3, M", "59", planar_m(3));
  value("after (18)", "planar GIM, n = 3, A", "38", planar_a(3));
  value("after (18)", "planar MCI, n = 3, M", "106", planar_mci_m(3));
  value("after (18)", "planar MCI, n = 3, A", "77", planar_mci_a(3));
  value("after (18)", "spatial GIM, n = 3, M", "207", gim_m(3));
  value("after (18)", "spatial GIM, n = 3, A", "177", gim_a(3));
  value("after (18)", "spatial MCI, n = 3, M", "196", mci_m(3));
  value("Section 4.1", "both matrices, n = 2, M", "88", planar_m(2) + planar_mci_m(2));
  value("Section 4.1", "both matrices, n = 2, A", "63", planar_a(2) + planar_mci_a(2));
  section.claims.push_back(undetermined_claim(
      {"(16)", "MCI, A", "13.5n² + 55.5n − 65.5"},
      "Erratum 2.5: half an addition is left for every n, so this is no count. The steps are not printed.",
      fmt::format("{:g} at n = 6, {:g} at n = 3", mci_a(6), mci_a(3))));
  section.claims.push_back(undetermined_claim({"(18)", "planar MCI", "7n² + 13n + 4 M, 4n² + 13n + 2 A"},
                                              "The steps are not printed.", "counted for planar arms in the table"));
  Table table{"Counted by tracing (10) to (13) for each robot; zeros and ones in its data cost nothing.",
              {"robot", "GIM", "MCI"},
              {}};
  for (const char* robot : {"planar2r", "planar3r", "rp", "pr", "rtx", "stanford3", "stanford", "puma560", "kuka_lwr4",
                            "general:6", "general:7"}) {
    const Model model = load(robot);
    table.rows.push_back({robot, traced_operations(model, Quantity::mass_matrix, "denoc").text(),
                          traced_operations(model, Quantity::convective_inertia, "denoc").text()});
  }
  section.tables.push_back(table);
  return section;
}

Section bhangale_appendix() {
  Section section{"Section 3.2.1 and appendix B: formulas", {}, {}, {}, {}};
  section.claims.push_back(turned_vector_claim());
  section.claims.push_back(turned_inertia_claim());
  section.claims.push_back(double_cross_claim());
  section.claims.push_back(planar_mass_claim());
  return section;
}

}  // namespace ulna::reproduction
