// A robot's TOML file, parsed once, whose numbers vary.
#pragma once

#include <mutex>

#include "io/toml/toml_table.hpp"
#include "ulna/study/select/sweep.hpp"

#pragma GCC visibility push(hidden)
namespace ulna::selection {

class RobotTable {
 public:
  /// Throws InputError for a robot that is not known or no TOML file.
  RobotTable(std::string robot, std::vector<SweptNumber> swept);

  const std::string& robot() const { return robot_; }
  const std::string& text() const { return text_; }  // of the file
  /// With these values in the places of the swept numbers; all else is as in the file. Throws InputError for a place
  /// that it lacks. Threads may call it at once: each waits for its turn.
  Graph varied(const std::vector<double>& values) const;

 private:
  std::string robot_, text_, file_, name_;
  std::vector<SweptNumber> swept_;
  mutable std::mutex turn_;
  mutable toml::table root_;  // with the numbers of the last call
};

/// Throws InputError unless it is NAME.KEY, as in link2.a or tip.pose.xyz[0].
void expect_path(const std::string& path);

}  // namespace ulna::selection
#pragma GCC visibility pop
