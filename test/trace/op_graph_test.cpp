// The graph: what is folded, what is shared, and that it still means the same.
#include <gtest/gtest.h>

#include <random>

#include "support/evaluate.hpp"
#include "ulna/io/robot/load.hpp"

namespace ulna {
namespace {

using trace::Counts;
using trace::OpGraph;

int operations(OpGraph& graph, const Trace& x) {
  const Counts c = trace::count(graph, {graph.ref(x)});
  return c.multiplications + c.additions + c.divisions;
}

struct Inputs {
  OpGraph graph;
  Trace x = graph.input("x"), y = graph.input("y"), z = graph.input("z");
};

TEST(OpGraph, folds_constants) {
  Inputs in;
  const Trace zero(0.0), one(1.0);
  EXPECT_EQ(operations(in.graph, in.x + zero), 0);
  EXPECT_EQ(operations(in.graph, in.x * one), 0);
  EXPECT_TRUE((in.x * zero).is_constant());
  EXPECT_EQ(operations(in.graph, -in.x), 0);
  EXPECT_TRUE((in.x - in.x).is_constant());
  EXPECT_EQ((in.x - in.x).value, 0.0);
  EXPECT_EQ(operations(in.graph, Trace(2.5) * (Trace(4.0) * in.x)), 1);
  EXPECT_EQ(operations(in.graph, Trace(0.4) * (Trace(2.5) * in.x)), 0);  // 0.4 · 2.5 is one
  EXPECT_EQ(operations(in.graph, Trace(1.0) + (Trace(2.0) + in.x)), 1);
  EXPECT_EQ(operations(in.graph, Trace(-0.3) + (Trace(0.1) + (Trace(0.2) + in.x))), 0);  // 0.1 + 0.2 is 0.3
}

TEST(OpGraph, shares_what_differs_by_sign_or_order) {
  Inputs in;
  const Trace a = in.x - in.y, b = in.y - in.x, c = in.x * in.y, d = -in.y * in.x;
  EXPECT_EQ(a.node, b.node);
  EXPECT_NE(a.negative, b.negative);
  EXPECT_EQ(c.node, d.node);
  EXPECT_NE(c.negative, d.negative);
  EXPECT_EQ((a + b).value, 0.0);
}

TEST(OpGraph, undoes_what_was_done) {
  Inputs in;
  const Trace sum = in.x + in.y;
  EXPECT_EQ((sum - in.y).node, in.x.node);
  EXPECT_EQ(((in.x / in.y) * in.y).node, in.x.node);
  EXPECT_EQ((in.y / in.y).value, 1.0);
  EXPECT_EQ((in.x * (Trace(1.0) / in.y)).node, (in.x / in.y).node);
  const Trace twice = sum + (in.x - in.y);
  EXPECT_EQ(operations(in.graph, twice), 1);
  EXPECT_EQ((sum - sum).value, 0.0);  // a sum is not its own conjugate
}

TEST(OpGraph, takes_right_angles_out_of_sines) {
  Inputs in;
  const SinCos<Trace> plain = sincos(in.x), quarter = sincos(in.x + Trace(std::acos(-1.0) / 2));
  EXPECT_EQ(quarter.sin.node, plain.cos.node);
  EXPECT_FALSE(quarter.sin.negative);
  EXPECT_EQ(quarter.cos.node, plain.sin.node);
  EXPECT_TRUE(quarter.cos.negative);
  EXPECT_TRUE(sincos(-in.x).sin.negative);
  EXPECT_FALSE(sincos(-in.x).cos.negative);
  EXPECT_EQ(sincos(Trace(-std::acos(-1.0) / 2)).cos.value, 0.0);
  EXPECT_EQ(sincos(Trace(-std::acos(-1.0) / 2)).sin.value, -1.0);
}

TEST(OpGraph, counts_only_what_is_needed) {
  Inputs in;
  const Trace dead = in.x * in.y * in.z;
  const Trace live = in.x + in.y;
  EXPECT_EQ(operations(in.graph, live), 1);
  EXPECT_EQ(operations(in.graph, dead), 2);
}

TEST(OpGraph, refuses_more_than_its_limit) {
  OpGraph graph(10);
  Trace x = graph.input("x");
  EXPECT_THROW(for (int k = 0; k < 20; ++k) x = x * x, std::length_error);
}

/// Random expressions full of coincidences: the rules must not change their values.
TEST(OpGraph, rules_keep_values) {
  std::mt19937 random(7);
  const double values[] = {0.7, -1.3, 2.1};
  for (int round = 0; round < 2000; ++round) {
    Inputs in;
    std::vector<std::pair<Trace, double>> pool{{in.x, values[0]}, {in.y, values[1]}, {in.z, values[2]}};
    for (const double k : {0.0, 1.0, 2.0, -1.0, 0.5}) pool.emplace_back(Trace(k), k);
    for (int step = 0; step < 25; ++step) {
      const auto [a, va] = pool[random() % pool.size()];
      const auto [b, vb] = pool[random() % pool.size()];
      switch (random() % 4) {
        case 0: pool.emplace_back(a + b, va + vb); break;
        case 1: pool.emplace_back(a - b, va - vb); break;
        case 2: pool.emplace_back(a * b, va * vb); break;
        default:
          if (std::fabs(vb) > 0.1) pool.emplace_back(a / b, va / vb);
      }
      if (std::fabs(pool.back().second) > 1e3) pool.pop_back();
    }
    trace::Recording recording;
    recording.graph = std::make_unique<OpGraph>();
    trace::Array outputs{"out", {}};
    for (const auto& [t, v] : pool) outputs.elements.push_back(in.graph.ref(t));
    recording.inputs = {{"in", {in.graph.ref(in.x), in.graph.ref(in.y), in.graph.ref(in.z)}}};
    recording.outputs = {outputs};
    recording.graph.reset(&in.graph);
    const auto direct = test::evaluate(recording, {{values[0], values[1], values[2]}});
    const auto simple = test::evaluate(trace::simplified(recording), {{values[0], values[1], values[2]}});
    recording.graph.release();
    for (std::size_t k = 0; k < pool.size(); ++k) {
      // 25 steps on numbers up to 1e3 with factors up to 1e4 by division
      EXPECT_NEAR(direct[0][k], pool[k].second, 1e-9 * (1.0 + std::fabs(pool[k].second))) << round << " " << k;
      EXPECT_NEAR(simple[0][k], pool[k].second, 1e-9 * (1.0 + std::fabs(pool[k].second))) << round << " " << k;
    }
    if (HasFailure()) return;
  }
}

TEST(OpGraph, is_deterministic) {
  const Model model = load("puma560");
  const trace::Recording a = trace::record(model, Quantity::forward_dynamics),
                         b = trace::record(model, Quantity::forward_dynamics);
  ASSERT_EQ(a.graph->size(), b.graph->size());
  for (std::uint32_t k = 0; k < a.graph->size(); ++k) {
    EXPECT_EQ((*a.graph)[k].a, (*b.graph)[k].a);
    EXPECT_EQ((*a.graph)[k].b, (*b.graph)[k].b);
  }
}

}  // namespace
}  // namespace ulna
