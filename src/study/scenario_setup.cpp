#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include <numbers>

#include "base/at_source.hpp"
#include "base/text_file.hpp"
#include "model/number_uses.hpp"
#include "study/feedback.hpp"
#include "study/joint_lookup.hpp"
#include "ulna/base/csv_reader.hpp"
#include "ulna/base/nearest_word.hpp"
#include "ulna/model/local_coordinates.hpp"
#include "ulna/study/path_plan.hpp"
#include "ulna/study/scenario.hpp"

namespace ulna {

namespace {

constexpr std::size_t most_rows = 1'000'000;

struct Table {
  std::vector<double> times, rows;
};

/// All rows of a file that a drive or a motion follows.
Table read_table(CsvReader& reader) {
  Table table;
  std::vector<double> row;
  while (reader.next(row)) {
    if (!table.times.empty() && !(table.times.back() < row[0]))
      reader.fail(fmt::format("time {} does not come after {}; times must rise", row[0], table.times.back()));
    if (table.times.size() == most_rows) reader.fail("has more than a million rows; thin it out");
    table.times.push_back(row[0]);
    table.rows.insert(table.rows.end(), row.begin() + 1, row.end());
  }
  if (table.times.empty()) reader.fail("holds no row of numbers");
  return table;
}

class SetupMaker {
 public:
  SetupMaker(const Scenario& scenario, const Model& model)
      : scenario_(scenario), model_(model), rate_uses_(rate_uses(model)) {
    for (std::size_t k = 0; k < model.q_of_v().size(); ++k) {
      if (model.q_of_v()[k] < 0) continue;
      driven_.push_back(k);
      driven_q_.push_back(static_cast<std::size_t>(model.q_of_v()[k]));
    }
  }

  SimulationSetup make() {
    SimulationSetup setup;
    setup.q0 = start_position();
    if (!scenario_.v.empty()) setup.v0 = joint_numbers("start.v", scenario_.v);
    setup.duration = scenario_.duration;
    setup.every = scenario_.every;
    setup.method = scenario_.method;
    setup.integrator = scenario_.integrator;
    setup.accuracy = {scenario_.relative, scenario_.absolute, scenario_.step, scenario_.largest_step};
    setup.most_steps = scenario_.most_steps;
    setup.baumgarte = scenario_.baumgarte;
    setup.at_limits = scenario_.limits;
    setup.actions.saturate = scenario_.drive.saturate;
    setup.actions.held.sample = scenario_.drive.sample;
    setup.actions.held.seed = scenario_.seed;
    add_drive(setup.actions);
    add_loads(setup.actions);
    add_disturbances(setup.actions.held);
    add_events(setup);
    return setup;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw InputError(scenario_.source, what); }

  /// `all` with numbers from as many, from one per driven joint, or from one for all of those.
  std::vector<double> resolved(const std::string& key, const JointNumbers& list, const std::vector<NumberUse>& uses,
                               const std::vector<std::size_t>& driven, std::vector<double> all) const {
    const std::size_t n = all.size();
    if (list.size() == n) {
      for (std::size_t k = 0; k < n; ++k) all[k] = resolve(list[k], uses[k], key);
      return all;
    }
    if (list.size() != 1 && list.size() != driven.size()) {
      throw InputError(
          list.empty() || list.front().source.file.empty() ? scenario_.source : list.front().source,
          fmt::format(
              "{} has {} numbers; this robot wants {}{}, or one for all", key, list.size(), n,
              driven.size() == n ? "" : fmt::format(" (or {}, without the free and spherical joints)", driven.size())));
    }
    for (std::size_t i = 0; i < driven.size(); ++i)
      all[driven[i]] = resolve(list[list.size() == 1 ? 0 : i], uses[driven[i]], key);
    return all;
  }

  std::vector<double> joint_numbers(const std::string& key, const JointNumbers& list) const {
    return resolved(key, list, rate_uses_, driven_, std::vector<double>(rate_uses_.size(), 0.0));
  }

  std::vector<double> start_position() const {
    if (!scenario_.posture.empty()) return posture_named(scenario_.posture);
    if (scenario_.q.empty()) return model_.neutral();
    std::vector<double> q = resolved("start.q", scenario_.q, position_uses(model_), driven_q_, model_.neutral());
    if (const auto bad = find_bad_quaternion(model_, q))
      fail(fmt::format("start.q: a quaternion x, y, z, w has length {:.4g}; it must be 1", bad->length));
    return q;
  }

  std::vector<double> posture_named(const std::string& name) const {
    if (const Posture* posture = model_.find_posture(name)) return posture->q;
    std::string known;
    for (const Posture& posture : model_.postures()) known += (known.empty() ? "" : ", ") + posture.name;
    fail(fmt::format("start.posture: '{}' has no posture '{}'; {}", model_.name(), name,
                     known.empty() ? "its file names none" : "known: " + known));
  }

  ReferencePointer motion() const {
    const ScenarioMotion& motion = *scenario_.drive.motion;
    const auto nv = static_cast<std::size_t>(model_.nv());
    if (motion.kind == "cosine") {
      const std::vector<double> amplitude = joint_numbers("drive.motion.amplitude", motion.amplitude);
      const std::vector<double> offset =
          motion.offset.empty() ? std::vector<double>(nv, 0.0) : joint_numbers("drive.motion.offset", motion.offset);
      return make_reference(CosineMotion{offset, amplitude, 2.0 * std::numbers::pi / motion.period, motion.phase});
    }
    if (motion.kind == "spline") {
      expect_regular_file(motion.file, "table of positions");
      std::vector<NumberUse> uses{{}};
      for (const std::size_t k : driven_) uses.push_back(rate_uses_[k]);
      CsvReader reader(motion.file, "t" + std::string(driven_.size(), 'q'), std::move(uses), "table of positions");
      const Table table = read_table(reader);
      if (table.times.size() < 2) fail(fmt::format("{}: a spline needs at least two rows", motion.file));
      return make_reference(SplineMotion{table.times, in_all_joints(table.rows, table.times.size()), nv});
    }
    if (motion.kind == "path") return motion_of(load_path_plan(motion.file), model_);
    expect_word("drive.motion.kind", motion.kind, {"cycloid", "quintic", "trapezoid", "cosine", "spline", "path"});
    PointToPoint way;
    way.profile = motion.kind == "cycloid"   ? PointToPoint::Profile::cycloid
                  : motion.kind == "quintic" ? PointToPoint::Profile::quintic
                                             : PointToPoint::Profile::trapezoid;
    way.from = motion.from.empty() ? start_of_joints() : joint_numbers("drive.motion.from", motion.from);
    way.to = joint_numbers("drive.motion.to", motion.to);
    way.start = motion.start;
    way.time = motion.time;
    way.blend = motion.blend;
    return make_reference(way);
  }

  std::vector<double> start_of_joints() const {
    const std::vector<double> q = start_position();
    std::vector<double> from(static_cast<std::size_t>(model_.nv()), 0.0);
    for (std::size_t i = 0; i < driven_.size(); ++i) from[driven_[i]] = q[driven_q_[i]];
    return from;
  }

  /// Rows of the driven joints as rows of all.
  std::vector<double> in_all_joints(const std::vector<double>& rows, std::size_t count) const {
    const auto nv = static_cast<std::size_t>(model_.nv());
    std::vector<double> all(count * nv, 0.0);
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t k = 0; k < driven_.size(); ++k) all[i * nv + driven_[k]] = rows[i * driven_.size() + k];
    return all;
  }

  void expect_word(const char* key, const std::string& word, std::initializer_list<const char*> known) const {
    if (std::find(known.begin(), known.end(), word) == known.end())
      fail(fmt::format("{}: '{}' is none of: {}", key, word, fmt::join(known, ", ")));
  }

  void add_drive(Actions& actions) const {
    const ScenarioDrive& drive = scenario_.drive;
    if (drive.kind == made_in_code)
      fail("the drive was a function or a spline in a program and is in no file; give a drive");
    expect_word("drive.kind", drive.kind,
                {"free", "constant", "table", "playback", "pd", "computed_torque", "lqr", "impedance", "mpc"});
    const bool follows = drive.kind == "playback" || drive.kind == "pd" || drive.kind == "computed_torque";
    if (follows && !drive.motion) fail(fmt::format("drive '{}' needs a [drive.motion] to follow", drive.kind));
    if (drive.kind == "constant") actions.drive = ConstantDrive{joint_numbers("drive.torque", drive.torque)};
    if (drive.kind == "playback") actions.drive = PlaybackDrive{motion()};
    if (drive.kind == "pd")
      actions.drive =
          PdDrive{motion(), joint_numbers("drive.kp", drive.kp), joint_numbers("drive.kd", drive.kd), drive.gravity};
    if (drive.kind == "computed_torque")
      actions.drive =
          ComputedTorqueDrive{motion(), joint_numbers("drive.kp", drive.kp), joint_numbers("drive.kd", drive.kd)};
    if (drive.kind == "table") add_table(actions);
    if (drive.kind == "impedance") actions.drive = impedance();
    if (drive.kind == "lqr") actions.drive = lqr();
    if (drive.kind == "mpc") actions.drive = mpc();
  }

  /// Of a drive that may also just hold the start.
  ReferencePointer motion_or_rest() const {
    if (scenario_.drive.motion) return motion();
    const std::vector<double> here = start_of_joints();
    return make_reference(PointToPoint{PointToPoint::Profile::cycloid, here, here});
  }

  /// Gains are right where the arm is to come to rest, and near it.
  StateFeedbackDrive lqr() const {
    const ReferencePointer reference = motion_or_rest();
    if (reference->size() != static_cast<std::size_t>(model_.nq()))
      fail("drive 'lqr' is for robots whose joints have plain numbers");
    std::vector<double> q(reference->size()), v(q), a(q);
    const double end = scenario_.duration;
    reference->at(end, end, q, v, a);
    return at_source(scenario_.source,
                     [&] { return lqr_drive(model_, q, weights(), scenario_.drive.sample, reference); });
  }

  FeedbackWeights weights() const {
    const ScenarioDrive& drive = scenario_.drive;
    const auto list = [&](const char* key, const std::vector<double>& given, double usual) {
      return joint_numbers(key, given.empty() ? std::vector<double>{usual} : given);
    };
    return {list("drive.position_weight", drive.position_weight, 100.0),
            list("drive.velocity_weight", drive.velocity_weight, 1.0),
            list("drive.effort_weight", drive.effort_weight, 1e-3)};
  }

  ImpedanceDrive impedance() const {
    const ScenarioDrive& drive = scenario_.drive;
    const auto list = [&](const char* key, const std::vector<double>& given) {
      return joint_numbers(key, given.empty() ? std::vector<double>{0.0} : given);
    };
    return {motion_or_rest(),
            drive.frame.empty() ? model_.tip() : moving_frame("drive.frame", drive.frame),
            drive.stiffness,
            drive.turning_stiffness,
            drive.damping,
            drive.turning_damping,
            list("drive.kp", drive.kp),
            list("drive.kd", drive.kd),
            drive.gravity};
  }

  UserDrive mpc() const {
    const ScenarioDrive& drive = scenario_.drive;
    if (scenario_.ensemble.runs > 0) fail("drive 'mpc' keeps the motion that it predicts; ensembles cannot share it");
    if (!(drive.sample > 0.0)) fail("drive 'mpc' needs a sample time");
    return at_source(scenario_.source, [&] {
      return mpc_drive(model_, joint_numbers("drive.to", drive.to), weights(), drive.knots, drive.step);
    });
  }

  void add_table(Actions& actions) const {
    const ScenarioDrive& drive = scenario_.drive;
    expect_word("drive.hold", drive.hold, {"steps", "spline"});
    expect_regular_file(drive.file, "torque table");
    CsvReader reader(drive.file, std::string(1 + driven_.size(), 't'), {}, "torque table");
    Table table = read_table(reader);
    std::vector<double> rows = in_all_joints(table.rows, table.times.size());
    if (drive.hold == "steps") {
      actions.held.steps = {std::move(table.times), std::move(rows)};
      return;
    }
    if (table.times.size() < 2) fail(fmt::format("{}: a spline needs at least two rows", drive.file));
    actions.drive = SplineDrive{std::make_shared<CubicSpline>(
        std::move(table.times), std::move(rows), static_cast<std::size_t>(model_.nv()), CubicSpline::Ends::natural)};
  }

  const Frame& moving_frame(const char* what, const std::string& name) const {
    const Frame* frame = model_.find_frame(name);
    if (frame != nullptr && frame->body >= 0) return *frame;
    std::vector<std::string> moving;
    for (const Frame& other : model_.frames())
      if (other.body >= 0) moving.push_back(other.name);
    fail(fmt::format("{}: '{}' is not a moving link of this robot; {}there are {}", what, name, guess_for(name, moving),
                     some_of(moving)));
  }

  void add_loads(Actions& actions) const {
    for (const ScenarioLoad& load : scenario_.loads) {
      const int body = moving_frame("load", load.link).body;
      actions.held.loads.push_back({body, {load.moment, load.force}, load.from, load.until});
    }
    for (FrameLoad load : scenario_.frame_loads) {
      std::visit([&](auto& kind) { kind.frame = moving_frame("frame", kind.frame.name); }, load);
      actions.frame_loads.push_back(std::move(load));
    }
  }

  void add_disturbances(HeldSpec& held) const {
    for (const ScenarioDisturbance& disturbance : scenario_.disturbances) {
      const int index = joint_index(model_, disturbance.joint, "disturbance", scenario_.source);
      if (disturbance.noise != 0.0)
        held.noises.push_back({index, disturbance.noise, disturbance.every, disturbance.from, disturbance.until});
      else
        held.pulses.push_back({index, disturbance.torque, disturbance.from, disturbance.until});
    }
  }

  void add_events(SimulationSetup& setup) const {
    for (const ScenarioEvent& event : scenario_.events) {
      const bool velocity = event.velocity.has_value();
      if (velocity == event.position.has_value()) fail("event: give a position or a velocity, one of the two");
      if (event.joint.empty() == event.frame.empty()) fail("event: give a joint or a frame, one of the two");
      NumberUse use{NumberUse::Kind::length};
      WatchedValue watched{0, velocity, 0.0, event.action, event.text};
      if (event.frame.empty()) {
        watched.v_index = joint_index(model_, event.joint, "event", scenario_.source);
        use = rate_uses_[static_cast<std::size_t>(watched.v_index)];
      } else {
        watched.frame = moving_frame("event", event.frame);
        watched.axis = event.axis;
      }
      watched.value = resolve(velocity ? *event.velocity : *event.position, use, "event");
      if (watched.text.empty())
        watched.text = fmt::format("{}: {} {}", event.frame.empty() ? event.joint : event.frame,
                                   velocity ? "velocity" : "position", watched.value);
      setup.watched.push_back(std::move(watched));
    }
  }

  const Scenario& scenario_;
  const Model& model_;
  std::vector<NumberUse> rate_uses_;
  std::vector<std::size_t> driven_, driven_q_;  // of v, and where in q they are
};

}  // namespace

SimulationSetup setup_of(const Scenario& scenario, const Model& model) { return SetupMaker(scenario, model).make(); }

}  // namespace ulna
