// OpGraph: the operations that running an algorithm on Trace asked for, each once.
//
// Nodes are hash-consed: asking for an operation again gives the node that is there. Constants are
// folded; 0·x, 1·x, x + 0, x − x and signs cost nothing. A reference is a node with a sign, and
// operands are put in order, so that x − y and y − x are one node. The same calls give the same
// graph, node for node.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ulna/real/trace.hpp"

namespace ulna::trace {

/// A node and the sign it is used with.
struct Ref {
  std::uint32_t node;
  bool negative;
  friend bool operator==(const Ref&, const Ref&) = default;
};

/// What one node computes. A sum keeps its second operand's sign, a product none.
struct Node {
  Operation operation;
  Ref a, b, c;   // as many as the operation has
  double value;  // of a constant
};

/// Operations of what is needed for some outputs. Doubling is an addition, a sign is free.
struct Counts {
  int multiplications = 0, additions = 0, divisions = 0;
  int sincos = 0;  // angles of which the sine, the cosine or both are taken
  int others = 0;  // square roots, comparisons, selections, arc tangents, absolute values

  /// What formulations are compared by: all take the same sines and cosines.
  int arithmetic() const { return multiplications + additions + divisions; }
};

class OpGraph final : public TraceRecorder {
 public:
  /// More nodes than this are refused with std::length_error: 96 MB or so.
  static constexpr std::size_t default_limit = 1'000'000;

  explicit OpGraph(std::size_t limit = default_limit) : limit_(limit) {}
  OpGraph(const OpGraph&) = delete;
  OpGraph& operator=(const OpGraph&) = delete;

  Trace input(const std::string& name);
  Trace record(Operation operation, const Trace& a, const Trace& b, const Trace& c) override;

  /// Any trace of this graph, or a constant, as a reference.
  Ref ref(const Trace& x);

  /// The node as a scalar again, a constant as a number; with `minus`, the opposite.
  Trace trace_of(Ref r, bool minus = false);

  /// A constant apart from what it is added to or multiplied with.
  struct Split {
    double constant;
    Trace rest;
  };
  Split split_sum(const Trace& x);

  const Node& operator[](std::uint32_t node) const { return nodes_[node]; }
  std::size_t limit() const { return limit_; }
  std::size_t size() const { return nodes_.size(); }
  const std::vector<std::string>& input_names() const { return input_names_; }
  /// Memory that the graph holds, roughly.
  std::size_t bytes() const;

 private:
  struct Key {
    Operation operation;
    std::uint32_t a, b, c;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const;
  };

  Trace intern(const Node& node);
  Trace constant(double value);
  Split split_product(const Trace& x);
  std::pair<Ref, Ref> in_order(const Trace& a, const Trace& b);

  Trace sum(const Trace& a, const Trace& b);
  Trace sum_of_nodes(const Trace& a, const Trace& b);
  Trace plain_sum(const Trace& a, const Trace& b);
  std::optional<Trace> without(const Trace& y, const Trace& x);
  std::optional<Trace> sum_of_conjugates(const Trace& a, const Trace& b);
  std::optional<Trace> sum_of_multiples(const Trace& a, const Trace& b);
  Trace multiple(double k, const Trace& x);
  Trace product(const Trace& a, const Trace& b);
  Trace quotient(const Trace& a, const Trace& b);
  Trace turn(Operation operation, const Trace& angle);

  std::size_t limit_;
  std::vector<Node> nodes_;
  std::vector<std::string> input_names_;
  std::unordered_map<Key, std::uint32_t, KeyHash> index_;
  std::map<double, std::uint32_t> constants_;  // by size, so that a neighbour within rounding is found
};

/// The nodes that these outputs need, operands before their users, in the order of recording.
std::vector<std::uint32_t> live_nodes(const OpGraph& graph, const std::vector<Ref>& outputs);

/// How many operands of a node are nodes of the graph.
int operand_count(Operation operation);

bool is_doubling(const OpGraph& graph, const Node& node);

Counts count(const OpGraph& graph, const std::vector<Ref>& outputs);

}  // namespace ulna::trace
