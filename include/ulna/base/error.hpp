// Wrong input: what is wrong or suspicious in a file, a robot or a call, said so that a person can act on it.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace ulna {

/// A place in a file; line 0 when there is none (a generated robot, a whole file).
struct Source {
  std::string file;
  int line = 0;
};

struct Finding {
  enum class Severity { error, warning } severity;
  std::string link;    // the body or joint it is about; empty for the whole robot
  std::string reason;  // what, with the numbers
  std::string remedy;  // what to do
  Source source;
  bool physics = false;  // about mass data: `allow_nonphysical` turns its refusal off
};

/// "file:line: error: 'forearm': reason; remedy"
std::string to_line(const Finding& finding);

/// Bad input. `what()` is one line per finding; errors of files, command line and robots alike.
class InputError : public std::runtime_error {
 public:
  explicit InputError(const std::string& message) : InputError(Source{}, message) {}
  InputError(const Source& source, const std::string& message)
      : InputError(std::vector<Finding>{{Finding::Severity::error, "", message, "", source, false}}) {}
  explicit InputError(std::vector<Finding> findings);

  const std::vector<Finding>& findings() const { return findings_; }

 private:
  std::vector<Finding> findings_;
};

}  // namespace ulna
