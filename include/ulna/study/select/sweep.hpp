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

/// A number of a robot file that follows from others: link2.mass = 3.5*link2.a. It reads numbers as the file has them,
/// with those that vary and what the rules before it gave.
struct DesignRule {
  std::string path;
  std::string expression;  // + - * / ^ and brackets over numbers and places
};

/// PATH=EXPRESSION. Throws InputError.
DesignRule parse_design_rule(const std::string& text);

/// The robot with these values in the places of the swept numbers and what the rules then give; all else is as in its
/// file. Throws InputError for a robot that is not known or no TOML file, and for a place that it lacks.
Graph varied_graph(const std::string& robot, const std::vector<SweptNumber>& swept, const std::vector<double>& values,
                   const std::vector<DesignRule>& rules = {});

/// One point of a sweep; the numbers are in their order in `swept`.
struct Variant {
  std::string robot;
  std::vector<double> values;
};

/// Every combination of `steps` values of each number, for each robot; the last number changes first.
class VariantGrid {
 public:
  /// Throws InputError for fewer than two steps, ranges that are not finite, and more variants than can be counted.
  VariantGrid(std::vector<std::string> robots, std::vector<SweptNumber> swept, int steps);

  std::size_t size() const { return combinations_ * robots_.size(); }
  const std::vector<std::string>& robots() const { return robots_; }
  const std::vector<SweptNumber>& swept() const { return swept_; }
  int steps() const { return steps_; }
  std::size_t robot_of(std::size_t variant) const { return variant / combinations_; }
  /// Which of its values each number has.
  std::vector<int> steps_of(std::size_t variant) const;
  Variant at(std::size_t variant) const;

 private:
  std::vector<std::string> robots_;
  std::vector<SweptNumber> swept_;
  int steps_;
  std::size_t combinations_ = 1;
};

/// More are not compared in memory, with all that is known of each; they are a DesignSweep.
inline constexpr std::size_t most_variants = 500;
/// All of a grid. Throws InputError for more than `most_variants`.
std::vector<Variant> variants(const VariantGrid& grid);

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
