// What a robot's tip reaches: how far, how much space, with which orientations and under which load.
//
// A point is asked by inverse kinematics, and not met by chance from samples of the joints. Points on a lattice are
// asked; where neighbours differ the lattice is refined, and each of its edges that leaves the workspace is halved
// until the place is known. The size is that of the simplices between, exactly: its error falls with the square of the
// lattice's edge, so that it is told by the lattice twice as wide. Where the first joint makes a full turn, the lattice
// lies in a half plane through its axis, and the size is that of the body of revolution; otherwise it lies in space, or
// in the plane of a planar arm. Tips at random positions of the joints show where a part is thinner than the lattice.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ulna/kinematics/tip_task.hpp"
#include "ulna/model/build.hpp"
#include "ulna/study/interrupted.hpp"

namespace ulna::reach {

struct Size {
  double value = 0.0, error = 0.0;  // m² or m³: within ± error
};

struct Options {
  std::string frame{};                                        // empty: the tip
  std::map<std::string, std::pair<double, double>> ranges{};  // of joints, within their limits
  double accuracy = 0.01;                                     // the error of the size that is aimed at, as a part of it
  int threads = 0;                                            // 0: as many as the machine has
  KeepGoing keep_going{};
  bool quick = false;  // a wide lattice, for a first look at many robots: the error may be far above the accuracy
};

/// A robot within its ranges, and the space that its frame moves in.
struct Robot {
  Model model;
  Frame frame{};
  TipTask task{};
  int first = -1;         // the body of the first joint that moves the frame
  bool revolved = false;  // that joint makes a full turn about the axis, and the frame moves in space
  Vec3<double> origin{};  // of the first joint, on its axis
  Vec3<double> axis{};    // along which it slides or about which it turns
  int moving = 0;         // how many degrees of freedom move the frame

  int dimension() const { return task.position.dimension; }
};

/// Throws InputError for loops, a free base, joints without bounds, a range of a joint that is not there or is no
/// number, an accuracy that is none, an unknown frame, and for a frame that fills neither a plane nor the space.
Robot make_robot(const Graph& graph, const Options& options);

struct Volume {
  Size size{};
  int holes = 0;  // enclosed on all sides
  double hole_size = 0.0;
  double edge = 0.0;  // of the lattice, m: narrower holes are not seen
};

struct Dexterity {
  Size size{};                 // of the part that is reached with every orientation
  bool enough_joints = false;  // otherwise it is none
  int orientations = 0;        // that were asked for at each point
};

/// From a point: the origin of the world, and the first joint's axis where it turns.
struct Extent {
  double largest = 0.0, smallest = 0.0;
  std::vector<double> q_largest{}, q_smallest{};
};

/// A point that is reached.
struct Point {
  Vec3<double> p{};
  std::vector<double> q{};
  double service = 0.0;  // share of directions of the frame's axis; NaN where it was not asked
  double payload = 0.0;  // kg; NaN without limits of effort, infinite where nothing presses
};

/// A plane through the workspace: row by row from y_low, NaN where the frame cannot be.
struct Slice {
  std::string title{}, x_label{}, y_label{};
  Vec3<double> origin{}, x_axis{}, y_axis{};  // p = origin + x x_axis + y y_axis
  std::optional<double> height{};             // of one across the axis
  double x_low = 0.0, x_high = 0.0, y_low = 0.0, y_high = 0.0;
  int columns = 0, rows = 0;
  std::vector<char> reached{};
  std::vector<double> service{}, payload{};  // as at a Point
};

struct Record {
  Robot robot;
  Volume volume{};
  std::optional<Dexterity> dexterity{};
  Extent from_base{};
  std::optional<Extent> from_axis{};
  std::array<double, 2> height{};  // of the tip along the axis of the first joint, from its origin
  bool has_service = false, has_payload = false;
  double mean_service = 0.0;    // over the points of the workspace
  double least_payload = 0.0;   // that is held at every point, in the best posture that was found
  std::vector<Point> points{};  // all over it; of a body of revolution: of its section
  std::vector<Slice> slices{};
  std::vector<std::array<Vec3<double>, 3>>
      boundary{};  // triangles, seen from outside against the clock; none in a plane
  std::vector<std::array<Vec3<double>, 2>> outline{};  // of the section or of the planar workspace, none of others
};

/// Sizes alone.
Volume find_volume(const Robot& robot, const Options& options);
Dexterity find_dexterity(const Robot& robot, const Options& options);

inline constexpr int most_slices = 50;

struct Parts {
  bool dexterity = true;
  bool maps = true;  // points and slices with service and payload
  int slices = 3;    // across the axis, beside the one along it
};
/// Throws as make_robot does, and for slices that are negative or more than the most.
Record explore(const Graph& graph, const Parts& parts, const Options& options);

}  // namespace ulna::reach
