// Batches of mechanisms: every state as ConstrainedDynamics gives it by itself, to the last bit.
#include "ulna/batch/loop_batch.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "support/own_cache.hpp"
#include "ulna/base/error.hpp"
#include "ulna/io/robot/load.hpp"
#include "ulna/loop/assembly.hpp"
#include "ulna/loop/compiled_loops.hpp"
#include "ulna/model/random_state.hpp"

namespace ulna {
namespace {

constexpr int states = 37;

/// Closed states near the neutral position, and forces on them.
struct ClosedStates {
  explicit ClosedStates(const Model& model) {
    std::mt19937_64 generator(7);
    ConstrainedDynamics dynamics(model);
    for (int k = 0; k < states; ++k) {
      const std::vector<double> q0 = assemble(model, model.neutral()).q;
      std::vector<double> q = q0, v = random_velocity(model, generator, 0.3);
      dynamics.project_velocity(q, v);
      for (const auto& [all, one] : {std::pair{&q_, &q}, std::pair{&v_, &v}})
        all->insert(all->end(), one->begin(), one->end());
      const std::vector<double> tau = random_velocity(model, generator, 5.0);
      tau_.insert(tau_.end(), tau.begin(), tau.end());
      for (int w = 0; w < 6 * model.body_count(); ++w) wrenches_.push_back(std::cos(w + 3.0 * k));
    }
  }
  std::vector<double> q_, v_, tau_, wrenches_;
};

TEST(LoopBatch, is_its_states) {
  for (const char* robot : {"four_bar", "stewart", "dual_arm"}) {
    SCOPED_TRACE(robot);
    const Model model = build(load_graph(robot));
    ClosedStates s(model);
    const int nq = model.nq(), nv = model.nv(), nw = 6 * model.body_count();
    s.q_[static_cast<std::size_t>(3 * nq)] += 0.5;  // opens the loops of state 3
    const MatrixView<const double> q(s.q_.data(), nq, states), v(s.v_.data(), nv, states),
        tau(s.tau_.data(), nv, states), wrenches(s.wrenches_.data(), nw, states);
    for (const int threads : {1, 2}) {
      std::vector<double> a(static_cast<std::size_t>(nv * states)), one(static_cast<std::size_t>(nv));
      LoopBatch batch(model, {.threads = threads});
      batch.forward_dynamics(q, v, tau, {a.data(), nv, states}, &wrenches);
      ConstrainedDynamics alone(model);
      for (int k = 0; k < states; ++k) {
        const double* row = a.data() + static_cast<std::ptrdiff_t>(k) * nv;
        if (k == 3) {
          EXPECT_TRUE(std::isnan(row[0]));
          continue;
        }
        std::vector<Force<double>> external;
        for (const double* w = wrenches.column(k); w < wrenches.column(k) + nw; w += 6)
          external.push_back({Vec3<double>::load(w), Vec3<double>::load(w + 3)});
        const auto of = [&](const MatrixView<const double>& m) {
          return std::span<const double>(m.column(k), static_cast<std::size_t>(m.rows));
        };
        alone.forward_dynamics(LoopMethod::schur, of(q), of(v), of(tau), one, external);
        for (int i = 0; i < nv; ++i) EXPECT_EQ(row[i], one[static_cast<std::size_t>(i)]) << k;
      }
    }
  }
}

TEST(LoopBatch, own_code_has_the_bits_of_each_state) {
  const Model model = build(load_graph("stewart"));
  ClosedStates s(model);
  const int nq = model.nq(), nv = model.nv();
  const MatrixView<const double> q(s.q_.data(), nq, states), v(s.v_.data(), nv, states), tau(s.tau_.data(), nv, states);
  const CompiledLoops compiled = compile_loops(model);
  ASSERT_TRUE(compiled.own) << compiled.note;
  const std::unique_ptr<Method<double>> alone = compiled.make();
  for (const int threads : {1, 2}) {
    std::vector<double> a(static_cast<std::size_t>(nv * states)), one(static_cast<std::size_t>(nv));
    LoopBatch batch(model, {.threads = threads, .compiled = true});
    EXPECT_EQ(batch.note(), "");
    batch.forward_dynamics(q, v, tau, {a.data(), nv, states});
    for (int k = 0; k < states; ++k) {
      const auto of = [&](const MatrixView<const double>& m) {
        return std::span<const double>(m.column(k), static_cast<std::size_t>(m.rows));
      };
      alone->forward_dynamics(of(q), of(v), of(tau), one);
      for (std::size_t i = 0; i < one.size(); ++i) EXPECT_EQ(a[static_cast<std::size_t>(k * nv) + i], one[i]) << k;
    }
  }
  EXPECT_THROW(LoopBatch(model, {.method = "independent", .compiled = true}), InputError);
}

TEST(LoopBatch, inverse_undoes_forward) {
  const Model model = build(load_graph("four_bar"));
  ClosedStates s(model);
  const int n = model.nv();
  const MatrixView<const double> q(s.q_.data(), n, states), v(s.v_.data(), n, states);
  std::vector<double> tau(static_cast<std::size_t>(n * states), 0.0), a(tau.size()), back(tau.size());
  for (int k = 0; k < states; ++k) tau[static_cast<std::size_t>(k * n)] = std::sin(k);  // the crank's motor alone
  LoopBatch batch(model, {.actuated = {0}});
  batch.forward_dynamics(q, v, {tau.data(), n, states}, {a.data(), n, states});
  batch.inverse_dynamics(q, v, {a.data(), n, states}, {back.data(), n, states});
  for (std::size_t k = 0; k < tau.size(); ++k) EXPECT_NEAR(back[k], tau[k], 1e-10);
}

TEST(LoopBatch, refuses_what_is_not_for_it) {
  const Model tree = build(load_graph("planar2r")), bar = build(load_graph("four_bar"));
  EXPECT_THROW(LoopBatch{tree}, InputError);
  EXPECT_THROW(LoopBatch(bar, {.method = "denoc"}), InputError);
  EXPECT_THROW(LoopBatch(bar, {.threads = -1}), InputError);
  std::vector<double> x(6);
  LoopBatch batch(bar);
  EXPECT_THROW(batch.forward_dynamics({x.data(), 3, 2}, {x.data(), 3, 2}, {x.data(), 2, 2}, {x.data(), 3, 2}),
               std::invalid_argument);
}

}  // namespace
}  // namespace ulna
