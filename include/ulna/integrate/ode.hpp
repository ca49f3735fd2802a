// Ode: the system of first-order differential equations that an integrator advances.
#pragma once

#include <span>

#include "ulna/real/matrix_view.hpp"
#include "ulna/real/real.hpp"

namespace ulna {

/// y' = f(t, y). Time is a T too: the lanes of a pack may stand at different times.
template <Real T>
class Ode {
 public:
  virtual ~Ode() = default;

  virtual std::size_t size() const = 0;
  /// The first so many components are under error control; the rest are integrals along the way
  /// (work), on which nothing depends.
  virtual std::size_t controlled() const { return size(); }

  virtual void rhs(const T& t, std::span<const T> y, std::span<T> dy) = 0;

  /// ∂f/∂y at (t, y). False: not to be had this way, take finite differences.
  virtual bool jacobian(const T& /*t*/, std::span<const T> /*y*/, MatrixView<T> /*J*/) { return false; }

  /// Called before a step. A system whose state is a point of a group describes it by local
  /// coordinates; when they have run far it may centre them anew, which changes the numbers in y
  /// but not the state. True: y was changed, and y' is to be evaluated again.
  virtual bool recentre(std::span<T> /*y*/) { return false; }
};

}  // namespace ulna
