// Robots whose numbers vary: what a design sweep goes through, and which of its variants are worth a look.
#pragma once

#include "ulna/study/select/comparison.hpp"

namespace ulna::selection {

/// A number of a robot file by its place: link2.a, tip.pose.xyz[0].
struct SweptNumber {
  std::string path;
  double from = 0.0, to = 0.0;
  bool is_angle = false;

  double at(int step, int steps) const { return from + (to - from) * step / (steps - 1); }
};

/// PATH=FROM..TO. Throws InputError.
SweptNumber parse_swept_number(const std::string& text);

/// The robot with these numbers in their places; all else is as in its file. Throws InputError for a robot
/// that is no TOML file, and for a place that is not in it.
Graph varied_graph(const std::string& robot, const std::vector<SweptNumber>& swept, const std::vector<double>& values);

/// One point of a sweep; the numbers are in their order in `swept`.
struct Variant {
  std::string robot;
  std::vector<double> values;
};
/// Every combination of `steps` values of each, for each robot.
std::vector<Variant> variants(const std::vector<std::string>& robots, const std::vector<SweptNumber>& swept, int steps);

/// What a design sweep went through; without swept numbers it is a comparison of robots as they are.
struct Sweep {
  std::vector<SweptNumber> swept{};
  std::vector<Variant> variants{};  // one per candidate
  std::string first{}, second{};    // criteria of the Pareto front
};

/// Those of the arms `among` than which no other of them is better in one of the two criteria and as good in the other,
/// in the order of the first.
std::vector<std::size_t> pareto_front(const Criterion& first, const Criterion& second,
                                      std::span<const std::size_t> among);

/// Of the ranked variants, by the sweep's two criteria.
std::vector<std::size_t> front_of(const Comparison& comparison, const Sweep& sweep);

/// The row of this key, which expect_criterion() has found good.
const Criterion& criterion_named(const Comparison& comparison, const std::string& key);

}  // namespace ulna::selection
