#include "papers/saha_steps.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <numbers>
#include <random>

#include "papers/claim.hpp"
#include "papers/dense.hpp"
#include "papers/deviation.hpp"
#include "ulna/dynamics/denoc/udu.hpp"
#include "ulna/io/robot/load.hpp"
#include "ulna/model/random_state.hpp"

namespace ulna::reproduction {

namespace {

using Eigen::Matrix3d, Eigen::MatrixXd, Eigen::Vector3d, Eigen::VectorXd;

/// A row of Table II: a, b in m, α in degrees, mass in kg, r in m, principal moments in kg m².
struct Link {
  double a, b, alpha, m;
  Vector3d r, I;
  bool slides = false;
};

std::vector<Link> stanford() {
  return {{0, 0.1, -90, 9, {0, -0.1, 0}, {0.01, 0.02, 0.01}},    {0, 0.1, -90, 6, {0, 0, 0}, {0.05, 0.06, 0.01}},
          {0, 0, 0, 4, {0, 0, 0}, {0.4, 0.4, 0.01}, true},       {0, 0.6, 90, 1, {0, -0.1, 0}, {0.001, 0.001, 0.0005}},
          {0, 0, -90, 0.6, {0, 0, 0}, {0.0005, 0.0005, 0.0002}}, {0, 0, 0, 0.5, {0, 0, 0}, {0.003, 0.001, 0.002}}};
}

/// With the absolute values of erratum 0.12.
std::vector<Link> puma() {
  return {{0, 0, -90, 10.521, {0, 0, 0.054}, {1.612, 1.612, 0.5091}},
          {0.432, 0.149, 0, 15.761, {0.292, 0, 0}, {0.4898, 8.0783, 8.2672}},
          {0.02, 0, 90, 8.767, {-0.02, 0, -0.197}, {3.3768, 3.3768, 0.3009}},
          {0, 0.432, -90, 1.052, {0, -0.057, 0}, {0.181, 0.1273, 0.181}},
          {0, 0, 90, 1.052, {0, 0, -0.007}, {0.0735, 0.1273, 0.0735}},
          {0, 0.056, 0, 0.351, {0, 0, 0.019}, {0.0071, 0.0071, 0.0141}}};
}

/// Which of the misprints is left in.
enum class Misprint { none, own_inertia, wrong_half, ends_early };

/// The steps A, B, C of section 3, written as they stand there: numbers for letters, frames in brackets.
class PrintedSteps {
 public:
  PrintedSteps(std::vector<Link> links, std::span<const double> q, Misprint misprint)
      : links_(std::move(links)), misprint_(misprint) {
    for (std::size_t i = 0; i < links_.size(); ++i) {
      const Link& link = links_[i];
      const double theta = link.slides ? 0.0 : q[i], alpha = link.alpha * std::numbers::pi / 180.0;
      Q_.emplace_back(Eigen::AngleAxisd(theta, Vector3d::UnitZ()).toRotationMatrix() *
                      Eigen::AngleAxisd(alpha, Vector3d::UnitX()).toRotationMatrix());
      const Vector3d a(link.a * std::cos(theta), link.a * std::sin(theta), link.slides ? q[i] : link.b);
      d_.emplace_back(a - Q_[i] * link.r);  // A1
      e_d_.emplace_back(link.slides ? Vector3d(e) : Vector3d(e.cross(d_[i])));
      c_.push_back(i == 0 ? Vector3d(0, 0, 0) : Vector3d(-links_[i - 1].r - d_[i]));  // A2
    }
  }

  VectorXd solve(const VectorXd& phi) {
    const auto n = static_cast<std::ptrdiff_t>(links_.size());
    VectorXd tau(n), acceleration(n);
    std::vector<Vector3d> psi_t(links_.size()), psi_b(links_.size());
    Vector3d eta_t = Vector3d::Zero(), eta_b = Vector3d::Zero();  // η_{i,i+1} in frame i
    for (std::ptrdiff_t k = n - 1; k >= 0; --k) {
      const auto i = static_cast<std::size_t>(k);
      articulated_inertia(i);  // A3
      const Vector3d e_i = links_[i].slides ? Vector3d(0, 0, 0) : Vector3d(e);
      const Vector3d hat_t = I_ * e_i + F_.transpose() * e_d_[i], hat_b = F_ * e_i + G_ * e_d_[i];  // A4
      const double m = e_i.dot(hat_t) + e_d_[i].dot(hat_b);                                         // A5
      psi_t[i] = hat_t / m, psi_b[i] = hat_b / m;                                                   // A6
      I_ -= hat_t * psi_t[i].transpose();                                                           // A7
      F_ -= hat_b * psi_t[i].transpose();
      G_ -= hat_b * psi_b[i].transpose();
      const double hat_tau = phi[k] - e_i.dot(eta_t) - e_d_[i].dot(eta_b);  // A10
      eta_t += hat_tau * psi_t[i], eta_b += hat_tau * psi_b[i];             // A8
      tau[k] = hat_tau / m;                                                 // B
      if (i == 0) break;
      eta_t = Q_[i - 1] * (eta_t + eta_b.cross(c_[i]));  // A9
      eta_b = Q_[i - 1] * eta_b;
    }
    Vector3d mu_t = Vector3d::Zero(), mu_b = Vector3d::Zero();  // μ_{i,i−1} in frame i
    for (std::ptrdiff_t k = 0; k < n; ++k) {
      const auto i = static_cast<std::size_t>(k);
      acceleration[k] = tau[k] - psi_t[i].dot(mu_t) - psi_b[i].dot(mu_b);  // C1
      if (!links_[i].slides) mu_t += acceleration[k] * e;                  // C2
      mu_b += acceleration[k] * e_d_[i];
      if (i + 1 == links_.size()) break;
      mu_t = Q_[i].transpose() * mu_t, mu_b = Q_[i].transpose() * mu_b;
      mu_b = (misprint_ == Misprint::wrong_half ? mu_t : mu_b) + c_[i + 1].cross(mu_t);  // C3
    }
    return acceleration;
  }

 private:
  /// From M̂_{i+1,i+1} in frame i+1, which the members are, to M̂_i in frame i.
  void articulated_inertia(std::size_t i) {
    const Link& link = links_[i];
    const Matrix3d own = link.I.asDiagonal();
    const bool last = i + 1 == links_.size();
    if (last || (misprint_ == Misprint::ends_early && i == 0)) {
      I_ = own, F_.setZero(), G_ = link.m * Matrix3d::Identity();
    } else {
      const Matrix3d C = cross_matrix(c_[i + 1]), F = F_ + G_ * C;
      I_ += F_.transpose() * C - C * F;
      if (misprint_ != Misprint::own_inertia) I_ += own;
      F_ = F;
      G_ += link.m * Matrix3d::Identity();
    }
    for (Matrix3d* matrix : {&I_, &F_, &G_}) *matrix = Q_[i] * *matrix * Q_[i].transpose();
  }

  inline static const Vector3d e{0, 0, 1};
  std::vector<Link> links_;
  Misprint misprint_;
  std::vector<Matrix3d> Q_;
  std::vector<Vector3d> d_, e_d_, c_;  // e_d: the lower half of p
  Matrix3d I_, F_, G_;
};

/// The worst error of the steps over random positions, relative to the largest acceleration, and what rounding
/// allows there.
Accuracy accuracy(const std::string& robot, const std::vector<Link>& links, Misprint misprint) {
  const Model model = load(robot);
  std::mt19937 generator(7);
  Accuracy worst;
  for (int k = 0; k < 20; ++k) {
    const std::vector<double> q = random_position(model, generator);
    const std::vector<double> load = random_velocity(model, generator);
    const VectorXd phi = Eigen::Map<const VectorXd>(load.data(), model.nv());
    const MatrixXd M = mass_matrix(model, q);
    const VectorXd exact = M.ldlt().solve(phi);
    const VectorXd found = PrintedSteps(links, q, misprint).solve(phi);
    worst.add((found - exact).norm() / exact.norm(), rounding(16.0 * model.nv(), condition(M)));
  }
  return worst;
}

Claim step_claim(const Quote& quote, Misprint misprint, const Erratum& erratum) {
  const Accuracy stanford_printed = accuracy("stanford", stanford(), misprint),
                 puma_printed = accuracy("puma560", puma(), misprint);
  const bool corrected =
      accuracy("stanford", stanford(), Misprint::none).holds() && accuracy("puma560", puma(), Misprint::none).holds();
  return misprint_claim(
      quote,
      fmt::format("wrong by {:.2g} (Stanford), {:.2g} (PUMA), relatively", stanford_printed.error, puma_printed.error),
      stanford_printed.holds() && puma_printed.holds(), erratum, corrected);
}

}  // namespace

Section saha_decomposition() {
  Section section{"Section 2: I = UDUᵀ", {}, {}, {}, {}};
  double worst = 0.0, least = 1e300, inverse = 0.0, allowed = 0.0;
  for (const char* robot : {"stanford", "puma560"}) {
    const Model model = load(robot);
    const int n = model.nv();
    std::mt19937 generator(3);
    for (int k = 0; k < 100; ++k) {
      const MatrixXd I = mass_matrix(model, random_position(model, generator), "denoc");
      MatrixXd rest = I, U(n, n), inverted(n, n);
      VectorXd D(n);
      denoc::reverse_gaussian_elimination<double>({rest.data(), n, n}, {U.data(), n, n}, D.data());
      denoc::inverse_inertia<double>({U.data(), n, n}, D.data(), {inverted.data(), n, n});
      worst = worse(worst, (U * D.asDiagonal() * U.transpose() - I).norm() / I.norm());
      least = lesser(least, D.minCoeff());
      inverse = worse(inverse, (inverted * I - MatrixXd::Identity(n, n)).norm());
      allowed = std::max(allowed, 4.0 * n * condition(I) * std::numeric_limits<double>::epsilon());
    }
  }
  section.claims.push_back(
      sentence_claim({"(11)", "the inertia matrix is UDUᵀ", "I = UDUᵀ"}, fmt::format("to {:.1e}, relatively", worst),
                     worst <= rounding(4.0 * 6.0, 1.0), "Stanford and PUMA, 100 random positions each."));
  section.claims.push_back(sentence_claim({"(10)", "the diagonal of D is positive", "m̂ > 0"},
                                          fmt::format("the least is {:.3g}", least), least > 0.0));
  section.claims.push_back(sentence_claim({"Section 1", "the inverse comes out explicitly", "I⁻¹ = U⁻ᵀD⁻¹U⁻¹"},
                                          fmt::format("I⁻¹I − 1: {:.1e}", inverse), inverse <= allowed));
  return section;
}

Section saha_printed_steps() {
  Section section{"Section 3: the steps of forward dynamics", {}, {}, {}, {}};
  section.text = {
      "The steps A1 to C3 are coded as they stand in the paper, with prismatic joints by p = [0; e] (erratum 0.7), and "
      "held against a factorisation of the inertia matrix at 20 random positions. Each misprint is left in alone."};
  const Accuracy stanford_right = accuracy("stanford", stanford(), Misprint::none),
                 puma_right = accuracy("puma560", puma(), Misprint::none);
  section.claims.push_back(
      sentence_claim({"Section 3", "the steps give the accelerations", "θ̈ = I⁻¹φ"},
                     fmt::format("with the corrections below: to {:.1e} (Stanford), {:.1e} (PUMA), relatively",
                                 stanford_right.error, puma_right.error),
                     stanford_right.holds() && puma_right.holds()));
  section.claims.push_back(step_claim({"A3(b)", "articulated inertia", "Î_i = Î_{i+1,i+1} + ()"}, Misprint::own_inertia,
                                      {"0.1", "Î_i = I_i + Î_{i+1,i+1} + ()", "the link's own inertia is missing"}));
  section.claims.push_back(step_claim({"A3(b), A4(b)", "the range", "i = n−1, …, 2"}, Misprint::ends_early,
                                      {"0.3", "i = n−1, …, 1", "A5 needs the articulated inertia of link 1"}));
  section.claims.push_back(step_claim({"C3", "lower half of μ_{i,i−1}", "μ_{i−1(t)} + ()"}, Misprint::wrong_half,
                                      {"0.2", "μ_{i−1(b)} + ()", "the upper half is printed twice"}));
  return section;
}

Section saha_puma_data() {
  Section section{"Table II(ii): the data of the PUMA", {}, {}, {}, {}};
  const Model printed = load("puma560_printed"), right = load("puma560");
  const int poses = 2000;
  std::mt19937 generator(5);
  int definite_printed = 0, definite = 0;
  double largest_condition = 0.0;
  for (int k = 0; k < poses; ++k) {
    const std::vector<double> q = random_position(right, generator);
    const auto smallest = [&](const Model& model) { return smallest_eigenvalue(mass_matrix(model, q)); };
    definite_printed += smallest(printed) > 0.0 ? 1 : 0;
    definite += smallest(right) > 0.0 ? 1 : 0;
    largest_condition = std::max(largest_condition, condition(mass_matrix(right, q)));
  }
  const std::vector<double> zero(6, 0.0);
  section.claims.push_back(misprint_claim(
      {"Table II(ii)", "moments of inertia", "four are negative"},
      fmt::format("printed: inertia matrix positive definite in {} of {} random positions, i₄₄(0) = {:.3f}; absolute "
                  "values: in {}, condition up to {:.0f}",
                  definite_printed, poses, mass_matrix(printed, zero)(3, 3), definite, largest_condition),
      definite_printed > 0,
      {"0.12", "their absolute values",
       "the triples were turned by Rx(α)ᵀ like vectors; turned as tensors they are the absolute values, for all links"},
      definite == poses));
  section.claims.push_back(
      undetermined_claim({"Table II(ii)", "size of the moments", "8.2672 kg m² (link 2)"},
                         "Erratum 0.14: √(I/m) is longer than the link. Where the values come from is not said.",
                         fmt::format("√(I/m) = {:.2f} m for a link of 0.432 m", std::sqrt(8.2672 / 15.761))));
  section.claims.push_back(undetermined_claim({"Table II(ii)", "m₂", "15.761"},
                                              "Erratum 0.15: the other masses are 0.3507 kg times 30, 25, 3, 3 and 1; "
                                              "45 times that is 15.781. A hypothesis only.",
                                              fmt::format("15.761/0.3507 = {:.3f}", 15.761 / 0.3507)));
  return section;
}

}  // namespace ulna::reproduction
