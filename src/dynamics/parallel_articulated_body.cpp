
#include "chain_groups.hpp"
#include "threads.hpp"
#include "ulna/base/error.hpp"
#include "ulna/dynamics/articulated_body/parallel.hpp"
#include "ulna/dynamics/articulated_body/segment_tree.hpp"
#include "ulna/dynamics/joint_forces.hpp"

namespace ulna::articulated_body {

namespace {

/// Number k of each lane's own stretch of an array.
struct LaneReader {
  std::array<const double*, lanes> from;
  LaneReader(std::span<const double> x, const std::array<std::size_t, lanes>& first)
      : from{&x[first[0]], &x[first[1]], &x[first[2]], &x[first[3]]} {}
  ULNA_INLINE FourLanes operator()(std::size_t k) const {
    return FourLanes(FourLanes::Vector{from[0][k], from[1][k], from[2][k], from[3][k]});
  }
};

struct LaneWriter {
  std::array<double*, lanes> to;
  ULNA_INLINE void operator()(std::size_t k, const FourLanes& x) const {
    for (std::size_t lane = 0; lane < lanes; ++lane) to[lane][k] = x[static_cast<int>(lane)];
  }
};

ULNA_INLINE Vec3<FourLanes> side_by_side(const Vec3<double>& a, const Vec3<double>& b, const Vec3<double>& c,
                                         const Vec3<double>& d) {
  using V = FourLanes::Vector;
  return {FourLanes(V{a.x, b.x, c.x, d.x}), FourLanes(V{a.y, b.y, c.y, d.y}), FourLanes(V{a.z, b.z, c.z, d.z})};
}
ULNA_INLINE Vec3<double> lane_of(const Vec3<FourLanes>& a, int lane) { return {a.x[lane], a.y[lane], a.z[lane]}; }

/// What enters a segment at its handle, and how the segment passes it on.
struct Passage {
  Turning<double> own;
  Vec3<double> omega;                 // of the handle
  std::array<Vec3<double>, 3> world;  // world axes seen from the handle
};

struct Arguments {
  std::span<const double> q, v, tau;
  Wrenches<double> external;
};

/// Drive less friction and springs.
struct JointForces {
  JointForces(const Model& the_model, const ChainGroup& the_group, const Arguments& the_arguments)
      : model(the_model), group(the_group), in(the_arguments), tau(in.tau, group.v) {}
  ULNA_INLINE FourLanes operator()(std::size_t k) const {
    if (!model.has_passive()) return tau(k);
    const auto passive = [&](std::size_t lane) { return passive_force(model, group.v[lane] + k, in.q, in.v); };
    return tau(k) - FourLanes(FourLanes::Vector{passive(0), passive(1), passive(2), passive(3)});
  }

  const Model& model;
  const ChainGroup& group;
  const Arguments& in;
  LaneReader tau;
};

}  // namespace

struct [[gnu::visibility("hidden")]] ParallelSolver::State {
  explicit State(const Model& the_model)
      : model(the_model),
        chain(the_model),
        states(chain.kind.size()),
        general(chain.rotation.size()),
        W(chain.armature.size()),
        z(chain.armature.size()),
        y(chain.armature.size()),
        passages(chain.segment_count()),
        tree(chain.segment_count()) {}

  const Model& model;
  ChainGroups chain;
  std::vector<StepState<FourLanes>> states;
  std::vector<Pose<FourLanes>> general;
  std::vector<Force<FourLanes>> W;
  std::vector<Motion<FourLanes>> z;
  std::vector<FourLanes> y;
  std::vector<Passage> passages;
  SegmentTree tree;

  Segment<FourLanes> segment(const ChainGroup& group) {
    const std::size_t t = group.first_step, k = group.first_velocity;
    return {std::span(chain.kind).subspan(t, group.steps),
            &chain.placement[t],
            &chain.inertia[t],
            chain.rotation.data(),
            &chain.armature[k],
            &states[t],
            general.data(),
            &W[k],
            &z[k],
            &y[k],
            group.nv,
            &group.handle};
  }

  void place_group(const ChainGroup& group, const Arguments& in) {
    const Turning<FourLanes> whole = place(segment(group), LaneReader(in.q, group.q), LaneReader(in.v, group.v));
    for (std::size_t lane = 0; lane < group.used; ++lane) {
      Turning<double>& own = passages[group.segment(lane)].own;
      for (std::size_t c = 0; c < 3; ++c) own.axes[c] = lane_of(whole.axes[c], static_cast<int>(lane));
      own.omega = lane_of(whole.omega, static_cast<int>(lane));
    }
  }

  /// From handle to handle; a few operations per segment.
  void scan() {
    Vec3<double> omega = Vec3<double>::zero();
    std::array<Vec3<double>, 3> world{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    for (Passage& passage : passages) {
      passage.omega = omega;
      passage.world = world;
      omega = passage.own.out(omega);
      for (Vec3<double>& axis : world) axis = passage.own.axes_times(axis);
    }
  }

  const Passage& passage(const ChainGroup& group, std::size_t lane) const { return passages[group.segment(lane)]; }

  template <class Loads>
  void eliminate_group(const ChainGroup& group, const Arguments& in, const Loads& loads) {
    const Segment<FourLanes> s = segment(group);
    const Vec3<FourLanes> omega = side_by_side(passage(group, 0).omega, passage(group, 1).omega,
                                               passage(group, 2).omega, passage(group, 3).omega);
    const Motion<FourLanes> reached = bias(s, omega, LaneReader(in.v, group.v), loads);
    const TwoHandles<FourLanes> form = eliminate(s, omega, reached, JointForces(model, group, in));
    for (std::size_t lane = 0; lane < group.used; ++lane)
      take_lane(form, static_cast<int>(lane), tree.segments()[group.segment(lane)]);
  }

  void eliminate_loaded(const ChainGroup& group, const Arguments& in) {
    const auto load = [&](std::size_t t) {
      const auto at = [&](std::size_t lane) -> const Force<double>& { return in.external[group.body[lane] + t]; };
      return Force<FourLanes>{side_by_side(at(0).moment, at(1).moment, at(2).moment, at(3).moment),
                              side_by_side(at(0).force, at(1).force, at(2).force, at(3).force)};
    };
    const auto com = [&](std::size_t t) {
      const auto at = [&](std::size_t lane) { return model.com(static_cast<int>(group.body[lane] + t)); };
      return side_by_side(at(0), at(1), at(2), at(3));
    };
    WorldLoads<FourLanes, decltype(load), decltype(com)> loads{{}, load, com};
    for (std::size_t c = 0; c < 3; ++c)
      loads.world[c] = side_by_side(passage(group, 0).world[c], passage(group, 1).world[c], passage(group, 2).world[c],
                                    passage(group, 3).world[c]);
    eliminate_group(group, in, loads);
  }

  void substitute_group(const ChainGroup& group, std::span<double> a) {
    const auto state = [&](std::size_t lane) -> const HandleState<double>& {
      return tree.states()[group.segment(lane)];
    };
    const HandleState<FourLanes> at = articulated_body::side_by_side(state(0), state(1), state(2), state(3));
    const Motion<FourLanes> m{{at.m[0], at.m[1], at.m[2]}, {at.m[3], at.m[4], at.m[5]}};
    const Force<FourLanes> F{{at.F[0], at.F[1], at.F[2]}, {at.F[3], at.F[4], at.F[5]}};
    substitute(segment(group), m, F, LaneWriter{{&a[group.v[0]], &a[group.v[1]], &a[group.v[2]], &a[group.v[3]]}});
  }

  void forward_dynamics(const Arguments& in, VectorOut<double> a) {
    const Threads each{1}, joints{8};  // joining four pairs takes about a microsecond
    const auto count = std::ssize(chain.groups);
    const auto group = [&](std::ptrdiff_t g) -> const ChainGroup& { return chain.groups[static_cast<std::size_t>(g)]; };
    each(count, [&](std::ptrdiff_t g) { place_group(group(g), in); });
    scan();
    each(count, [&](std::ptrdiff_t g) {
      in.external.empty() ? eliminate_group(group(g), in, NoLoads{}) : eliminate_loaded(group(g), in);
    });
    const Vec3<double> up = -model.gravity();  // the ground accelerates upwards instead of gravity pulling down
    tree.solve({0.0, 0.0, 0.0, up.x, up.y, up.z}, joints);
    each(count, [&](std::ptrdiff_t g) { substitute_group(group(g), a); });
  }
};

ParallelSolver::ParallelSolver(const Model& model) {
  expect_tree(model);
  expect_no_coupled_joints(model);
  if (!model.is_serial()) throw InputError("articulated_body on threads is for serial arms, and this robot branches");
  state_ = std::make_unique<State>(model);
}

ParallelSolver::~ParallelSolver() = default;

void ParallelSolver::forward_dynamics(VectorIn<double> q, VectorIn<double> v, VectorIn<double> tau, VectorOut<double> a,
                                      Wrenches<double> external) {
  const Model& model = state_->model;
  expect_size("q", q.size(), model.nq());
  expect_size("v", v.size(), model.nv());
  expect_size("tau", tau.size(), model.nv());
  expect_size("a", a.size(), model.nv());
  expect_unit_quaternions(model, q);
  expect_wrenches(model, external);
  if (!a.empty()) state_->forward_dynamics({q, v, tau, external}, a);
}

std::size_t ParallelSolver::bytes() const {
  const State& s = *state_;
  return s.chain.bytes() + s.states.size() * sizeof(StepState<FourLanes>) + s.general.size() * sizeof(Pose<FourLanes>) +
         s.W.size() * (sizeof(Force<FourLanes>) + sizeof(Motion<FourLanes>) + sizeof(FourLanes)) +
         s.passages.size() * sizeof(Passage) + s.tree.bytes();
}

std::size_t ParallelSolver::segment_count() const { return state_->passages.size(); }

}  // namespace ulna::articulated_body
