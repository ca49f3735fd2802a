#include "ulna/io/results/motion.hpp"

#include <fmt/format.h>

#include <cmath>

#include "model/number_uses.hpp"
#include "ulna/base/atomic_file.hpp"
#include "ulna/base/csv_reader.hpp"
#include "ulna/base/error.hpp"
#include "ulna/dynamics/homogeneous/homogeneous.hpp"
#include "ulna/kinematics/kinematics.hpp"
#include "ulna/model/limits.hpp"
#include "ulna/model/local_coordinates.hpp"

namespace ulna {

namespace {

/// One row of the motion: what a row function gets and what it appends to.
struct MotionRow {
  std::span<const double> q, v, a;
  std::vector<double>& out;
};

class MotionReader {
 public:
  MotionReader(const Model& model, const std::string& path)
      : model_(model),
        nq_(static_cast<std::size_t>(model.nq())),
        nv_(static_cast<std::size_t>(model.nv())),
        reader_(path, "t" + std::string(nq_, 'q') + std::string(nv_, 'v') + std::string(nv_, 'a'), uses_of(model),
                "motion file"),
        lines_(model.joints().size(), 0) {}

  /// False at the end of the file.
  bool next() {
    if (!reader_.next(row_)) return false;
    if (const auto bad = find_bad_quaternion(model_, q())) {
      reader_.fail(fmt::format("the quaternion x, y, z, w of joint '{}' has length {:.4g}; it must be 1",
                               bad->joint->name, bad->length));
    }
    normalise(model_, std::span<double>(row_).subspan(1, nq_));
    for (std::size_t i = 0; i < lines_.size(); ++i)
      if (lines_[i] == 0 && is_outside_limits(model_, model_.joints()[i], q())) lines_[i] = reader_.line();
    return true;
  }
  double t() const { return row_[0]; }
  std::span<const double> q() const { return std::span<const double>(row_).subspan(1, nq_); }
  std::span<const double> v() const { return std::span<const double>(row_).subspan(1 + nq_, nv_); }
  std::span<const double> a() const { return std::span<const double>(row_).subspan(1 + nq_ + nv_, nv_); }
  [[noreturn]] void fail(const std::string& what) const { reader_.fail(what); }

  double share() const {
    return reader_.size() > 0 ? static_cast<double>(reader_.bytes_read()) / static_cast<double>(reader_.size()) : 0.0;
  }
  std::vector<MotionRecord::Outside> outside() const {
    std::vector<MotionRecord::Outside> list;
    for (std::size_t i = 0; i < lines_.size(); ++i)
      if (lines_[i] != 0) list.push_back({model_.joints()[i].name, lines_[i], model_.joints()[i].limits});
    return list;
  }

 private:
  static std::vector<NumberUse> uses_of(const Model& model) {
    std::vector<NumberUse> uses{{}};
    for (const auto& part : {position_uses(model), rate_uses(model), rate_uses(model)})
      uses.insert(uses.end(), part.begin(), part.end());
    return uses;
  }

  const Model& model_;
  std::size_t nq_, nv_;
  CsvReader reader_;
  std::vector<double> row_;
  std::vector<long> lines_;  // by joint: where the motion first takes it outside its limits
};

/// Reads, computes row by row through `compute`, writes.
template <class Compute>
MotionRecord stream(const Model& model, const MotionFiles& files, const std::string& header,
                    const MotionProceed& proceed, const Compute& compute) {
  MotionReader reader(model, files.input);
  AtomicFile file(files.output);
  file.write(header);
  MotionRecord record;
  std::vector<double> out;
  fmt::memory_buffer line;
  while ((record.complete = !proceed || proceed({record.rows, reader.share()})) && reader.next()) {
    out.clear();
    compute(MotionRow{reader.q(), reader.v(), reader.a(), out});
    line.clear();
    fmt::format_to(std::back_inserter(line), "{}", reader.t());
    for (const double x : out) {
      if (!std::isfinite(x)) reader.fail("the result of this row is not finite; are the numbers meant?");
      fmt::format_to(std::back_inserter(line), ",{}", x);
    }
    line.push_back('\n');
    file.write({line.data(), line.size()});
    ++record.rows;
  }
  if (record.rows == 0 && record.complete) reader.fail("holds no row of numbers");
  file.commit();
  record.outside = reader.outside();
  return record;
}

}  // namespace

MotionRecord inverse_dynamics_of_motion(const Model& model, Method<double>& method, Wrenches<double> external,
                                        const MotionFiles& files, const MotionProceed& proceed) {
  std::string header = "t";
  for (int k = 1; k <= model.nv(); ++k) header += fmt::format(",tau{}", k);
  return stream(model, files, header + "\n", proceed, [&](const MotionRow& row) {
    row.out.resize(row.v.size());
    method.inverse_dynamics(row.q, row.v, row.a, row.out, external);
  });
}

MotionRecord joint_actions_of_motion(const Model& model, Wrenches<double> external, const MotionFiles& files,
                                     const MotionProceed& proceed) {
  std::string header = "t";
  for (const JointInfo& joint : model.joints())
    for (const char* component : {"nx", "ny", "nz", "fx", "fy", "fz"})
      header += fmt::format(",{}.{}", joint.name, component);
  homogeneous::Workspace<double> ws(model);
  Kinematics<double> kinematics(model);
  std::vector<Force<double>> actions(model.bodies().size());
  return stream(model, files, header + "\n", proceed, [&](const MotionRow& row) {
    homogeneous::joint_actions(model, ws, row.q, row.v, row.a, actions, external);
    kinematics.update_positions(row.q);
    for (std::size_t i = 0; i < actions.size(); ++i) {
      const Mat3<double> R = kinematics.pose(Frame{"", static_cast<int>(i), Pose<double>::identity()}).R;
      const Vec3<double> n = R * actions[i].moment, f = R * actions[i].force;
      row.out.insert(row.out.end(), {n.x, n.y, n.z, f.x, f.y, f.z});
    }
  });
}

MotionRecord linearisation_of_motion(const Model& model, Lineariser& lineariser, const MotionFiles& files,
                                     const MotionProceed& proceed) {
  if (!model.loops().empty()) throw InputError("a whole motion is linearised for robots without closed loops");
  std::string header = "t";
  const auto name = [&](const char* matrix, int columns) {
    for (int i = 1; i <= 2 * model.nv(); ++i)
      for (int j = 1; j <= columns; ++j) header += fmt::format(",{}{}_{}", matrix, i, j);
  };
  name("A", 2 * model.nv());
  name("B", static_cast<int>(lineariser.actuated().size()));
  return stream(model, files, header + "\n", proceed, [&](const MotionRow& row) {
    const LinearisedRobot at = lineariser(row.q, row.v, lineariser.torques(row.q, row.v, row.a));
    for (const MatrixView<const double>& matrix : {at.a_matrix(), at.b_matrix()})
      for (int i = 0; i < matrix.rows; ++i)
        for (int j = 0; j < matrix.cols; ++j) row.out.push_back(matrix(i, j));
  });
}

}  // namespace ulna
