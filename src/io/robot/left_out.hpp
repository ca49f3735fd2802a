// What a reader of robot files leaves out, each named once: "meshes are not drawn (hand, arm and 3 more)".
#pragma once

#include <set>
#include <string>
#include <vector>

#pragma GCC visibility push(hidden)
namespace ulna {

class LeftOut {
 public:
  /// `name` is whose it is.
  void add(const std::string& what, const std::string& name);
  std::vector<std::string> notices() const;

 private:
  struct Kind {
    std::string what;
    std::set<std::string> names;
    std::vector<std::string> first;
  };
  std::vector<Kind> kinds_;  // few, in the order of the file
};

}  // namespace ulna
#pragma GCC visibility pop
