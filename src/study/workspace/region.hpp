// A region of points that answer a question with yes, on a lattice that is refined at its boundary.
#pragma once

#include "lattice.hpp"
#include "questions.hpp"

#pragma GCC visibility push(hidden)
namespace ulna::reach {

/// Where the coordinates of a lattice are: distance from the axis and height along it, two in a plane, or three in
/// space.
struct Chart {
  explicit Chart(const Robot& robot);

  Vec3<double> point(const Coordinates& at) const;
  Coordinates at(const Vec3<double>& point) const;

  int dimensions;
  bool revolved;
  Vec3<double> origin;
  std::array<Vec3<double>, 3> axes;
};

/// Tips at random positions of the joints.
struct Samples {
  Samples(const Robot& robot, const Chart& chart, int count);

  std::vector<Coordinates> tips;
  LatticeBox box;  // of them, and a margin
};

/// Which points answer with yes. `q` has a position near each where one is known, else nothing, and receives those
/// that were found.
using Question = std::function<std::vector<char>(std::span<const Vec3<double>> points, Positions& q)>;

struct RegionOptions {
  double accuracy = 0.01;
  int first = 8, most = 64;  // cells along the longest side
  int halvings = 6;          // of the edges that leave the region
};

class Region {
 public:
  /// `samples` are of the region itself, or none.
  Region(const Chart& chart, const LatticeBox& box, std::vector<Coordinates> samples, Question question);

  /// Refines until the error is small enough.
  void find(const RegionOptions& options);
  /// Another question whose answer is yes at some of the same points: on the same lattice.
  Lattice within(const Question& question, int halvings) const;

  bool meets_rim() const;
  const Lattice& lattice() const { return lattice_; }
  const Lattice::Measures& measures() const { return measures_; }
  double error() const { return error_; }
  /// Positions of the vertices that are inside, empty elsewhere and where the lattice took them from wider ones.
  const Positions& positions() const { return q_; }

 private:
  void ask_unknown(Lattice& lattice, Positions& q, const Question& question) const;
  void ask_again_beside(Lattice& lattice, Positions& q, const Question& question) const;
  void find_crossings(Lattice& lattice, const Positions& q, const Question& question, int halvings) const;
  std::vector<char> touched(const Lattice& lattice) const;
  void refine();

  const Chart& chart_;
  std::vector<Coordinates> samples_;
  Question question_;
  LatticeBox box_;
  Lattice lattice_;
  Positions q_;
  Lattice::Measures measures_{};
  double error_ = 0.0;
};

}  // namespace ulna::reach
#pragma GCC visibility pop
