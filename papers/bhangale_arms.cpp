#include "papers/bhangale_arms.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <cmath>
#include <numbers>
#include <random>

#include "papers/claim.hpp"
#include "papers/deviation.hpp"
#include "papers/traced_operations.hpp"
#include "ulna/io/robot/load.hpp"
#include "ulna/kinematics/kinematics.hpp"
#include "ulna/study/select/comparison.hpp"
#include "ulna/study/select/sweep.hpp"

namespace ulna::reproduction {

namespace {

using namespace selection;
constexpr double pi = std::numbers::pi;

bool always() { return true; }

Arm arm_of(const Graph& graph, double slide_from, double slide_to) {
  RangeChoice choice;
  choice.slide = {slide_from, slide_to};
  return make_arm(graph.name, graph, choice);
}

/// The PR arm with a link of this length.
Graph pr_of(double a2) {
  Graph graph = load_graph("pr");
  graph.frames[0].pose.p = {a2, 0, 0};
  return graph;
}

Graph unit_rtx() { return varied_graph("rtx", {{"link2.a", 0, 2}, {"link3.a", 0, 2}}, {1.0, 1.0}); }

/// Yoshikawa's measure of the tip's velocity, eq. (21).
double manipulability_at(const Arm& arm, std::span<const double> q) {
  Kinematics<double> kinematics(arm.model);
  kinematics.update_positions(q);
  const int n = arm.model.nv();
  Eigen::MatrixXd full(6, n);
  kinematics.jacobian(arm.model.tip(), Reference::world_axes, {full.data(), 6, n});
  const std::vector<double> J = arm.task.position_rows({full.data(), 6, n});
  const Eigen::MatrixXd tip = Eigen::Map<const Eigen::MatrixXd>(J.data(), arm.dimension(), n);
  return std::sqrt(std::max(0.0, (tip * tip.transpose()).determinant()));
}

/// The largest distance of a formula from the measure over 200 random positions in the ranges.
double formula_error(const Arm& arm, const std::function<double(std::span<const double>)>& formula) {
  std::mt19937 generator(4);
  std::uniform_real_distribution<double> part(0.0, 1.0);
  double worst = 0.0;
  std::vector<double> q(arm.ranges.size());
  for (int k = 0; k < 200; ++k) {
    for (std::size_t i = 0; i < q.size(); ++i) q[i] = arm.ranges[i].at(part(generator));
    worst = worse(worst, std::abs(formula(q) - manipulability_at(arm, q)));
  }
  return worst;
}

std::string sized(const reach::Volume& space) {
  return fmt::format("{:.4g} ± {:.1g}", space.size.value, space.size.error);
}

bool is(const reach::Volume& space, double size) { return std::abs(space.size.value - size) <= space.size.error; }

Claim count_claim(const char* where, const char* robot, Quantity quantity, const std::string& printed) {
  return undetermined_claim(
      {where, fmt::format("{} of {}", quantity == Quantity::mass_matrix ? "GIM" : "MCI", robot), printed},
      "The steps for arms that are not all revolute are not printed; traced with zeros and ones of "
      "the data costing nothing.",
      traced_operations(load(robot), quantity, "denoc").text());
}

/// Figure 4: the first and the last circle of the PR arm's tip, and what they sweep between them.
Plot pr_workspace(double a, double b) {
  Plot plot{fmt::format("PR arm, a₂ = {:g}, b₁ = {:g}", a, b), "x, m", "y, m", {}};
  plot.equal_axes = true;
  for (const double centre : {0.0, b}) {
    Curve circle{centre == 0.0 ? "b₁ = 0" : fmt::format("b₁ = {:g}", b), {}, {}};
    for (int k = 0; k <= 180; ++k) {
      circle.x.push_back(centre + a * std::cos(pi * k / 90.0));
      circle.y.push_back(a * std::sin(pi * k / 90.0));
    }
    plot.curves.push_back(std::move(circle));
  }
  for (const double side : {-a, a}) plot.curves.push_back({"", {0.0, b}, {side, side}, Curve::Style::dashed});
  return plot;
}

void add_planar_workspace(Section& section) {
  const reach::Volume rp = find_workspace(arm_of(load_graph("rp"), 1.0, 2.0), always),  // a₁ = 1 is where b₂ starts
      rp_long = find_workspace(arm_of(load_graph("rp"), 2.0, 3.0), always),             // a₁ = 2
      pr = find_workspace(arm_of(pr_of(1.0), 0.0, 1.0), always),
                      pr_long = find_workspace(arm_of(pr_of(2.0), 0.0, 1.0), always),
                      pr_far = find_workspace(arm_of(pr_of(1.0), 0.0, 3.0), always);
  section.claims.push_back(
      misprint_claim({"Table III", "RP area at a₁ = b₂ = a", "4πa²"}, sized(rp) + " a²", is(rp, 4 * pi),
                     {"2.6", "3πa²", "by the row's own formula; 4πa² would be the full disc"}, is(rp, 3 * pi)));
  section.claims.push_back(sentence_claim({"Section 4.3", "RP area at a₁ = 2b, b₂ = b", "5πb²"}, sized(rp_long) + " b²",
                                          is(rp_long, 5 * pi)));
  // Where b₁ < 2a₂ a lens between the first and the last circle is out of reach: that area is missing.
  const auto reached = [](double a, double b) {
    const double half = b / 2.0;
    const double lens = 2.0 * (a * a * std::acos(half / a) - half * std::sqrt(a * a - half * half));
    return pi * a * a + 2.0 * a * b - lens;
  };
  section.claims.push_back(misprint_claim(
      {"Table III", "PR area at a₂ = b₁ = a", "(π + 2)a²"}, sized(pr) + " a²", is(pr, pi + 2),
      {"2.7", fmt::format("{:.4f}a²", reached(1, 1)), "the print is the envelope, which has a hole where b₁ < 2a₂"},
      is(pr, reached(1, 1))));
  section.claims.push_back(
      misprint_claim({"Section 4.3", "PR area at a₂ = 2b, b₁ = b", "4(π + 1)b²"},
                     fmt::format("{} b², {} hole", sized(pr_long), pr_long.holes), is(pr_long, 4 * (pi + 1)),
                     {"2.7", fmt::format("{:.4f}b²", reached(2, 1)), "as above"}, is(pr_long, reached(2, 1))));
  section.claims.push_back(
      sentence_claim({"Section 4.3", "PR area, πa₂² + 2a₂b₁, where b₁ ≥ 2a₂", "π + 6 at a₂ = 1, b₁ = 3"}, sized(pr_far),
                     is(pr_far, pi + 6)));
}

/// The operations of both matrices of an arm.
int matrix_operations(const char* robot) {
  const Model model = load(robot);
  int sum = 0;
  for (const Quantity quantity : {Quantity::mass_matrix, Quantity::convective_inertia})
    sum += traced_operations(model, quantity, "denoc").sum();
  return sum;
}

/// The two of Table V, at unit lengths.
struct SpatialArms {
  int rtx_operations = matrix_operations("rtx"), stanford_operations = matrix_operations("stanford3");
  Arm rtx = arm_of(unit_rtx(), 0.0, 1.0), stanford = arm_of(load_graph("stanford3"), 0.0, 1.0);
  reach::Volume rtx_space = find_workspace(rtx, always), stanford_space = find_workspace(stanford, always);

  bool rtx_is_cheaper() const { return rtx_operations < stanford_operations; }
};

void add_spatial_workspace(Section& section, const SpatialArms& arms) {
  const reach::Volume &rtx = arms.rtx_space, &stanford = arms.stanford_space;
  section.claims.push_back(
      sentence_claim({"Table V", "RTX volume 4πb₁a₂a₃, unit lengths", "4πa³"}, sized(rtx) + " a³", is(rtx, 4 * pi)));
  section.claims.push_back(misprint_claim({"Table V", "Stanford volume", "4πa₃³/3"},
                                          fmt::format("{} at b₃ = 1, a₃ = 0", sized(stanford)), is(stanford, 0.0),
                                          {"2.9", "4πb₃³/3", "a₃ is zero in Table IV"}, is(stanford, 4 * pi / 3)));
  section.claims.push_back(sentence_claim({"Table V", "Stanford volume, unit lengths", "4πa³/3"},
                                          sized(stanford) + " a³", is(stanford, 4 * pi / 3)));
  section.claims.push_back(sentence_claim({"Table V", "RTX has the larger volume", "RTX"},
                                          fmt::format("{:.3g} against {:.3g}", rtx.size.value, stanford.size.value),
                                          rtx.size.value - rtx.size.error > stanford.size.value + stanford.size.error));
}

void add_spatial_manipulability(Section& section, const SpatialArms& arms) {
  const double rtx_error = formula_error(arms.rtx, [](auto q) { return std::abs(std::sin(q[2])); }),
               cos_error = formula_error(arms.stanford, [](auto q) { return q[2] * q[2] * std::abs(std::cos(q[1])); }),
               sin_error = formula_error(arms.stanford, [](auto q) { return q[2] * q[2] * std::abs(std::sin(q[1])); });
  section.claims.push_back(sentence_claim({"Table V", "manipulability of RTX", "a₂a₃|sin θ₃|"},
                                          fmt::format("so at 200 positions, to {:.0e}", rtx_error), rtx_error < 1e-12));
  section.claims.push_back(misprint_claim(
      {"Table V", "manipulability of Stanford", "b₃²|cos θ₂|"},
      fmt::format("printed: off by up to {:.2f}; with the sine {:.0e}", cos_error, sin_error), cos_error < 1e-12,
      {"2.10", "b₃²|sin θ₂|", "with the DH parameters of Table IV(b)"}, sin_error < 1e-12));
  const double rtx_most = manipulability_at(arms.rtx, std::vector<double>{0.0, 0.0, pi / 2}),
               stanford_most = manipulability_at(arms.stanford, std::vector<double>{0.0, pi / 2, 1.0});
  section.claims.push_back(sentence_claim({"Table V", "both have the same greatest manipulability", "a²"},
                                          fmt::format("{:.6f} and {:.6f}", rtx_most, stanford_most),
                                          std::abs(rtx_most - stanford_most) < 1e-12));
}

}  // namespace

Section bhangale_planar_arms() {
  Section section{"Table III: the planar arms RP and PR", {}, {}, {}, {}};
  section.claims = {count_claim("Table III", "rp", Quantity::mass_matrix, "12 M, 6 A"),
                    count_claim("Table III", "pr", Quantity::mass_matrix, "21 M, 6 A"),
                    count_claim("Table III", "rp", Quantity::convective_inertia, "26 M, 14 A"),
                    count_claim("Table III", "pr", Quantity::convective_inertia, "28 M, 18 A")};
  add_planar_workspace(section);
  section.figures.push_back(
      {"Figure 4: what the tip of the PR arm reaches; the lens between the circles is out of reach",
       {pr_workspace(1.0, 1.0), pr_workspace(1.0, 3.0)}});
  const Arm rp = arm_of(load_graph("rp"), 1.0, 2.0), pr = arm_of(pr_of(1.0), 0.0, 1.0);
  const double rp_error = formula_error(rp, [](auto q) { return q[1]; }),
               pr_error = formula_error(pr, [](auto q) { return std::abs(std::cos(q[1])); });
  section.claims.push_back(sentence_claim({"Table III", "manipulability of RP", "a₁ + b₂"},
                                          fmt::format("so at 200 positions, to {:.0e}", rp_error), rp_error < 1e-13));
  const double most = manipulability_at(rp, std::vector<double>{0.3, 2.0});
  section.claims.push_back(misprint_claim({"Table III", "its maximum at a₁ = b₂ = a", "a"},
                                          fmt::format("{:.3f} a", most), std::abs(most - 1.0) < 1e-13,
                                          {"2.8", "2a", "a₁ + b₂ with both a"}, std::abs(most - 2.0) < 1e-13));
  section.claims.push_back(sentence_claim({"Table III", "manipulability of PR", "a₂|cos θ₂|, at most a"},
                                          fmt::format("so at 200 positions, to {:.0e}", pr_error), pr_error < 1e-13));
  section.claims.push_back(undetermined_claim(
      {"Section 4.3", "the better one by computation", "RP"},
      "The paper's order rests on counts whose steps are not printed. Counting every zero and one of the data as free, "
      "the matrices of PR are the cheaper ones: two constants and one sine.",
      fmt::format("RP {} and {}, PR {} and {}", traced_operations(load("rp"), Quantity::mass_matrix, "denoc").text(),
                  traced_operations(load("rp"), Quantity::convective_inertia, "denoc").text(),
                  traced_operations(load("pr"), Quantity::mass_matrix, "denoc").text(),
                  traced_operations(load("pr"), Quantity::convective_inertia, "denoc").text())));
  return section;
}

Section bhangale_spatial_arms() {
  Section section{"Tables IV and V: the spatial arms RTX and Stanford", {}, {}, {}, {}};
  section.claims = {count_claim("Table V", "rtx", Quantity::mass_matrix, "142 M, 138 A"),
                    count_claim("Table V", "stanford3", Quantity::mass_matrix, "170 M, 154 A"),
                    count_claim("Table V", "rtx", Quantity::convective_inertia, "389 M, 317 A"),
                    count_claim("Table V", "stanford3", Quantity::convective_inertia, "522 M, 352 A")};
  const SpatialArms arms;
  section.claims.push_back(sentence_claim(
      {"Table V", "RTX has the cheaper matrices", "RTX"},
      fmt::format("{} operations against {}", arms.rtx_operations, arms.stanford_operations), arms.rtx_is_cheaper()));
  add_spatial_workspace(section, arms);
  add_spatial_manipulability(section, arms);
  section.claims.push_back(
      undetermined_claim({"Table IV", "I of link 2", "(0.5, 0.6, 0.01)"},
                         "Erratum 2.12: 0.5 + 0.01 < 0.6, no body has such moments; saha2001 has (0.05, 0.06, 0.01) "
                         "for the Stanford arm. "
                         "What is meant is not said; the inertia matrix is positive definite all the same.",
                         "as printed"));
  const bool larger = arms.rtx_space.size.value > arms.stanford_space.size.value;
  section.claims.push_back(
      sentence_claim({"Section 5", "which is to be selected", "RTX"},
                     fmt::format("cheaper matrices: {}; larger volume: {}; manipulability: alike",
                                 arms.rtx_is_cheaper() ? "RTX" : "Stanford", larger ? "RTX" : "Stanford"),
                     arms.rtx_is_cheaper() && larger, "By the rows of Table V at unit lengths."));
  return section;
}

Section bhangale_torques() {
  Section section{"Figure 6: torques and forces along the cycloid (23)", {}, {}, {}, {}};
  section.text = {"Joint forces where a joint slides, torques where it turns; T = 10 s, from zero to π."};
  for (const char* robot : {"rtx", "stanford3", "stanford3_printed"}) {
    const Arm arm = arm_of(load_graph(robot), 0.0, pi);
    const TaskLoads loads = run_task(arm, default_task(), always);
    Figure figure{fmt::format("Figure 6: {}", robot), {}};
    const std::size_t n = arm.ranges.size();
    for (std::size_t i = 0; i < n; ++i) {
      const bool slides = ulna::slides(arm.model.joints()[i].kind);
      Plot plot{
          fmt::format("{} {}", slides ? "force" : "torque", i + 1), "t, s", slides ? "N" : "N m", {{"", loads.t, {}}}};
      for (std::size_t k = 0; k < loads.t.size(); ++k) plot.curves[0].y.push_back(loads.tau[k * n + i]);
      figure.pictures.emplace_back(std::move(plot));
    }
    section.figures.push_back(std::move(figure));
    if (std::string_view(robot) == "rtx") {
      section.claims.push_back(
          undetermined_claim({"Figure 6(a)", "force of the slide at the start", "drawn, no number"},
                             "Erratum 2.19: gravity is not stated; −9.81 m/s² along Z₁ is assumed.",
                             fmt::format("{:.2f} N, the weight of 19 kg: {:.2f} N", loads.tau[0], 19 * 9.81)));
    }
  }
  section.claims.push_back(undetermined_claim(
      {"Table IV(b)", "r of the Stanford arm", "(−0.1, 0, 0.1), (0, 0, 0.5), (0, 0, 0.4)"},
      "Erratum 2.11: r_z repeats I_xx in every row, so the columns have shifted; saha2001 has (0, −0.1, 0) and zeros.",
      "both are drawn"));
  section.claims.push_back(undetermined_claim({"(19), (20)", "torques of RP and PR", "none"},
                                              "Erratum 2.18: mass centres, inertias and T are not given."));
  return section;
}

Section bhangale_time() {
  Section section{"Computation times (CT)", {}, {}, {}, {}};
  section.text = {
      "MATLAB on a Pentium III of 1 GHz there; here each arm's own compiled inverse dynamics along the "
      "cycloid, in rounds over both arms in turn. Ratios are what can be compared."};
  Table table{"", {"arm", "ns per state, median", "quartiles"}, {}};
  const auto measured = [&](const char* first, const char* second) {
    std::vector<Candidate> candidates;
    for (const char* robot : {first, second}) {
      Arm arm = arm_of(load_graph(robot), 0.0, pi);
      TaskLoads loads = run_task(arm, default_task(), always);
      candidates.push_back({std::move(arm), {}, {}, {}, {}, std::move(loads), {}});
    }
    measure_cpu(candidates, always);
    for (const Candidate& candidate : candidates)
      table.rows.push_back({candidate.arm.name, fmt::format("{:.1f}", candidate.cpu->median),
                            fmt::format("{:.1f} … {:.1f}", candidate.cpu->low, candidate.cpu->high)});
    return candidates[0].cpu->median / candidates[1].cpu->median;
  };
  const double spatial = measured("rtx", "stanford3"), planar = measured("rp", "pr");
  section.tables.push_back(table);
  section.claims.push_back(
      sentence_claim({"Table V", "CT of RTX over Stanford", "9.443/11.166 = 0.846"}, fmt::format("{:.2f}", spatial),
                     spatial < 1.0, "RTX is the faster one, as printed; the size of the ratio is the program's."));
  section.claims.push_back(undetermined_claim(
      {"Table III", "CT of RP over PR", "0.651/0.761 = 0.855"},
      "Mass centres and inertias are not given (erratum 2.18); with those assumed both need a dozen operations.",
      fmt::format("{:.2f}", planar)));
  return section;
}

}  // namespace ulna::reproduction
