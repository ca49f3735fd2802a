// What the programs that measure in rounds share: the times of a contestant, and the argument.
#pragma once

#include <vector>

namespace ulna::bench {

/// One time per round; neighbours on the machine push single ones up, never down.
class Times {
 public:
  void add(double time) { times_.push_back(time); }
  double minimum() const;
  double median() const;

 private:
  std::vector<double> times_;
};

/// A positive whole number, or 0 if the text is none.
int rounds_of(const char* text);

}  // namespace ulna::bench
