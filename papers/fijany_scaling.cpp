#include "papers/fijany_scaling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <random>

#include "papers/claim.hpp"
#include "papers/deviation.hpp"
#include "papers/traced_operations.hpp"
#include "ulna/dynamics/constraint_force/cyclic_reduction.hpp"
#include "ulna/dynamics/constraint_force/explicit_matrices.hpp"
#include "ulna/dynamics/parallel_method.hpp"
#include "ulna/io/robot/load.hpp"
#include "ulna/model/build.hpp"
#include "ulna/model/random_state.hpp"

namespace ulna::reproduction {

namespace {

struct State {
  std::vector<double> q, v, tau;
};

State random_state(const Model& model, unsigned seed) {
  std::mt19937 generator(seed);
  return {random_position(model, generator), random_velocity(model, generator), random_velocity(model, generator)};
}

std::vector<double> accelerations(Method<double>& method, const State& state) {
  std::vector<double> a(state.v.size());
  method.forward_dynamics(state.q, state.v, state.tau, a);
  return a;
}

std::vector<double> accelerations(const Model& model, const State& state, const char* name) {
  return accelerations(*make_method<double>(name, Quantity::forward_dynamics, model), state);
}

double relative_difference(const std::vector<double>& a, const std::vector<double>& b) {
  return largest_difference(a, b) / largest(b);
}

/// There and back: torques of known accelerations, accelerations of those torques.
double round_trip_error(const Model& model, const char* name, unsigned seed) {
  State state = random_state(model, seed);
  const std::vector<double> wanted = state.tau;
  make_method<double>("newton_euler", Quantity::inverse_dynamics, model)
      ->inverse_dynamics(state.q, state.v, wanted, state.tau);
  return relative_difference(accelerations(model, state, name), wanted);
}

/// The generated chain with cylinders of this radius instead of its own.
Model slender_chain(int links, double radius) {
  Graph graph = load_graph(fmt::format("chain:{}", links));
  for (GraphBody& body : graph.bodies) {
    if (body.mass.mass == 0.0) continue;
    const double length = 0.1, m = body.mass.mass;
    const double across = m * (3.0 * radius * radius + length * length) / 12.0;
    body.mass.inertia = {m * radius * radius / 2.0, across, across, 0.0, 0.0, 0.0};
  }
  return build(graph);
}

/// Over something about a chain: the condition of A, and the errors of both algorithms there and back.
class ConditionPlot {
 public:
  ConditionPlot(const char* title, const char* x_label)
      : plot_{title,
              x_label,
              "",
              {{"condition of A", {}, {}}, {"error, constraint forces", {}, {}}, {"error, articulated body", {}, {}}}} {
    plot_.log_x = plot_.log_y = true;
  }

  void add(double x, const Model& model) {
    constexpr unsigned seed = 3;
    for (Curve& curve : plot_.curves) curve.x.push_back(x);
    plot_.curves[0].y.push_back(constraint_force::explicit_matrices(model, random_state(model, seed).q).condition_of_A);
    plot_.curves[1].y.push_back(round_trip_error(model, "constraint_force", seed));
    plot_.curves[2].y.push_back(round_trip_error(model, "articulated_body", seed));
  }

  const Plot& plot() const { return plot_; }
  const std::vector<double>& conditions() const { return plot_.curves[0].y; }
  const std::vector<double>& errors() const { return plot_.curves[1].y; }
  const std::vector<double>& errors_of_articulated_body() const { return plot_.curves[2].y; }

 private:
  Plot plot_;
};

/// Cyclic reduction of a system with the blocks 4 on the diagonal and −1 beside it.
struct Reduction {
  std::size_t levels, phases;
};

Reduction reduce(std::size_t links) {
  using Block = constraint_force::Block<double, 5>;
  const auto multiple_of_one = [](double x) {
    Block block = Block::zero();
    for (int k = 0; k < 5; ++k) block(k, k) = x;
    return block;
  };
  constraint_force::CyclicReduction<5> system(links);
  for (auto& block : system.diagonal()) block = multiple_of_one(4.0);
  for (auto& block : system.coupling()) block = multiple_of_one(-1.0);
  for (auto& column : system.right()) column.fill(1.0);
  std::size_t phases = 0;
  const auto count_phase = [&](std::ptrdiff_t count, const auto& f) {
    ++phases;
    for (std::ptrdiff_t k = 0; k < count; ++k) f(k);
  };
  system.factor(count_phase);
  system.solve(count_phase);
  return {system.level_count(), phases};
}

double seconds_per_call(Method<double>& method, const State& state) {
  using Clock = std::chrono::steady_clock;
  double least = 1e300;
  for (int round = 0; round < 7; ++round) {
    int calls = 0;
    const Clock::time_point start = Clock::now();
    double spent = 0.0;
    do {
      accelerations(method, state);
      ++calls;
      spent = std::chrono::duration<double>(Clock::now() - start).count();
    } while (spent < 0.01);
    least = std::min(least, spent / calls);
  }
  return least;
}

/// Seconds of one forward dynamics, in the order of the curves of fijany_time().
std::array<double, 4> times_of(int links) {
  const Model model = load(fmt::format("chain:{}", links));
  const State state = random_state(model, 3);
  const auto serial_cf = make_method<double>("constraint_force", Quantity::forward_dynamics, model),
             serial_aba = make_method<double>("articulated_body", Quantity::forward_dynamics, model),
             parallel_cf = make_parallel_method("constraint_force", model, 2),
             parallel_aba = make_parallel_method("articulated_body", model, 2);
  return {seconds_per_call(*serial_cf, state), seconds_per_call(*parallel_cf, state),
          seconds_per_call(*serial_aba, state), seconds_per_call(*parallel_aba, state)};
}

}  // namespace

Section fijany_exactness() {
  Section section{"Exactness of the serial and the parallel algorithm", {}, {}, {}, {}};
  Table table{
      "Accelerations of generated chains by constraint forces, against the articulated-body algorithm, "
      "relative to the largest. For both, torques were taken there and back as well.",
      {"N", "serial", "parallel, 2 threads", "serial there and back", "articulated body there and back"},
      {}};
  bool agree = true, same_bits = true;
  for (const int links : {7, 30, 100, 300, 1000}) {
    const Model model = load(fmt::format("chain:{}", links));
    const State state = random_state(model, 3);
    const std::vector<double> reference = accelerations(model, state, "articulated_body");
    const std::vector<double> one = accelerations(*make_parallel_method("constraint_force", model, 1), state),
                              two = accelerations(*make_parallel_method("constraint_force", model, 2), state);
    const double serial = relative_difference(accelerations(model, state, "constraint_force"), reference),
                 parallel = relative_difference(two, reference);
    const double own = round_trip_error(model, "constraint_force", 3),
                 theirs = round_trip_error(model, "articulated_body", 3);
    // What articulated bodies lose there and back is the measure of what this state allows.
    const double allowed = 64.0 * theirs;
    agree = agree && serial <= allowed && parallel <= allowed;
    same_bits = same_bits && one == two;
    table.rows.push_back({fmt::format("{}", links), fmt::format("{:.1e}", serial), fmt::format("{:.1e}", parallel),
                          fmt::format("{:.1e}", own), fmt::format("{:.1e}", theirs)});
  }
  section.tables.push_back(table);
  section.claims.push_back(sentence_claim({"Sections III, IV", "serial and parallel solve the same equations", "exact"},
                                          agree ? "as the articulated-body algorithm, to rounding, for 7 to 1000 links"
                                                : "not as the articulated-body algorithm",
                                          agree));
  section.text = {fmt::format("One and two threads give {}.", same_bits ? "the same bits" : "different bits")};
  return section;
}

Section fijany_accuracy() {
  Section section{"Condition of A, and accuracy", {}, {}, {}, {}};
  section.text = {
      "Does the condition of A limit the accelerations? Torques of known accelerations are taken back to "
      "accelerations; the error is relative to the largest."};
  ConditionPlot over_links("chains of N links", "N"), over_radius("eight links of 0.1 m", "radius, m");
  for (const int links : {4, 8, 16, 32, 64}) over_links.add(links, load(fmt::format("chain:{}", links)));
  for (const double radius : {1e-2, 3e-3, 1e-3, 3e-4, 1e-4}) over_radius.add(radius, slender_chain(8, radius));
  double worst_ratio = 0.0;
  for (std::size_t k = 0; k < over_links.errors().size(); ++k)
    worst_ratio = worse(worst_ratio, over_links.errors()[k] / over_links.errors_of_articulated_body()[k]);
  const double first_condition = over_links.conditions().front();
  section.figures.push_back({"Condition and errors over the number and the slenderness of the links",
                             {over_links.plot(), over_radius.plot()}});
  section.text.push_back(fmt::format(
      "{}: from 4 to 64 links the condition goes from {:.1e} to {:.1e}, and the error is at most {:.1f} times that of "
      "the articulated-body algorithm. Slender links are where digits are lost, in I⁻¹: at a radius of 0.1 mm "
      "the condition is {:.1e}. Ulna solves a second time for what is left over, and the error is {:.1e}.",
      worst_ratio < 0.01 * first_condition ? "It does not" : "It may", first_condition, over_links.conditions().back(),
      worst_ratio, over_radius.conditions().back(), over_radius.errors().back()));
  return section;
}

Section fijany_critical_path() {
  Section section{"O(log N) with O(N) processors", {}, {}, {}, {}};
  section.text = {
      "The block tridiagonal system by cyclic reduction. Every phase is done for all its blocks at once if "
      "there are processors enough; phases are counted while systems are solved."};
  Table table{"", {"N", "levels", "phases", "phases of the serial elimination"}, {}};
  Curve counted{"cyclic reduction", {}, {}}, serial{"serial", {}, {}};
  bool logarithmic = true;
  std::size_t before = 0, growth = 0;
  for (const std::size_t links : {16U, 64U, 256U, 1024U, 4096U}) {
    const Reduction reduction = reduce(links);
    table.rows.push_back({fmt::format("{}", links), fmt::format("{}", reduction.levels),
                          fmt::format("{}", reduction.phases), fmt::format("{}", 3 * links)});
    counted.x.push_back(static_cast<double>(links));
    counted.y.push_back(static_cast<double>(reduction.phases));
    serial.x.push_back(static_cast<double>(links));
    serial.y.push_back(static_cast<double>(3 * links));
    // Four times the links: the same number of phases more, every time.
    if (before != 0 && growth != 0) logarithmic = logarithmic && reduction.phases - before == growth;
    if (before != 0) growth = reduction.phases - before;
    before = reduction.phases;
  }
  Plot plot{"critical path", "N", "phases", {counted, serial}};
  plot.log_x = plot.log_y = true;
  section.tables.push_back(table);
  section.figures.push_back({"", {plot}});
  section.claims.push_back(sentence_claim({"Section IV.B", "parallel cost of the block tridiagonal system", "O(log N)"},
                                          fmt::format("{} phases more for four times the links, every time", growth),
                                          logarithmic));
  return section;
}

Section fijany_serial_cost() {
  Section section{"O(N) on one processor", {}, {}, {}, {}};
  // Operations of the algorithm by tracing: a straight line through the first two sizes holds at the others.
  const auto operations = [](int links) {
    const Model model = load(fmt::format("general:{}", links));
    return traced_operations(model, Quantity::forward_dynamics, "constraint_force").sum();
  };
  Table table{
      "Operations of one forward dynamics, traced for arms without a zero in their data.", {"N", "operations"}, {}};
  std::vector<int> found;
  for (const int links : {6, 8, 10, 12}) {
    found.push_back(operations(links));
    table.rows.push_back({fmt::format("{}", links), fmt::format("{}", found.back())});
  }
  section.tables.push_back(table);
  const int step = found[2] - found[1];
  section.claims.push_back(sentence_claim({"Section IV.B", "serial cost", "O(N)"},
                                          fmt::format("{} operations more for every two links", step),
                                          found[3] - found[2] == step));
  return section;
}

Section fijany_time() {
  Section section{"Time, measured on this machine", {}, {}, {}, {}};
  Plot plot{"one forward dynamics",
            "N",
            "s",
            {{"constraint forces, serial", {}, {}},
             {"constraint forces, 2 threads", {}, {}},
             {"articulated body, serial", {}, {}},
             {"articulated body, segments, 2 threads", {}, {}}}};
  plot.log_x = plot.log_y = true;
  Table table{"Microseconds, the least of seven rounds.", {"N"}, {}};
  for (const Curve& curve : plot.curves) table.head.push_back(curve.name);
  for (const int links : {100, 300, 1000, 3000, 10000}) {
    const std::array<double, 4> times = times_of(links);
    table.rows.push_back({fmt::format("{}", links)});
    for (std::size_t k = 0; k < times.size(); ++k) {
      plot.curves[k].x.push_back(links);
      plot.curves[k].y.push_back(times[k]);
      table.rows.back().push_back(fmt::format("{:.0f}", 1e6 * times[k]));
    }
  }
  section.tables.push_back(table);
  section.figures.push_back({"", {plot}});
  const std::vector<double>& serial = plot.curves[0].y;
  section.claims.push_back(undetermined_claim(
      {"Section V", "the parallel algorithm speeds up in practice", "a significant speedup"},
      "It was seen on a machine of [13] and for a fixed base; here it depends on how busy this machine is.",
      fmt::format("{:.2f} times the serial one on two threads at N = 10,000",
                  serial.back() / plot.curves[1].y.back())));
  return section;
}

}  // namespace ulna::reproduction
