#include <array>

#include "ulna/trace/recording.hpp"

namespace ulna::trace {

namespace {

/// Records the live part of a graph again, operation by operation, into a new one.
class Rewriter {
 public:
  Rewriter(const Recording& from, OpGraph& to) : from_(*from.graph), to_(to), image_(from.graph->size()) {
    live_ = live_nodes(from_, from.results());
    uses_.assign(from_.size(), 0);
    for (const Ref& r : from.results()) ++uses_[r.node];
    for (const std::uint32_t index : live_) {
      const Node& node = from_[index];
      const std::array operands{node.a, node.b, node.c};
      for (int k = 0; k < operand_count(node.operation); ++k) ++uses_[operands[static_cast<std::size_t>(k)].node];
    }
  }

  void set(std::uint32_t node, const Trace& image) { image_[node] = image; }

  void run() {
    for (const std::uint32_t index : live_) {
      const Node& node = from_[index];
      switch (node.operation) {
        case Operation::input: break;
        case Operation::constant: image_[index] = Trace(node.value); break;
        case Operation::add: image_[index] = sum(node); break;
        case Operation::multiply: image_[index] = product(node); break;
        default: image_[index] = trace_detail::apply(node.operation, at(node.a), at(node.b), at(node.c));
      }
    }
  }

  Trace at(Ref r) const { return r.negative ? -image_[r.node] : image_[r.node]; }

 private:
  bool used_once(Ref r) const { return uses_[r.node] == 1; }

  Trace sum(const Node& node) {
    if (const std::optional<Trace> factored = with_common_factor(node)) return *factored;
    // (k + x) + y = k + (x + y) where nobody else wants k + x
    double offset = 0.0;
    std::array<Trace, 2> terms{at(node.a), at(node.b)};
    const std::array refs{node.a, node.b};
    for (std::size_t i = 0; i < 2; ++i) {
      if (terms[i].is_constant() || !used_once(refs[i])) continue;
      const OpGraph::Split split = to_.split_sum(terms[i]);
      offset = trace_detail::sum(offset, split.constant);
      terms[i] = split.rest;
    }
    return Trace(offset) + (terms[0] + terms[1]);
  }

  /// A constant, or a constant times something.
  bool takes_factor(Ref r) const {
    const Node& node = from_[r.node];
    if (node.operation == Operation::constant) return true;
    return node.operation == Operation::multiply && from_[node.a.node].operation == Operation::constant && used_once(r);
  }

  /// k (i x + j y) = (k i) x + (k j) y and k (c + j y) = k c + (k j) y for constants, where nobody else wants the
  /// parts.
  Trace product(const Node& node) {
    const Trace k = at(node.a);
    const Node& x = from_[node.b.node];
    if (k.is_constant() && x.operation == Operation::add && used_once(node.b) && takes_factor(x.a) && takes_factor(x.b))
      return k * at(x.a) + k * at(x.b);
    return k * at(node.b);
  }

  /// x y ± x z = x (y ± z) where nobody else wants the products.
  std::optional<Trace> with_common_factor(const Node& node) {
    const Node &m = from_[node.a.node], &n = from_[node.b.node];
    if (m.operation != Operation::multiply || n.operation != Operation::multiply) return std::nullopt;
    if (!used_once(node.a) || !used_once(node.b)) return std::nullopt;
    for (const auto& [x, y] : {std::pair(m.a, m.b), std::pair(m.b, m.a)}) {
      for (const auto& [u, z] : {std::pair(n.a, n.b), std::pair(n.b, n.a)}) {
        if (x.node != u.node) continue;
        const Trace first = at(y), second = at(z);
        return at(x) * ((node.a.negative ? -first : first) + (node.b.negative ? -second : second));
      }
    }
    return std::nullopt;
  }

  const OpGraph& from_;
  OpGraph& to_;
  std::vector<Trace> image_;
  std::vector<std::uint32_t> live_;
  std::vector<int> uses_;
};

std::string opposite(const std::string& name) { return name.starts_with("minus_") ? name.substr(6) : "minus_" + name; }

Recording rewritten(const Recording& from) {
  Recording to;
  to.graph = std::make_unique<OpGraph>(from.graph->limit());
  Rewriter rewriter(from, *to.graph);
  for (const Array& array : from.inputs) {
    Array copy{array.name, {}};
    for (const Ref& r : array.elements) {
      const Trace image = to.graph->input(from.graph->input_names()[(*from.graph)[r.node].a.node]);
      rewriter.set(r.node, image);
      copy.elements.push_back(to.graph->ref(image));
    }
    to.inputs.push_back(std::move(copy));
  }
  rewriter.run();
  for (const Array& array : from.outputs) {
    Array copy{array.name, {}, array.minus_times, array.changing_only};
    for (const Ref& r : array.elements) copy.elements.push_back(to.graph->ref(rewriter.at(r)));
    to.outputs.push_back(std::move(copy));
  }
  for (const auto& [node, name] : from.names) {
    const Trace image = rewriter.at({node, false});
    if (!image.is_constant()) to.names.emplace(image.node, image.negative ? opposite(name) : name);
  }
  return to;
}

}  // namespace

Recording simplified(const Recording& recording) {
  Recording best = rewritten(recording);
  for (;;) {
    Recording next = rewritten(best);
    if (next.counts().arithmetic() >= best.counts().arithmetic()) return best;
    best = std::move(next);
  }
}

}  // namespace ulna::trace
