#include "ulna/trace/op_graph.hpp"

#include <array>
#include <set>
#include <stdexcept>

#include "ulna/base/error.hpp"

namespace ulna::trace {

namespace {

std::uint32_t code(Ref r) { return r.node * 2 + (r.negative ? 1 : 0); }

/// Two constants of a robot that differ by less are one number, written or reached in two ways.
constexpr double same_constant = 8.0 * std::numeric_limits<double>::epsilon();

}  // namespace

std::size_t OpGraph::KeyHash::operator()(const Key& key) const {
  std::uint64_t h = static_cast<std::uint64_t>(key.operation);
  for (const std::uint32_t part : {key.a, key.b, key.c}) h = (h ^ part) * 0x9e3779b97f4a7c15ULL, h ^= h >> 29;
  return static_cast<std::size_t>(h);
}

std::size_t OpGraph::bytes() const {
  return nodes_.capacity() * sizeof(Node) + index_.size() * (sizeof(Key) + 4 * sizeof(void*)) +
         constants_.size() * 8 * sizeof(void*);
}

Trace OpGraph::intern(const Node& node) {
  const Key key{node.operation, code(node.a), code(node.b), code(node.c)};
  const auto next = static_cast<std::uint32_t>(nodes_.size());
  const auto [at, is_new] = index_.try_emplace(key, next);
  if (is_new) {
    if (nodes_.size() >= limit_)
      throw std::length_error("the robot needs more than " + std::to_string(limit_) +
                              " operations, which is the limit for tracing");
    nodes_.push_back(node);
  }
  return {this, at->second, false};
}

Trace OpGraph::input(const std::string& name) {
  const auto number = static_cast<std::uint32_t>(input_names_.size());
  input_names_.push_back(name);
  return intern({Operation::input, {number, false}, {}, {}, 0.0});
}

/// Constants are stored without sign and rounded to a neighbour that is there.
Trace OpGraph::constant(double value) {
  if (!std::isfinite(value)) {
    throw InputError(
        "the robot's numbers lead to an infinite or undefined constant: its inertia matrix is singular; check "
        "its masses");
  }
  const double size = std::fabs(value);
  auto at = constants_.lower_bound(size * (1.0 - same_constant));
  if (at == constants_.end() || at->first > size * (1.0 + same_constant)) {
    const auto next = static_cast<std::uint32_t>(nodes_.size());
    at = constants_.emplace(size, next).first;
    nodes_.push_back({Operation::constant, {next, false}, {}, {}, size});
  }
  return {this, at->second, std::signbit(value)};
}

Ref OpGraph::ref(const Trace& x) {
  const Trace at = x.is_constant() ? constant(x.value) : x;
  return {at.node, at.negative};
}

Trace OpGraph::trace_of(Ref r, bool minus) {
  const Node& node = nodes_[r.node];
  const bool negative = r.negative != minus;
  if (node.operation == Operation::constant) return Trace(negative ? -node.value : node.value);
  return {this, r.node, negative};
}

/// x = offset + rest, the offset a constant.
OpGraph::Split OpGraph::split_sum(const Trace& x) {
  if (x.is_constant()) return {x.value, Trace(0.0)};
  const Node node = nodes_[x.node];
  if (node.operation != Operation::add || nodes_[node.a.node].operation != Operation::constant) return {0.0, x};
  return {trace_of(node.a, x.negative).value, trace_of(node.b, x.negative)};
}

/// x = factor · rest, the factor a constant.
OpGraph::Split OpGraph::split_product(const Trace& x) {
  const Node node = nodes_[x.node];
  if (node.operation != Operation::multiply || nodes_[node.a.node].operation != Operation::constant) {
    return {x.negative ? -1.0 : 1.0, Trace(this, x.node, false)};
  }
  return {trace_of(node.a, x.negative).value, trace_of(node.b, false)};
}

/// x + y where y = z − x: z. Recursions that take away what they added before end so.
std::optional<Trace> OpGraph::without(const Trace& y, const Trace& x) {
  const Node node = nodes_[y.node];
  if (node.operation != Operation::add) return std::nullopt;
  for (const auto& [part, rest] : {std::pair(node.a, node.b), std::pair(node.b, node.a)}) {
    if (part.node == x.node && (part.negative != y.negative) != x.negative) return trace_of(rest, y.negative);
  }
  return std::nullopt;
}

/// (x + y) + (x − y) = 2 x, for two different sums
std::optional<Trace> OpGraph::sum_of_conjugates(const Trace& a, const Trace& b) {
  const Node m = nodes_[a.node], n = nodes_[b.node];
  if (m.operation != Operation::add || n.operation != Operation::add) return std::nullopt;
  if (m.a.node != n.a.node || m.b.node != n.b.node) return std::nullopt;
  const auto same = [&](Ref x, Ref y) { return (x.negative != a.negative) == (y.negative != b.negative); };
  const Ref kept = same(m.a, n.a) ? m.a : m.b;
  return Trace(2.0) * trace_of(kept, a.negative);  // may be a constant
}

/// j x + k x = (j + k) x for constants j, k.
std::optional<Trace> OpGraph::sum_of_multiples(const Trace& a, const Trace& b) {
  const Split m = split_product(a), n = split_product(b);
  if (m.rest.node != n.rest.node) return std::nullopt;
  return multiple(trace_detail::sum(m.constant, n.constant), m.rest);
}

Trace OpGraph::sum(const Trace& a, const Trace& b) {
  for (const auto& [x, y] : {std::pair(a, b), std::pair(b, a)}) {
    if (!x.is_constant()) continue;
    const Split split = split_sum(y);  // x + (k + z) = (x + k) + z
    return plain_sum(Trace(trace_detail::sum(x.value, split.constant)), split.rest);
  }
  return sum_of_nodes(a, b);
}

Trace OpGraph::sum_of_nodes(const Trace& a, const Trace& b) {
  if (const std::optional<Trace> multiple_of_one = sum_of_multiples(a, b)) return *multiple_of_one;
  if (const std::optional<Trace> rest = without(b, a)) return *rest;
  if (const std::optional<Trace> rest = without(a, b)) return *rest;
  if (const std::optional<Trace> twice = sum_of_conjugates(a, b)) return *twice;
  return plain_sum(a, b);
}

/// The node itself: a constant first, else the older operand; the first is positive and the sum
/// carries the sign.
Trace OpGraph::plain_sum(const Trace& a, const Trace& b) {
  for (const auto& [x, y] : {std::pair(a, b), std::pair(b, a)})
    if (x.is_constant() && (x.value == 0.0 || y.is_constant())) return x.value == 0.0 ? y : Trace(x.value + y.value);
  const auto [x, y] = in_order(a, b);
  const Trace r = intern({Operation::add, {x.node, false}, {y.node, y.negative != x.negative}, {}, 0.0});
  return x.negative ? -r : r;
}

std::pair<Ref, Ref> OpGraph::in_order(const Trace& a, const Trace& b) {
  const Ref x = ref(a), y = ref(b);
  const auto rank = [&](Ref r) { return std::pair(nodes_[r.node].operation != Operation::constant, r.node); };
  return rank(y) < rank(x) ? std::pair(y, x) : std::pair(x, y);
}

/// A constant times a node.
Trace OpGraph::multiple(double k, const Trace& x) {
  if (k == 0.0) return Trace(0.0);
  if (std::fabs(k) == 1.0) return k < 0.0 ? -x : x;
  const Split inner = split_product(x);
  // A doubling is an addition, and what it doubles may be needed anyway.
  const bool keep = std::fabs(k) == 2.0 && std::fabs(inner.constant) != 2.0;
  if (std::fabs(inner.constant) != 1.0 && !keep) {
    return multiple(trace_detail::product(k, inner.constant), inner.rest);
  }
  const Ref factor = ref(Trace(std::fabs(k)));
  const Trace r = intern({Operation::multiply, factor, {x.node, false}, {}, 0.0});
  return (k < 0.0) != x.negative ? -r : r;
}

Trace OpGraph::product(const Trace& a, const Trace& b) {
  if (a.is_constant()) return multiple(a.value, b);
  if (b.is_constant()) return multiple(b.value, a);
  for (const auto& [x, y] : {std::pair(a, b), std::pair(b, a)}) {
    const Node node = nodes_[y.node];
    if (node.operation != Operation::divide) continue;
    const Trace numerator = trace_of(node.a, y.negative);
    if (numerator.is_constant() && std::fabs(numerator.value) == 1.0) {  // x·(1/d) = x/d
      return quotient(numerator.value < 0.0 ? -x : x, trace_of(node.b, false));
    }
    if (x.node == node.b.node) return x.negative ? -numerator : numerator;  // d·(z/d) = z
  }
  const auto [x, y] = in_order(a, b);
  const Trace r = intern({Operation::multiply, {x.node, false}, {y.node, false}, {}, 0.0});
  return x.negative != y.negative ? -r : r;
}

Trace OpGraph::quotient(const Trace& a, const Trace& b) {
  if (b.is_constant()) return multiple(1.0 / b.value, a);
  if (a.is_constant() && a.value == 0.0) return Trace(0.0);
  if (!a.is_constant() && a.node == b.node) return Trace(a.negative != b.negative ? -1.0 : 1.0);
  const Ref x = ref(a), y = ref(b);
  const Trace r = intern({Operation::divide, {x.node, false}, {y.node, false}, {}, 0.0});
  return x.negative != y.negative ? -r : r;
}

/// sin and cos take signs out of the angle, and right angles that are added to it.
Trace OpGraph::turn(Operation operation, const Trace& angle) {
  const Split split = split_sum(angle);
  if (const int quarters = quarter_turns(split.constant); quarters >= 0 && split.constant != 0.0) {
    const bool swapped = quarters % 2 == 1, sine = operation == Operation::sine;
    const Trace r = turn(swapped == sine ? Operation::cosine : Operation::sine, split.rest);
    const bool minus = sine ? quarters >= 2 : quarters == 1 || quarters == 2;
    return minus ? -r : r;
  }
  const Trace r = intern({operation, {angle.node, false}, {}, {}, 0.0});
  return operation == Operation::sine && angle.negative ? -r : r;
}

Trace OpGraph::record(Operation operation, const Trace& a, const Trace& b, const Trace& c) {
  switch (operation) {
    case Operation::add: return sum(a, b);
    case Operation::multiply: return product(a, b);
    case Operation::divide: return quotient(a, b);
    case Operation::sine:
    case Operation::cosine: return turn(operation, a);
    case Operation::absolute: return intern({operation, {a.node, false}, {}, {}, 0.0});
    case Operation::select:
      if (a.is_constant()) return a.value != 0.0 ? b : c;
      if (ref(b) == ref(c)) return b;
      break;
    default: break;
  }
  const int n = operand_count(operation);
  return intern({operation, ref(a), n > 1 ? ref(b) : Ref{}, n > 2 ? ref(c) : Ref{}, 0.0});
}

int operand_count(Operation operation) {
  switch (operation) {
    case Operation::input:
    case Operation::constant: return 0;
    case Operation::sine:
    case Operation::cosine:
    case Operation::square_root:
    case Operation::absolute: return 1;
    case Operation::select: return 3;
    default: return 2;
  }
}

std::vector<std::uint32_t> live_nodes(const OpGraph& graph, const std::vector<Ref>& outputs) {
  std::vector<bool> live(graph.size(), false);
  for (const Ref& output : outputs) live[output.node] = true;
  for (std::size_t i = graph.size(); i-- > 0;) {
    if (!live[i]) continue;
    const Node& node = graph[static_cast<std::uint32_t>(i)];
    const std::array operands{node.a, node.b, node.c};
    for (int k = 0; k < operand_count(node.operation); ++k) live[operands[static_cast<std::size_t>(k)].node] = true;
  }
  std::vector<std::uint32_t> order;
  for (std::size_t i = 0; i < live.size(); ++i)
    if (live[i]) order.push_back(static_cast<std::uint32_t>(i));
  return order;
}

bool is_doubling(const OpGraph& graph, const Node& node) {
  const Node& first = graph[node.a.node];
  return node.operation == Operation::multiply && first.operation == Operation::constant && first.value == 2.0;
}

Counts count(const OpGraph& graph, const std::vector<Ref>& outputs) {
  Counts counts;
  std::set<std::uint32_t> angles;
  for (const std::uint32_t index : live_nodes(graph, outputs)) {
    const Node& node = graph[index];
    switch (node.operation) {
      case Operation::input:
      case Operation::constant: break;
      case Operation::add: ++counts.additions; break;
      case Operation::multiply: ++(is_doubling(graph, node) ? counts.additions : counts.multiplications); break;
      case Operation::divide: ++counts.divisions; break;
      case Operation::sine:
      case Operation::cosine: angles.insert(node.a.node); break;
      default: ++counts.others;
    }
  }
  counts.sincos = static_cast<int>(angles.size());
  return counts;
}

}  // namespace ulna::trace
