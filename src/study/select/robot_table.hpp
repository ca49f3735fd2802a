// A robot's TOML file, parsed once, whose numbers vary, and others by rules with them.
#pragma once

#include <mutex>

#include "expression.hpp"
#include "io/toml/toml_table.hpp"
#include "ulna/study/select/sweep.hpp"

#pragma GCC visibility push(hidden)
namespace ulna::selection {

class RobotTable {
 public:
  /// Throws InputError for a robot that is not known or no TOML file.
  RobotTable(std::string robot, std::vector<SweptNumber> swept, const std::vector<DesignRule>& rules);

  const std::string& robot() const { return robot_; }
  const std::string& text() const { return text_; }  // of the file
  /// With these values in the places of the swept numbers, and what the rules then give; all else is as in the file.
  /// Throws InputError for a place that it lacks. Threads may call it at once: each waits for its turn.
  Graph varied(const std::vector<double>& values) const;

 private:
  struct Rule {
    std::string path;
    Expression expression;
    std::optional<double> in_file;  // nothing where the file has no such number
  };
  void restore(const Rule& rule) const;

  std::string robot_, text_, file_, name_;
  std::vector<SweptNumber> swept_;
  std::vector<Rule> rules_;
  mutable std::mutex turn_;
  mutable toml::table root_;  // with the numbers of the last call
};

/// Where a rule is written, for errors.
std::string where_of(const DesignRule& rule);

/// Throws InputError that names `what` it is a place for unless it is NAME.KEY, as in link2.a or tip.pose.xyz[0].
void expect_path(const std::string& path, const char* what);

}  // namespace ulna::selection
#pragma GCC visibility pop
