#include "papers/wolinski_inverse.hpp"

#include <fmt/format.h>

#include <numbers>

#include "papers/deviation.hpp"
#include "ulna/dynamics/spatial_operator/spatial_operator.hpp"
#include "ulna/io/robot/load.hpp"
#include "ulna/io/scenario/load.hpp"

namespace ulna::reproduction {

namespace {

using std::numbers::pi;

constexpr double duration = 14.0;
constexpr std::size_t joints = 7;

std::vector<double> times(std::size_t pieces) {
  std::vector<double> t(pieces + 1);
  for (std::size_t i = 0; i <= pieces; ++i) t[i] = duration * static_cast<double>(i) / static_cast<double>(pieces);
  return t;
}

/// The largest |τ(14 − t) − sign τ(t)| with the curve's own ends: t from 0 to `end`.
double asymmetry(const std::vector<double>& torque, std::size_t end, double sign) {
  double most = 0.0;
  for (std::size_t i = 0; i <= end; ++i) most = worse(most, std::abs(torque[end - i] - sign * torque[i]));
  return most;
}

double largest_second_difference(const std::vector<double>& torque) {
  double most = 0.0;
  for (std::size_t i = 1; i + 1 < torque.size(); ++i)
    most = worse(most, std::abs(torque[i - 1] - 2.0 * torque[i] + torque[i + 1]));
  return most;
}

/// Rounding of a torque: that of cos and sin at times that were rounded, through some hundred operations.
double allowed(const std::vector<std::vector<double>>& torques) {
  double most = 1.0;
  for (const std::vector<double>& torque : torques) most = std::max(most, largest(torque));
  return rounding(300.0, most);
}

void add_symmetry(const std::vector<std::vector<double>>& torques, std::vector<Claim>& claims) {
  const std::size_t end = torques[0].size() - 1;
  const double first = asymmetry(torques[0], end, 1.0);
  double others = 0.0, turned = 0.0;
  for (const std::vector<double>& torque : torques) {
    others = std::max(others, asymmetry(torque, end, 1.0));
    turned = std::max(turned, asymmetry(torque, end / 2, -1.0));
  }
  const Vec3<double> skewed{3.0, -5.0, -7.0};
  double under_skewed = 0.0;
  for (const std::vector<double>& torque : wolinski_torques(skewed, times(end)))
    under_skewed = std::max(under_skewed, asymmetry(torque, end, 1.0));
  claims.push_back(
      sentence_claim({"Section 4.2, Fig. 5", "the torque of joint 1 is symmetric", "symmetric"},
                     fmt::format("|τ(14 − t) − τ(t)| ≤ {:.0e} N m", first), first <= allowed(torques),
                     fmt::format("Erratum 3.11: it must be, whatever the arm weighs, for q_d(14 − t) = "
                                 "q_d(t): with gravity (3, −5, −7) m/s² it holds to {:.0e} N m as well. It is no "
                                 "check of the algorithm.",
                                 under_skewed)));
  claims.push_back(
      sentence_claim({"Section 4.2", "“similar results were obtained for other axes”", "symmetric"},
                     fmt::format("all seven within {:.0e} N m", others), others <= allowed(torques),
                     fmt::format("With gravity along y also τ(7 − t) = −τ(t): within {:.0e} N m.", turned)));
}

void add_smoothness(std::vector<Claim>& claims) {
  const Vec3<double> gravity = load_graph("kuka_lwr4").gravity;
  const double coarse = largest_second_difference(wolinski_torques(gravity, times(1400))[0]),
               fine = largest_second_difference(wolinski_torques(gravity, times(2800))[0]);
  claims.push_back(
      sentence_claim({"Section 4.2, Fig. 5", "the torque of joint 1 is smooth", "smooth"},
                     fmt::format("second differences shrink by {:.3f} when the step is halved", coarse / fine),
                     std::abs(coarse / fine - 4.0) < 0.04,
                     "By 4 where the second derivative exists; by 2 at a corner, by 1 at a jump."));
}

void add_motion(std::vector<Claim>& claims) {
  const Scenario scenario = load_scenario("kuka_pd");
  const SimulationSetup setup = setup_of(scenario, load(scenario.robot));
  std::vector<double> q(joints), v(joints), a(joints);
  Deviation rate(10.0);
  for (const double t : times(280)) {
    reference_of(setup.actions.drive)->at(t, t, q, v, a);
    rate.add(v[0], -pi * pi / 14.0 * std::sin(pi * t / 7.0));
  }
  claims.push_back(agreement_claim({"(29)", "q̇_d is the derivative of (28)", "−(π²/14) sin(πt/7)"}, rate, "rad/s"));
  reference_of(setup.actions.drive)->at(0.0, 0.0, q, v, a);
  claims.push_back(
      sentence_claim({"(30), (31)", "the start lies on the path", "q = π/2, q̇ = 0"},
                     fmt::format("q_d(0) = {:.6f}, q̇_d(0) = {:g}", q[0], std::abs(v[0])),
                     largest_difference(q, setup.q0) <= rounding(4.0, pi) && q[0] == 0.5 * pi && largest(v) == 0.0));
}

Figure torque_figure(const std::vector<double>& t, const std::vector<std::vector<double>>& torques) {
  Figure figure{"Figure 5 (joint 1) and the six that the paper leaves out.", {}};
  for (std::size_t j = 0; j < joints; ++j)
    figure.pictures.emplace_back(
        Plot{fmt::format("driving torque at joint {}", j + 1), "t, s", "N m", {Curve{"", t, torques[j]}}});
  return figure;
}

}  // namespace

std::vector<std::vector<double>> wolinski_torques(const Vec3<double>& gravity, const std::vector<double>& times) {
  Graph graph = load_graph("kuka_lwr4");
  graph.gravity = gravity;
  const Model model = build(graph);
  spatial_operator::Workspace<double> ws(model);
  const double amplitude = 0.5 * pi, omega = pi / 7.0;
  std::vector<std::vector<double>> torques(joints, std::vector<double>(times.size()));
  std::vector<double> tau(joints);
  for (std::size_t i = 0; i < times.size(); ++i) {
    const double c = std::cos(omega * times[i]), s = std::sin(omega * times[i]);
    const std::vector<double> q(joints, amplitude * c), v(joints, -amplitude * omega * s),
        a(joints, -amplitude * omega * omega * c);
    spatial_operator::inverse_dynamics(model, ws, q, v, a, tau);
    for (std::size_t j = 0; j < joints; ++j) torques[j][i] = tau[j];
  }
  return torques;
}

Section wolinski_inverse() {
  Section section{"Section 4.2: inverse dynamics", {}, {}, {}, {}};
  section.text = {
      "All joints follow q_d = π/2 cos(πt/7) for 14 s. The torques are those of the recursion of section 2. The "
      "paper shows its curves without numbers that could be read off the text."};
  const std::vector<double> t = times(280);
  const std::vector<std::vector<double>> torques = wolinski_torques(load_graph("kuka_lwr4").gravity, t);
  add_motion(section.claims);
  add_smoothness(section.claims);
  add_symmetry(torques, section.claims);
  section.figures.push_back(torque_figure(t, torques));
  return section;
}

}  // namespace ulna::reproduction
