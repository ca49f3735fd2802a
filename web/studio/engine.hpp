// The engine of the studio: requests and answers in JSON, numbers in bulk beside them. It is compiled to WebAssembly
// for the page and natively for tests. studio.d.ts has the requests and their answers.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ulna::studio {

/// One user's robot, and what was made for it. Nothing is thrown: what is wrong comes back as {"error": …}.
class Engine {
 public:
  Engine();
  ~Engine();

  /// The answer to {"do": …}, until the next request.
  const std::string& answer(std::string_view request);
  /// What the answer's "arrays" point into: name → [first, rows, columns], row by row.
  const std::vector<double>& numbers() const;

 private:
  struct Session;
  std::unique_ptr<Session> session_;
  std::string answer_;
};

}  // namespace ulna::studio
