// Free fall of an arm: every integrator at several settings against MuJoCo's Runge–Kutta method, by
// the error that each of them achieves at the end. Contestants in turn, minimum and median.
//
// Ulna's time is that of simulate(), with all that it sets up, samples at both ends only and no
// limits watched; MuJoCo's is that of its loop of mj_step. One core each. Rows "own code" are Ulna's with the robot's
// own forward dynamics, compiled before.
//
// Usage: bench_simulate [ROUNDS [ROBOT SECONDS]]; the robot has six joints. Exit 1: the errors are not
// as they should be. Without arguments the bundled arm falls for four seconds: after ten, its light
// wrist has spun up so fast that double precision no longer knows where it is.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <functional>
#include <optional>

#include "contest.hpp"
#include "peers/libraries.hpp"
#include "peers/rounds.hpp"
#include "ulna/io/robot/load.hpp"
#include "ulna/simulate/simulation.hpp"
#include "ulna/trace/compiled.hpp"

namespace {

using namespace ulna;
using namespace ulna::bench;

constexpr double peer_step = 0.001;
constexpr double error_bar = 6.7e-3;                          // rad: what MuJoCo achieves in ten seconds with a UR5
constexpr double speed_bar = 40.0, bundled_speed_bar = 15.0;  // in ten seconds; in four, of the bundled arm
constexpr double truth_bar = 1e-5;  // rad: how well the methods that make the truth must agree
const std::vector<double> start{0.1, -0.6, 0.8, 0.3, 0.5, 0.2};

/// Settings from coarse to fine: tolerances, relative and absolute, or steps where the method needs them.
struct Ladder {
  std::string integrator;
  std::vector<double> settings;
  bool own_code = false;

  std::string name() const { return integrator + (own_code ? ", own code" : ""); }
};
const std::vector<Ladder> ladders{
    {"rk4", {0.004, 0.002, 0.001, 0.0005, 0.00025}},
    {"rkf45", {1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11}},
    {"dp5", {1e-6, 3e-7, 1e-7, 3e-8, 1e-8, 3e-9, 1e-9, 1e-10, 1e-11}},
    {"dop853", {1e-6, 3e-7, 1e-7, 3e-8, 1e-8, 5e-9, 4e-9, 3e-9, 2e-9, 1e-9, 5e-10, 3e-10, 1e-10, 1e-11}},
    {"adams", {1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12}},
    {"bdf", {1e-8, 1e-9, 1e-10, 1e-11, 1e-12}},
    {"symplectic", {0.01, 0.005, 0.0025, 0.00125}},
    {"rk4", {0.001, 0.0005, 0.00025}, true},
    {"dop853", {1e-8, 5e-9, 4e-9, 3e-9, 2e-9, 1e-9, 5e-10, 3e-10, 1e-10, 1e-11}, true},
};

struct End {
  std::vector<double> q;
  long right_hand_sides = 0;
};

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) largest = std::max(largest, std::fabs(a[k] - b[k]));
  return largest;
}

/// The robot less its massless leaves on fixed joints, such as a tool's frame. MuJoCo's reader of URDF
/// leaves them out too; as bodies they make a UR5 take it 81 ms instead of 68.
Graph without_frames(Graph graph) {
  const auto joint_to = [&](const std::string& body) {
    return std::find_if(graph.joints.begin(), graph.joints.end(), [&](const GraphJoint& j) { return j.child == body; });
  };
  const auto is_frame = [&](const GraphBody& body) {
    const auto joint = joint_to(body.name);
    return !has_mass_or_inertia(body.mass) && joint != graph.joints.end() && joint->kind == JointKind::fixed &&
           std::none_of(graph.joints.begin(), graph.joints.end(),
                        [&](const GraphJoint& j) { return j.parent == body.name; });
  };
  for (auto body = graph.bodies.begin(); body != graph.bodies.end();) {
    if (is_frame(*body)) {
      graph.joints.erase(joint_to(body->name));
      graph.bodies.erase(body);
      body = graph.bodies.begin();  // its parent may be one now
    } else {
      ++body;
    }
  }
  return graph;
}

class Nowhere final : public Recorder {
 public:
  void record(std::span<const double>) override {}
};

/// A run owns its method; the compiled one serves many runs.
class Borrowed final : public Method<double> {
 public:
  explicit Borrowed(Method<double>& lender) : lender_(lender) {}
  void forward_dynamics(VectorIn<double> q, VectorIn<double> v, VectorIn<double> tau, VectorOut<double> a,
                        Wrenches<double> external) override {
    lender_.forward_dynamics(q, v, tau, a, external);
  }

 private:
  Method<double>& lender_;
};

class Fall {
 public:
  Fall(const std::string& robot, double seconds)
      : graph_(load_graph(robot)),
        model_(build(graph_)),
        seconds_(seconds),
        compiled_(compile<double>(model_, Quantity::forward_dynamics)) {
    if (!compiled_.own) fmt::print("No own code here: {}\n", compiled_.note);
    for (const peers::Library& library : peers::libraries())
      if (library.name == "mujoco") mujoco_ = library.make(without_frames(graph_), model_).robot;
  }
  Fall(const Fall&) = delete;
  Fall& operator=(const Fall&) = delete;

  const Model& model() const { return model_; }
  double seconds() const { return seconds_; }
  bool has_mujoco() const { return mujoco_ != nullptr; }

  End by_ulna(const std::string& integrator, double setting, bool own_code = false) const {
    SimulationSetup setup;
    if (own_code) setup.forward = [this](const Model&) { return std::make_unique<Borrowed>(*compiled_.method); };
    setup.q0 = start;
    setup.duration = setup.every = seconds_;
    setup.integrator = integrator;
    setup.at_limits = EventAction::ignore;
    if (integrator_info(integrator).needs_step) {
      setup.accuracy.fixed_step = setting;
    } else {
      setup.accuracy.relative = setup.accuracy.absolute = setting;
    }
    Nowhere nowhere;
    RunResult result = simulate(model_, setup, nowhere);
    if (result.status != RunStatus::completed) throw std::runtime_error("error: " + integrator + ": " + result.reason);
    return {std::move(result.final_q), result.statistics.right_hand_sides};
  }

  End by_mujoco() const {
    const long count = std::lround(seconds_ / peer_step);
    std::vector<double> q = start, v(start.size());
    if (!mujoco_->run_free(peer_step, count, q, v)) throw std::runtime_error("error: MuJoCo does not run this robot");
    return {std::move(q), 4 * count};
  }

 private:
  Graph graph_;
  Model model_;
  double seconds_;
  Compiled<double> compiled_;
  std::unique_ptr<peers::Peer> mujoco_;
};

struct Entry {
  std::string name;
  double setting;
  bool by_step;
  std::function<End(double setting)> fall;
  double error = 0.0;
  double error_near_by = 0.0;  // the largest, of tolerances around this one too
  long right_hand_sides = 0;
  Times milliseconds{};

  void run(const std::vector<double>& truth) {
    const auto began = std::chrono::steady_clock::now();
    const End end = fall(setting);
    milliseconds.add(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began).count());
    error = distance(end.q, truth);
    right_hand_sides = end.right_hand_sides;
  }

  /// Where steps are chosen by tolerance, a small change of it changes them all, and the error by
  /// factors: one good end may be luck.
  void look_near_by(const std::vector<double>& truth) {
    error_near_by = error;
    for (const double factor : {0.8, 0.9, 1.1, 1.25})
      if (!by_step) error_near_by = std::max(error_near_by, distance(fall(factor * setting).q, truth));
  }
};

class Comparison {
 public:
  Comparison(const Fall& fall, double bar) : fall_(fall), bar_(bar), truth_(fall.by_ulna("dop853", 1e-14).q) {
    // of another family, so that they share no fault; and coarser, for what rounding leaves
    doubt_ = std::max(distance(truth_, fall.by_ulna("symplectic", 0.001).q),
                      distance(truth_, fall.by_ulna("dop853", 1e-13).q));
    if (fall.has_mujoco())
      mujoco_.emplace(Entry{"mujoco rk4", peer_step, true, [&](double) { return fall_.by_mujoco(); }});
    for (const Ladder& ladder : ladders)
      for (const double setting : ladder.settings)
        entries_.push_back(
            {ladder.name(), setting, integrator_info(ladder.integrator).needs_step,
             [this, &ladder](double near) { return fall_.by_ulna(ladder.integrator, near, ladder.own_code); }});
  }
  Comparison(const Comparison&) = delete;
  Comparison& operator=(const Comparison&) = delete;

  void run(int rounds) {
    for (int r = 0; r < rounds; ++r) {
      if (mujoco_) mujoco_->run(truth_);
      for (Entry& entry : entries_) entry.run(truth_);
    }
    for (Entry& entry : entries_) entry.look_near_by(truth_);
    if (mujoco_) mujoco_->look_near_by(truth_);
  }

  void print() const {
    fmt::print("\n## {}, {} s of free fall\n\n", fall_.model().name(), fall_.seconds());
    fmt::print("The truth is dop853 at 1e-14; at 1e-13, and by symplectic at 0.001 s, it is {:.1e} rad off.\n\n",
               doubt_);
    fmt::print(
        "| integrator | setting | right-hand sides | error of q, rad | largest near by | min ms | median ms | {} |\n",
        "times faster than mujoco (min) | (median)");
    fmt::print("|---|---:|---:|---:|---:|---:|---:|---:|---:|\n");
    if (mujoco_) print_row(*mujoco_);
    for (const Entry& entry : entries_) print_row(entry);
    print_bars();
  }

  /// Whether the truth is one, every method comes near it at its finest setting, and MuJoCo too.
  bool is_sound() const {
    if (doubt_ > truth_bar) return false;
    if (mujoco_ && mujoco_->error > error_bar) return false;
    return std::all_of(entries_.begin(), entries_.end(),
                       [&](const Entry& entry) { return !is_finest(entry) || entry.error <= error_bar; });
  }

 private:
  void print_row(const Entry& e) const {
    const auto ratio = [&](auto time) { return mujoco_ ? fmt::format("{:.1f}", time(*mujoco_) / time(e)) : ""; };
    fmt::print("| {} | {:g}{} | {} | {:.1e} | {:.1e} | {:.2f} | {:.2f} | {} | {} |\n", e.name, e.setting,
               e.by_step ? " s" : "", e.right_hand_sides, e.error, e.error_near_by, e.milliseconds.minimum(),
               e.milliseconds.median(), ratio(minimum), ratio(median));
  }
  static double minimum(const Entry& e) { return e.milliseconds.minimum(); }
  static double median(const Entry& e) { return e.milliseconds.median(); }

  bool is_finest(const Entry& entry) const {
    return std::none_of(entries_.begin(), entries_.end(),
                        [&](const Entry& other) { return other.name == entry.name && other.setting < entry.setting; });
  }

  /// The fastest whose error is as wanted, and so are those of all finer settings.
  const Entry* fastest(double wanted, double Entry::*error) const {
    const Entry* best = nullptr;
    for (const Entry& entry : entries_) {
      const bool met = std::all_of(entries_.begin(), entries_.end(), [&](const Entry& other) {
        return other.name != entry.name || other.setting > entry.setting || other.*error <= wanted;
      });
      if (met && (best == nullptr || minimum(entry) < minimum(*best))) best = &entry;
    }
    return best;
  }

  void print_bars() const {
    fmt::print("\n## Bars: times faster than mujoco rk4 at {} s\n\n", peer_step);
    if (!mujoco_) return fmt::print("mujoco is not here.\n");
    if (doubt_ > truth_bar) return fmt::print("There is no truth to compare with.\n");
    fmt::print("| as accurate as {:.1e} rad | by | wanted | min | median | |\n|---|---|---:|---:|---:|---|\n",
               wanted());
    print_bar("at its setting", fastest(wanted(), &Entry::error));
    print_bar("at tolerances near by too", fastest(wanted(), &Entry::error_near_by));
  }
  double wanted() const { return std::min(error_bar, mujoco_->error); }

  void print_bar(const char* where, const Entry* ulna) const {
    if (ulna == nullptr) return fmt::print("| {} | none | ≥ {} | | | **missed** |\n", where, bar_);
    const double by_minimum = minimum(*mujoco_) / minimum(*ulna), by_median = median(*mujoco_) / median(*ulna);
    fmt::print("| {} | {} {:g} | ≥ {} | {:.1f} | {:.1f} | {} |\n", where, ulna->name, ulna->setting, bar_, by_minimum,
               by_median, std::min(by_minimum, by_median) >= bar_ ? "met" : "**missed**");
  }

  const Fall& fall_;
  double bar_;  // times MuJoCo's speed
  std::vector<double> truth_;
  double doubt_ = 0.0;  // how far other ways to the truth end from it
  std::optional<Entry> mujoco_;
  std::vector<Entry> entries_;
};

int compare(int rounds, const std::string& robot, double seconds, double bar) {
  if (!is_optimised()) fmt::print("**This build is not optimised; its numbers mean nothing.**\n\n");
  fmt::print("One core each, double; MuJoCo as packaged by the system. {} rounds, contestants in turn.\n", rounds);
  const Fall fall(robot, seconds);
  Comparison comparison(fall, bar);
  comparison.run(rounds);
  comparison.print();
  if (comparison.is_sound()) return 0;
  fmt::print("\n**The errors are not as they should be: some finest setting, MuJoCo or the truth itself is off.**\n");
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc == 1 ? 11 : rounds_of(argv[1]);
  const double seconds = argc == 4 ? std::atof(argv[3]) : 4.0;
  if (rounds == 0 || argc == 3 || argc > 4 || !(seconds > 0.0)) {
    fmt::print(stderr,
               "error: bench_simulate takes how many rounds (11 without), then a robot and the seconds it falls\n");
    return 2;
  }
  try {
    return argc == 4 ? compare(rounds, argv[2], seconds, speed_bar)
                     : compare(rounds, "ur5_like", seconds, bundled_speed_bar);
  } catch (const std::exception& e) {
    fmt::print(stderr, "{}\n", e.what());
    return 2;
  }
}
