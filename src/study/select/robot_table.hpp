// A robot's TOML file, parsed once, whose numbers vary.
#pragma once

#include "io/toml/toml_table.hpp"
#include "ulna/study/select/sweep.hpp"

#pragma GCC visibility push(hidden)
namespace ulna::selection {

class RobotTable {
 public:
  /// Throws InputError for a robot that is not known or no TOML file.
  RobotTable(std::string robot, std::vector<SweptNumber> swept);

  const std::string& robot() const { return robot_; }
  /// With these values in the places of the swept numbers; all else is as in the file. Throws InputError for a place
  /// that it lacks.
  Graph varied(const std::vector<double>& values);

 private:
  std::string robot_, file_, name_;
  std::vector<SweptNumber> swept_;
  toml::table root_;
};

/// Throws InputError unless it is NAME.KEY, as in link2.a or tip.pose.xyz[0].
void expect_path(const std::string& path);

}  // namespace ulna::selection
#pragma GCC visibility pop
