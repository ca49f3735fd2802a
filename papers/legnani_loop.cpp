#include "papers/legnani_loop.hpp"

#include <fmt/format.h>

#include <Eigen/QR>
#include <numbers>

#include "papers/deviation.hpp"
#include "ulna/dynamics/homogeneous/matrix4.hpp"
#include "ulna/io/robot/load.hpp"
#include "ulna/simulate/loop_sweep.hpp"

namespace ulna::reproduction {

namespace {

using std::numbers::pi;
using Matrix = homogeneous::Matrix4<double>;
using Vector4 = Eigen::Vector4d;
using Matrix64 = Eigen::Matrix<double, 6, 4>;
using Vector6 = Eigen::Matrix<double, 6, 1>;

// What the paper does not give.
constexpr double l1 = 0.3, l2 = 0.8, crank_rate = 10.0;
// Positions are closed to 1e-12 (promised by the assembly); rates and accelerations follow with the crank's rate.
constexpr double closed = 1e-12;

/// The mechanism at one crank angle: α₁, α₂, α₃ and a, with rates and accelerations, and the crank's torque.
struct Turn {
  Vector4 x, rate, acceleration;
  double torque;
};

/// A turn of the crank by Ulna's closed loops, which cut the pin between rod and slider.
std::vector<Turn> turns() {
  const Model model = build(load_graph("slider_crank"));
  SweepSetup setup;
  setup.driven = {{0, 0.0, 2.0 * pi}};
  setup.steps = 360;
  setup.time = 2.0 * pi / crank_rate;
  Trajectory table;
  sweep_loops(model, setup, table);
  std::vector<Turn> list;
  for (std::size_t i = 0; i < table.size(); ++i) {
    const auto four = [&](const char* letter, double slider) {
      const double crank = table.at(i, fmt::format("{}1", letter)), rod = table.at(i, fmt::format("{}2", letter));
      return Vector4(crank, rod, -crank - rod, table.at(i, fmt::format("{}3", letter)) + slider);
    };
    list.push_back({four("q", l1 + l2), four("v", 0.0), four("a", 0.0), table.at(i, "tau1")});
  }
  return list;
}

/// A of section 5, with ±1 in its last column.
Matrix64 printed_matrix(const Turn& at, double last) {
  const double s1 = std::sin(at.x[0]), c1 = std::cos(at.x[0]);
  const double s12 = std::sin(at.x[0] + at.x[1]), c12 = std::cos(at.x[0] + at.x[1]);
  Matrix64 A = Matrix64::Zero();
  A.row(2) << 1, 1, 1, 0;
  A.row(3) << 0, l1 * s1, l1 * s1 + l2 * s12, last;
  A.row(4) << 0, -l1 * c1, -l1 * c1 - l2 * c12, 0;
  return A;
}

Vector6 printed_b(const Turn& at) {
  const double s1 = std::sin(at.x[0]), c1 = std::cos(at.x[0]), a = at.x[3];
  const Vector4& w = at.rate;
  Vector6 b = Vector6::Zero();
  b[3] = -2 * l1 * c1 * w[0] * w[1] - 2 * a * (w[0] + w[1]) * w[2];
  b[4] = -2 * l1 * s1 * w[0] * w[1] - 2 * w[3] * (w[0] + w[1] + w[2]);
  return b;
}

Vector6 corrected_b(const Turn& at) {
  const double s1 = std::sin(at.x[0]), c1 = std::cos(at.x[0]), a = at.x[3];
  const Vector4& w = at.rate;
  const double bend = w[1] * w[1] + 2 * w[0] * w[1];
  Vector6 b = Vector6::Zero();
  b[3] = -l1 * c1 * bend - a * (w[2] * w[2] + 2 * (w[0] + w[1]) * w[2]);
  b[4] = -l1 * s1 * bend + 2 * w[3] * (w[0] + w[1] + w[2]);
  return b;
}

/// The relative position matrices of section 5.
std::array<Matrix, 4> printed_positions(const Vector4& x) {
  const auto turn = [](double angle, double length) -> Matrix {
    const double c = std::cos(angle), s = std::sin(angle);
    return {{c, -s, 0, length * c, s, c, 0, length * s, 0, 0, 1, 0, 0, 0, 0, 1}};
  };
  return {turn(x[0], l1), turn(x[1], l2), turn(x[2], 0.0),
          Matrix{{1, 0, 0, -x[3], 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}}};
}

/// A from eq. (7): the six components of every L_{i−1,i(0)}. The slide of M_{3,4} is along −x.
Matrix64 matrix_of_equation_7(const Vector4& x) {
  const std::array<Matrix, 4> M = printed_positions(x);
  Matrix M_0 = Matrix::identity();
  Matrix64 A;
  for (int i = 0; i < 4; ++i) {
    const Motion<double> joint = i < 3 ? Motion<double>{{0, 0, 1}, {0, 0, 0}} : Motion<double>{{0, 0, 0}, {-1, 0, 0}};
    const Matrix L = refer_motion(M_0, homogeneous::velocity_matrix(joint));
    A.col(i) << L(2, 1), L(0, 2), L(1, 0), L(0, 3), L(1, 3), L(2, 3);
    M_0 = M_0 * M[static_cast<std::size_t>(i)];
  }
  return A;
}

/// The largest |residual| over a turn.
template <class Residual>
double largest_over(const std::vector<Turn>& list, const Residual& residual) {
  double most = 0.0;
  for (const Turn& at : list) most = worse(most, residual(at));
  return most;
}

double size_of(const Eigen::MatrixXd& x) { return x.cwiseAbs().maxCoeff(); }

void add_positions(const std::vector<Turn>& list, std::vector<Claim>& claims) {
  const double open = largest_over(list, [](const Turn& at) {
    const std::array<Matrix, 4> M = printed_positions(at.x);
    return largest_difference((M[0] * M[1] * M[2] * M[3]).e, Matrix::identity().e);
  });
  claims.push_back(sentence_claim({"(4), section 5", "the product of the four position matrices", "the identity"},
                                  fmt::format("within {:.0e} over a turn", open), open <= 10 * closed,
                                  "At the positions that Ulna's loop solver finds."));
  const double sine = largest_over(
      list, [](const Turn& at) { return std::abs(l1 * std::sin(at.x[0]) + l2 * std::sin(at.x[0] + at.x[1])); });
  const double cosine = largest_over(list, [](const Turn& at) {
    return std::abs(l1 * std::cos(at.x[0]) + l2 * std::cos(at.x[0] + at.x[1]) - at.x[3]);
  });
  claims.push_back(sentence_claim({"Section 5", "geometrical relations", "l₁s₁ + l₂s₁₂ = 0, l₁c₁ + l₂c₁₂ = a"},
                                  fmt::format("within {:.0e} m", std::max(sine, cosine)),
                                  std::max(sine, cosine) <= 10 * closed));
}

void add_mobility(const std::vector<Turn>& list, std::vector<Claim>& claims) {
  Eigen::Index least = 6, most = 0;
  for (const Turn& at : list) {
    Eigen::ColPivHouseholderQR<Matrix64> qr(matrix_of_equation_7(at.x));
    qr.setThreshold(1e-10);
    least = std::min(least, qr.rank());
    most = std::max(most, qr.rank());
  }
  claims.push_back(
      sentence_claim({"Section 5", "independent equations for four unknowns", "one degree of freedom: 3 equations"},
                     least == most ? fmt::format("rank of A: {} over the turn", most)
                                   : fmt::format("rank of A: {} to {}", least, most),
                     least == 3 && most == 3));
}

void add_rates(const std::vector<Turn>& list, std::vector<Claim>& claims) {
  const auto from_7 = [&](double last) {
    return largest_over(list,
                        [=](const Turn& at) { return size_of(matrix_of_equation_7(at.x) - printed_matrix(at, last)); });
  };
  const auto residual = [&](double last) {
    return largest_over(list, [=](const Turn& at) { return size_of(printed_matrix(at, last) * at.rate); }) / crank_rate;
  };
  claims.push_back(misprint_claim(
      {"Section 5", "A(4,4), of L₃,₀", "+1"},
      fmt::format("A q̇: as printed {:.2g} m, corrected {:.0e} m per rad of the crank", residual(1.0), residual(-1.0)),
      residual(1.0) <= 10 * closed, {"4.2", "−1", "for M₃,₄ as printed, a slide along −x; with −1 A is that of (7)"},
      residual(-1.0) <= 10 * closed && from_7(-1.0) <= 10 * closed));
  const double simple = largest_over(list, [](const Turn& at) {
    const Matrix64 A = printed_matrix(at, -1.0);
    return std::max(std::abs(A(3, 2)), std::abs(A(4, 2) + at.x[3]));
  });
  claims.push_back(sentence_claim({"Section 5", "the relations simplify A", "A(4,3) = 0, A(5,3) = −a"},
                                  fmt::format("within {:.0e} m", simple), simple <= 10 * closed));
}

void add_accelerations(const std::vector<Turn>& list, std::vector<Claim>& claims) {
  const double unit = crank_rate * crank_rate;
  const auto residual = [&](auto b) {
    return largest_over(list,
                        [=](const Turn& at) { return size_of(printed_matrix(at, -1.0) * at.acceleration - b(at)); }) /
           unit;
  };
  const double printed = residual(printed_b), corrected = residual(corrected_b);
  claims.push_back(
      misprint_claim({"Section 5", "b of A q̈ = b", "−2l₁c₁α̇₁α̇₂ − 2a(α̇₁+α̇₂)α̇₃; −2l₁s₁α̇₁α̇₂ − 2ȧ(α̇₁+α̇₂+α̇₃)"},
                     fmt::format("A q̈ − b: as printed {:.2g} m, corrected {:.0e} m per (rad/s)²", printed, corrected),
                     printed <= 100 * closed,
                     {"4.3", "−l₁c₁(α̇₂² + 2α̇₁α̇₂) − a(α̇₃² + 2(α̇₁+α̇₂)α̇₃); −l₁s₁(α̇₂² + 2α̇₁α̇₂)",
                      "the squares of the sum are missing; the last term is zero, with the sign of erratum 4.2 +"},
                     corrected <= 100 * closed));
  // b = −Ȧ q̇ by central differences of A along the motion: their error is h²/6 times a third derivative.
  const double h = 1e-5;
  const double derived = largest_over(list, [&](const Turn& at) {
    const Matrix64 ahead = matrix_of_equation_7(at.x + h * at.rate), behind = matrix_of_equation_7(at.x - h * at.rate);
    return size_of((ahead - behind) / (2 * h) * at.rate + corrected_b(at));
  });
  const double third = std::pow(crank_rate * 2.5, 4) * (l1 + l2);  // rates up to 2.5 of the crank's, four times over
  claims.push_back(sentence_claim({"Section 2.2", "b is that of the differentiated velocity equation", "b = −Ȧ q̇"},
                                  fmt::format("within {:.0e} m/s²", derived),
                                  derived <= h * h / 6 * third + rounding(100.0, 1.0) * crank_rate / h,
                                  "With the corrected b and A; Ȧ by differences."));
}

Figure motion_figure(const std::vector<Turn>& list) {
  std::vector<double> angle;
  angle.reserve(list.size());
  for (const Turn& at : list) angle.push_back(at.x[0] * 180.0 / pi);
  const auto column = [&](auto value) {
    std::vector<double> y;
    y.reserve(list.size());
    for (const Turn& at : list) y.push_back(value(at));
    return y;
  };
  const double unit = crank_rate * crank_rate;
  const auto by_printed_b = [](const Turn& at) {
    // the crank turns evenly: the other three from rows 3 to 5
    const Eigen::Matrix3d A = printed_matrix(at, -1.0).block<3, 3>(2, 1);
    const Eigen::Vector3d b = printed_b(at).segment<3>(2);
    return Eigen::Vector3d(A.colPivHouseholderQr().solve(b))[2];
  };
  const char* x = "crank angle α₁, degrees";
  Figure figure{"The mechanism of Figure 3 over a turn of the crank at constant speed.", {}};
  figure.pictures = {Plot{"angles of rod and slider pin",
                          x,
                          "rad",
                          {Curve{"α₂", angle, column([](const Turn& t) { return t.x[1]; })},
                           Curve{"α₃", angle, column([](const Turn& t) { return t.x[2]; })}}},
                     Plot{"slider", x, "a, m", {Curve{"", angle, column([](const Turn& t) { return t.x[3]; })}}},
                     Plot{"slider's velocity", x, "ȧ/α̇₁, m", {Curve{"", angle, column([](const Turn& t) {
                                                                      return t.rate[3] / crank_rate;
                                                                    })}}},
                     Plot{"slider's acceleration",
                          x,
                          "ä/α̇₁², m",
                          {Curve{"correct", angle, column([=](const Turn& t) { return t.acceleration[3] / unit; })},
                           Curve{"by b as printed", angle,
                                 column([=](const Turn& t) { return by_printed_b(t) / unit; }), Curve::Style::dashed}}},
                     Plot{fmt::format("torque on the crank at {:g} rad/s", crank_rate),
                          x,
                          "N m",
                          {Curve{"", angle, column([](const Turn& t) { return t.torque; })}}}};
  return figure;
}

}  // namespace

Section legnani_loop() {
  Section section{"Sections 2.2 and 5: a closed loop", {}, {}, {}, {}};
  const std::vector<Turn> list = turns();
  section.text = {fmt::format(
      "The slider-crank of Figure 3. Positions, velocities and accelerations over a turn come from Ulna's closed "
      "loops (robot slider_crank, pin cut, {} positions); the printed equations are held against them.",
      list.size())};
  section.claims.push_back(undetermined_claim({"Section 5", "lengths and masses", "l₁, l₂"},
                                              "Erratum 4.14: the paper gives no numbers. Taken: Ulna's slider_crank.",
                                              fmt::format("l₁ = {:g} m, l₂ = {:g} m", l1, l2)));
  add_positions(list, section.claims);
  add_mobility(list, section.claims);
  add_rates(list, section.claims);
  add_accelerations(list, section.claims);
  section.figures.push_back(motion_figure(list));
  return section;
}

}  // namespace ulna::reproduction
