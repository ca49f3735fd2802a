// Events: where a function of the state crosses zero.
#pragma once

#include <optional>
#include <vector>

#include "ulna/integrate/integrator.hpp"

namespace ulna {

/// g(t, y): each component is an event where it changes its sign.
class EventFunctions {
 public:
  virtual ~EventFunctions() = default;
  virtual std::size_t size() const = 0;
  virtual void values(double t, std::span<const double> y, std::span<double> g) = 0;
};

struct Crossing {
  double t;
  std::size_t index;  // which component of g
  bool rising;
};

/// Watches an integrator's steps. Call start() with it, then next() after each step.
class EventLocator {
 public:
  EventLocator(Integrator& integrator, EventFunctions& functions, std::size_t state_size);

  void start();
  /// The first crossing after `after` in the last step, located to 1e-12 (of the time unit, or of
  /// |t| where that is larger), or nothing. Ask again from its time for the next one. A function
  /// that starts at zero does not count as crossing.
  std::optional<Crossing> next(double after);
  /// The state at a crossing.
  std::span<const double> state_at(double t);

 private:
  static constexpr std::size_t parts = 4;  // of a step, at whose ends the signs are compared

  double end_of(std::size_t part) const;
  double value_at(std::size_t index, double t);
  void look_just_after(double t);
  std::optional<Crossing> first_in(std::size_t part, double from);
  double locate(std::size_t index, double from, double to);

  Integrator& integrator_;
  EventFunctions& functions_;
  std::vector<double> y_;
  std::vector<double> exact_;   // the functions at a state of a retaken step
  std::vector<double> at_end_;  // and at the end of a part, by interpolation
  std::vector<int> sign_;       // of each function just after seen_; 0: not known yet
  double seen_ = 0.0;           // up to here the signs were followed
  bool fresh_ = true;           // nothing is known yet
};

}  // namespace ulna
