// Trace: a scalar that records instead of computing. A constant is kept as the number it is and
// folded with other constants; everything else is a node of somebody's graph of operations
// (trace/op_graph.hpp), to which the scalar only hands what it is asked to do.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "ulna/real/exact_sincos.hpp"
#include "ulna/real/real.hpp"

namespace ulna {

enum class Operation : unsigned char {
  input,
  constant,
  add,
  multiply,
  divide,
  sine,
  cosine,
  square_root,
  absolute,
  arc_tangent,
  less,
  select,
};

struct Trace;

/// Who keeps the nodes.
class TraceRecorder {
 public:
  virtual ~TraceRecorder() = default;
  virtual Trace record(Operation operation, const Trace& a, const Trace& b, const Trace& c) = 0;
};

struct Trace {
  TraceRecorder* recorder = nullptr;  // nullptr: a constant
  double value = std::numeric_limits<double>::quiet_NaN();
  std::uint32_t node = 0;
  bool negative = false;  // minus the node: a sign costs nothing

  Trace() = default;
  explicit Trace(double constant) : value(constant) {}
  Trace(TraceRecorder* keeper, std::uint32_t index, bool minus) : recorder(keeper), node(index), negative(minus) {}

  bool is_constant() const { return recorder == nullptr; }

  Trace& operator+=(const Trace& b);
  Trace& operator-=(const Trace& b);
  Trace& operator*=(const Trace& b);
  Trace& operator/=(const Trace& b);
};

namespace trace_detail {

/// A sum of constants; what is left of a cancellation down to rounding is zero, as it is for the
/// decimal numbers that robot files hold.
inline double sum(double a, double b) {
  const double s = a + b;
  return std::fabs(s) <= 4.0 * std::numeric_limits<double>::epsilon() * std::max(std::fabs(a), std::fabs(b)) ? 0.0 : s;
}

/// A product of constants; a number times its reciprocal is one.
inline double product(double a, double b) {
  const double p = a * b;
  return std::fabs(std::fabs(p) - 1.0) <= 2.0 * std::numeric_limits<double>::epsilon() ? std::copysign(1.0, p) : p;
}

inline double fold(Operation operation, double a, double b, double c) {
  switch (operation) {
    case Operation::add: return sum(a, b);
    case Operation::multiply: return product(a, b);
    case Operation::divide: return a / b;
    case Operation::sine: return exact_sincos(a).sin;
    case Operation::cosine: return exact_sincos(a).cos;
    case Operation::square_root: return std::sqrt(a);
    case Operation::absolute: return std::fabs(a);
    case Operation::arc_tangent: return std::atan2(a, b);
    case Operation::less: return a < b ? 1.0 : 0.0;
    case Operation::select: return a != 0.0 ? b : c;
    case Operation::input:
    case Operation::constant: break;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

inline Trace apply(Operation operation, const Trace& a, const Trace& b = Trace(0.0), const Trace& c = Trace(0.0)) {
  for (const Trace* x : {&a, &b, &c})
    if (!x->is_constant()) return x->recorder->record(operation, a, b, c);
  return Trace(fold(operation, a.value, b.value, c.value));
}

}  // namespace trace_detail

inline Trace operator-(const Trace& a) {
  Trace r = a;
  r.value = -a.value;
  r.negative = !a.negative;
  return r;
}
inline Trace operator+(const Trace& a, const Trace& b) { return trace_detail::apply(Operation::add, a, b); }
inline Trace operator-(const Trace& a, const Trace& b) { return trace_detail::apply(Operation::add, a, -b); }
inline Trace operator*(const Trace& a, const Trace& b) { return trace_detail::apply(Operation::multiply, a, b); }
inline Trace operator/(const Trace& a, const Trace& b) { return trace_detail::apply(Operation::divide, a, b); }
inline Trace& Trace::operator+=(const Trace& b) { return *this = *this + b; }
inline Trace& Trace::operator-=(const Trace& b) { return *this = *this - b; }
inline Trace& Trace::operator*=(const Trace& b) { return *this = *this * b; }
inline Trace& Trace::operator/=(const Trace& b) { return *this = *this / b; }

/// A comparison is a number too: one where it holds, zero where not.
struct TraceMask {
  Trace holds;
};
inline TraceMask operator<(const Trace& a, const Trace& b) { return {trace_detail::apply(Operation::less, a, b)}; }
inline Trace select(const TraceMask& mask, const Trace& a, const Trace& b) {
  return trace_detail::apply(Operation::select, mask.holds, a, b);
}
inline Trace sqrt(const Trace& a) { return trace_detail::apply(Operation::square_root, a); }
inline Trace abs(const Trace& a) { return trace_detail::apply(Operation::absolute, a); }
inline Trace atan2(const Trace& y, const Trace& x) { return trace_detail::apply(Operation::arc_tangent, y, x); }
inline SinCos<Trace> sincos(const Trace& a) {
  return {trace_detail::apply(Operation::sine, a), trace_detail::apply(Operation::cosine, a)};
}
/// NaN unless it is a constant: a trace has no value.
inline double value_of(const Trace& a) { return a.value; }

}  // namespace ulna
