#include <algorithm>
#include <stdexcept>

#include "threads.hpp"
#include "ulna/dynamics/constraint_force/parallel.hpp"
#include "ulna/dynamics/constraint_force/segments.hpp"
#include "ulna/dynamics/constraint_force/steps.hpp"
#include "ulna/dynamics/joint_forces.hpp"
#include "ulna/dynamics/method.hpp"
#include "ulna/dynamics/newton_euler/newton_euler_impl.hpp"

namespace ulna::constraint_force {

namespace {

constexpr std::size_t chunk_length = 128;  // bodies; fixed, so that sums do not depend on the threads

/// What a chunk of the chain does to rates and wrenches that enter it at its inner end.
struct Chunk {
  Pose<double> pose;               // of its last body in the frame of the body before its first
  Rates<double> relative;          // rates of its last body if the body before the first rested
  Vec3<double> relative_velocity;  // and the velocity of its origin, in its own axes
  newton_euler::BodyRates<double> entering;
  Force<double> inner_sum;  // wrenches of its bodies, at the body before its first
  Force<double> carried;    // wrench that the outer chunks hand to its last body
};

}  // namespace

struct [[gnu::visibility("hidden")]] ParallelSolver::State {
  explicit State(const Model& the_model)
      : model(the_model),
        ws(the_model),
        chunks((the_model.bodies().size() + chunk_length - 1) / chunk_length),
        five(ws.F_S_five.size()),
        six(ws.F_S_six.size()) {
    ws.five = BlockTridiagonal<double, 5>(0);  // the serial path's
    ws.six = BlockTridiagonal<double, 6>(0);
  }

  const Model& model;
  Workspace<double> ws;
  std::vector<Chunk> chunks;
  SegmentedSystem<5> five;
  SegmentedSystem<6> six;

  std::size_t first_of(std::size_t c) const { return c * chunk_length; }
  std::size_t last_of(std::size_t c) const { return std::min((c + 1) * chunk_length, model.bodies().size()); }

  // ---- Step 1: the Newton–Euler bias by prefix scans

  void relative_motion(std::size_t c, std::span<const double> q, std::span<const double> v) {
    ws.bias.poses.update(model, q, first_of(c), last_of(c));
    Chunk& chunk = chunks[c];
    newton_euler::BodyRates<double> r{};
    r.omega = r.alpha = r.a = Vec3<double>::zero();
    r.A = Mat3<double>::zero();
    Vec3<double> u = Vec3<double>::zero();
    chunk.pose = Pose<double>::identity();
    for (std::size_t i = first_of(c); i < last_of(c); ++i) {
      const LinkPose<double>& x = ws.bias.poses[i];
      const Body& body = model.bodies()[i];
      Motion<double> joint = Motion<double>::zero();
      with_joint(body.kind, [&](auto kind) {
        kind.add_motion(joint_at(body, x), &v[static_cast<std::size_t>(body.v_index)], joint);
      });
      u = x.rotate_in(u + cross(r.omega, x.p)) + joint.linear;
      r = newton_euler::rates_of(body, x, &r, model.gravity(), v, std::span<const double>(ws.bias.zero));
      chunk.pose = x.in(chunk.pose);
    }
    chunk.relative = {r.omega, r.alpha, r.a};
    chunk.relative_velocity = u;
  }

  /// Rates at the inner end of every chunk, one after the other: composition of relative motions.
  void scan_rates() {
    newton_euler::BodyRates<double> r{};
    r.omega = r.alpha = Vec3<double>::zero();
    r.a = -model.gravity();
    r.A = Mat3<double>::zero();
    for (Chunk& chunk : chunks) {
      chunk.entering = r;
      const Mat3<double>& R = chunk.pose.R;
      const Vec3<double> omega = transpose_times(R, r.omega);
      const Rates<double>& own = chunk.relative;
      const Vec3<double> a =
          transpose_times(R, r.a + r.A * chunk.pose.p) + 2.0 * cross(omega, chunk.relative_velocity) + own.a;
      r.alpha = transpose_times(R, r.alpha) + cross(omega, own.omega) + own.alpha;
      r.omega = omega + own.omega;
      r.a = a;
      r.A = newton_euler::acceleration_matrix(r.omega, r.alpha);
    }
  }

  /// Wrenches of the chunk's bodies, and their sum at its inner end.
  void wrenches_of(std::size_t c, std::span<const double> v) {
    const newton_euler::BodyRates<double>* parent = &chunks[c].entering;
    for (std::size_t i = first_of(c); i < last_of(c); ++i) {
      const Body& body = model.bodies()[i];
      ws.bias.rates[i] = newton_euler::rates_of(body, ws.bias.poses[i], parent, model.gravity(), v,
                                                std::span<const double>(ws.bias.zero));
      ws.bias.wrench[i] = newton_euler::body_wrench(body.inertia, ws.bias.rates[i]);
      parent = &ws.bias.rates[i];
    }
  }
  void sum_inward(std::size_t c) {
    Force<double> sum = Force<double>::zero();
    for (std::size_t i = last_of(c); i-- > first_of(c);) sum = ws.bias.poses[i].to_parent(sum + ws.bias.wrench[i]);
    chunks[c].inner_sum = sum;
  }
  void scan_wrenches() {
    Force<double> carried = Force<double>::zero();
    for (std::size_t c = chunks.size(); c-- > 0;) {
      chunks[c].carried = carried;
      carried = chunks[c].inner_sum + chunks[c].pose.to_outer(carried);
    }
  }
  void project_inward(std::size_t c, std::span<const double> tau) {
    Force<double> sum = chunks[c].carried;
    for (std::size_t i = last_of(c); i-- > first_of(c);) {
      const Body& body = model.bodies()[i];
      sum += ws.bias.wrench[i];
      with_joint(body.kind, [&](auto joint) {
        const auto f = joint.project(joint_at(body, ws.bias.poses[i]), sum);
        const auto k = static_cast<std::size_t>(body.v_index);
        for (std::size_t r = 0; r < f.size(); ++r) ws.F_T[k + r] = tau[k + r] - f[r];
      });
      sum = ws.bias.poses[i].to_parent(sum);
    }
  }

  void bias(std::span<const double> q, std::span<const double> v, std::span<const double> tau,
            Wrenches<double> external) {
    const Threads each{1};
    const auto count = std::ssize(chunks);
    const auto chunk = [](std::ptrdiff_t c) { return static_cast<std::size_t>(c); };
    each(count, [&](std::ptrdiff_t c) { relative_motion(chunk(c), q, v); });
    scan_rates();
    each(count, [&](std::ptrdiff_t c) { wrenches_of(chunk(c), v); });
    newton_euler::subtract_external(model, ws.bias.poses, external, ws.bias.world, ws.bias.wrench);
    each(count, [&](std::ptrdiff_t c) { sum_inward(chunk(c)); });
    scan_wrenches();
    each(count, [&](std::ptrdiff_t c) { project_inward(chunk(c), tau); });
    add_passive_forces(model, q, v, -1.0, std::span<double>(ws.F_T));
  }
};

ParallelSolver::ParallelSolver(const Model& model) {
  expect_scope("constraint_force", model);
  state_ = std::make_unique<State>(model);
}

ParallelSolver::~ParallelSolver() = default;

void ParallelSolver::forward_dynamics(VectorIn<double> q, VectorIn<double> v, VectorIn<double> tau, VectorOut<double> a,
                                      Wrenches<double> external) {
  State& s = *state_;
  expect_size("q", q.size(), s.model.nq());
  expect_size("v", v.size(), s.model.nv());
  expect_size("tau", tau.size(), s.model.nv());
  expect_size("a", a.size(), s.model.nv());
  expect_unit_quaternions(s.model, q);
  expect_wrenches(s.model, external);
  s.bias(q, v, tau, external);
  const auto steps = [&](auto& system, auto& F_S) { Steps(s.model, s.ws, system, F_S, Threads{64}, Threads{1})(a); };
  s.ws.armature ? steps(s.six, s.ws.F_S_six) : steps(s.five, s.ws.F_S_five);
}

std::size_t ParallelSolver::bytes() const {
  const State& s = *state_;
  const std::size_t per_body = sizeof(LinkPose<double>) + 3 * sizeof(double) + sizeof(newton_euler::BodyRates<double>) +
                               4 * sizeof(Force<double>) + sizeof(Mat3<double>) + sizeof(Mobility<double>) +
                               2 * sizeof(double);
  return s.model.bodies().size() * per_body + s.chunks.size() * sizeof(Chunk) + s.five.bytes() + s.six.bytes() +
         s.ws.F_S_five.size() * sizeof(Vector<double, 5>) + s.ws.F_S_six.size() * sizeof(Vector<double, 6>);
}

}  // namespace ulna::constraint_force
