#include "motion.hpp"

#include <fmt/format.h>

#include "command.hpp"
#include "interrupt.hpp"
#include "model/number_uses.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "ulna/base/atomic_file.hpp"
#include "ulna/base/csv_reader.hpp"

namespace ulna::app {

namespace {

/// One row of the motion: what a row function gets and what it appends to.
struct Row {
  std::span<const double> q, v, a;
  std::vector<double>& out;
};

/// Which joints a motion takes beyond their limits, each with the line where it first does.
class LimitNotes {
 public:
  explicit LimitNotes(const Model& model) : model_(model), lines_(model.joints().size(), 0) {}

  void look(std::span<const double> q, long line) {
    for (std::size_t i = 0; i < lines_.size(); ++i)
      if (lines_[i] == 0 && is_beyond_limits(model_, model_.joints()[i], q)) lines_[i] = line;
  }
  void print(const std::string& file) const {
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const JointInfo& joint = model_.joints()[i];
      if (lines_[i] != 0)
        fmt::print(stderr, "{}:{}: note: '{}' is outside its limits {:g} … {:g}\n", file, lines_[i], joint.name,
                   joint.limits.lower, joint.limits.upper);
    }
  }

 private:
  const Model& model_;
  std::vector<long> lines_;
};

/// Reads, computes row by row through `compute`, writes.
template <class Compute>
int stream(const Model& model, const MotionFiles& files, const std::string& header, const Compute& compute) {
  const auto nq = static_cast<std::size_t>(model.nq()), nv = static_cast<std::size_t>(model.nv());
  std::vector<NumberUse> uses{{}};
  for (const auto& part : {position_uses(model), rate_uses(model), rate_uses(model)})
    uses.insert(uses.end(), part.begin(), part.end());
  CsvReader reader(files.input, "t" + std::string(nq, 'q') + std::string(nv, 'v') + std::string(nv, 'a'),
                   std::move(uses), "motion file");
  AtomicFile file(files.output);
  file.write(header);
  const InterruptGuard guard;
  std::vector<double> row, out;
  LimitNotes limits(model);
  fmt::memory_buffer line;
  std::uintmax_t rows = 0;
  {
    Progress progress(!files.json);
    while (!InterruptGuard::interrupted() && reader.next(row)) {
      const std::span<double> all(row);
      normalise_quaternions(model, all.subspan(1, nq), fmt::format("{}:{}", files.input, reader.line()));
      limits.look(all.subspan(1, nq), static_cast<long>(reader.line()));
      out.clear();
      compute(Row{all.subspan(1, nq), all.subspan(1 + nq, nv), all.subspan(1 + nq + nv, nv), out});
      line.clear();
      fmt::format_to(std::back_inserter(line), "{}", row[0]);
      for (const double x : out) {
        if (!std::isfinite(x)) reader.fail("the torque of this row is not finite; are the numbers meant?");
        fmt::format_to(std::back_inserter(line), ",{}", x);
      }
      line.push_back('\n');
      file.write({line.data(), line.size()});
      ++rows;
      progress.at([&] {
        const double share =
            reader.size() > 0 ? static_cast<double>(reader.bytes_read()) / static_cast<double>(reader.size()) : 0.0;
        return fmt::format("{} rows, {:.0f} %", rows, 100.0 * share);
      });
    }
  }
  if (rows == 0) reader.fail("holds no row of numbers");
  file.commit();
  limits.print(files.input);
  if (InterruptGuard::interrupted())
    fmt::print(stderr, "interrupted: {} holds the first {} rows\n", files.output, rows);
  files.json ? print_json({{"file", files.output}, {"rows", rows}})
             : fmt::print("wrote {} row{} to {}\n", rows, rows == 1 ? "" : "s", files.output);
  return InterruptGuard::interrupted() ? InterruptGuard::exit_code() : 0;
}

}  // namespace

int inverse_dynamics_of_motion(const Model& model, Method<double>& method, Wrenches<double> external,
                               const MotionFiles& files) {
  std::string header = "t";
  for (int k = 1; k <= model.nv(); ++k) header += fmt::format(",tau{}", k);
  return stream(model, files, header + "\n", [&](const Row& row) {
    row.out.resize(row.v.size());
    method.inverse_dynamics(row.q, row.v, row.a, row.out, external);
  });
}

int joint_actions_of_motion(const Model& model, Wrenches<double> external, const MotionFiles& files) {
  std::string header = "t";
  for (const JointInfo& joint : model.joints())
    for (const char* component : {"nx", "ny", "nz", "fx", "fy", "fz"})
      header += fmt::format(",{}.{}", joint.name, component);
  homogeneous::Workspace<double> ws(model);
  Kinematics<double> kinematics(model);
  std::vector<Force<double>> actions(model.bodies().size());
  return stream(model, files, header + "\n", [&](const Row& row) {
    homogeneous::joint_actions(model, ws, row.q, row.v, row.a, actions, external);
    kinematics.update_positions(row.q);
    for (std::size_t i = 0; i < actions.size(); ++i) {
      const Mat3<double> R = kinematics.pose(Frame{"", static_cast<int>(i), Pose<double>::identity()}).R;
      const Vec3<double> n = R * actions[i].moment, f = R * actions[i].force;
      row.out.insert(row.out.end(), {n.x, n.y, n.z, f.x, f.y, f.z});
    }
  });
}

}  // namespace ulna::app
