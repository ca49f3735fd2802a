// All registered formulations on the same tree in the same state: inverse and forward dynamics, M, C v and g must
// agree.
//
// The tolerance is that of test/support/tolerance.hpp, a few ε per body of the largest thing that is summed. Trees out
// of bytes cancel more than real robots do, so the largest thing is not read off the results: it is bounded from the
// whole mass, reach, speed and acceleration of the tree.
#include <cmath>
#include <limits>

#include "bytes.hpp"
#include "support/tolerance.hpp"
#include "target.hpp"

namespace {

using ulna::Quantity;
using ulna::fuzz::Bytes;

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// A ball and three point masses: always physical, from nearly a rod to nearly a ball.
ulna::MassData mass_of(Bytes& bytes) {
  using Inertia = ulna::RigidInertia<double>;
  const double ball = bytes.between(1e-2, 1e2), radius = bytes.between(1e-2, 1.0);
  const double moment = 0.4 * ball * radius * radius;
  Inertia sum = Inertia::from_centre(ball, bytes.vector(0.5), {moment, moment, moment, 0, 0, 0});
  for (int k = 0; k < 3; ++k)
    sum += Inertia::from_centre(bytes.between(1e-2, 1e2), bytes.vector(0.5), ulna::Sym3<double>::zero());
  const ulna::Vec3<double> c = (1.0 / sum.mass) * sum.h;
  return {sum.mass, c, sum.about_origin - Inertia::m_skew_squared(sum.mass, c)};
}

ulna::GraphJoint joint_of(Bytes& bytes, const std::string& parent, std::size_t number) {
  ulna::GraphJoint joint;
  joint.name = "joint" + std::to_string(number);
  joint.parent = parent;
  joint.child = "body" + std::to_string(number);
  joint.kind = ulna::joint_kinds[bytes.choice(ulna::joint_kinds.size())];
  joint.in_parent = bytes.pose(1.0);
  joint.in_child = bytes.pose(1.0);
  joint.axis = bytes.flag() ? bytes.vector(1.0) : ulna::Vec3<double>{0, 0, 1};
  const bool one_degree = ulna::has_one_degree(joint.kind);
  if (ulna::has_pitch(joint.kind)) joint.pitch = bytes.within(1.0);
  if (one_degree) joint.offset = bytes.within(3.0);
  const double spring = bytes.flag() && one_degree ? bytes.between(1e-2, 1e2) : 0.0;
  if (spring > 0.0) joint.passive = {spring, bytes.between(1e-2, 1.0), spring, bytes.within(1.0), 0.0};
  if (bytes.flag() && !(ulna::turns(joint.kind) && ulna::slides(joint.kind)))
    joint.passive.armature = bytes.between(1e-3, 1.0);
  return joint;
}

ulna::Graph tree_of(Bytes& bytes) {
  ulna::Graph graph;
  graph.name = "fuzzed";
  const unsigned shape = bytes.byte();
  const bool branched = (shape & 1U) != 0, only_one_degree = (shape & 4U) != 0;
  graph.free_base = (shape & 2U) != 0;
  graph.gravity = bytes.vector(10.0);
  graph.bodies.push_back({"body0", mass_of(bytes), {}, {}});
  const std::size_t joints = 1 + bytes.choice(10);
  for (std::size_t i = 1; i <= joints; ++i) {
    const std::size_t parent = branched ? bytes.choice(i) : i - 1;
    ulna::GraphJoint joint = joint_of(bytes, graph.bodies[parent].name, i);
    if (only_one_degree && ulna::degrees_of(joint.kind) != 1) joint.kind = ulna::JointKind::revolute;
    graph.joints.push_back(joint);
    graph.bodies.push_back({joint.child, mass_of(bytes), {}, {}});
  }
  return graph;
}

struct State {
  std::vector<double> q, v, a;
};

std::vector<double> numbers_of(Bytes& bytes, int count, double size) {
  std::vector<double> values(static_cast<std::size_t>(count));
  for (double& x : values) x = bytes.within(size);
  return values;
}

State state_of(Bytes& bytes, const ulna::Model& model) {
  State state{model.neutral(), numbers_of(bytes, model.nv(), 5.0), numbers_of(bytes, model.nv(), 10.0)};
  for (const ulna::Body& body : model.bodies()) {
    double* q = &state.q[static_cast<std::size_t>(body.q_index)];
    if (!ulna::has_quaternion(body.kind)) {
      for (const ulna::JointNumber& number : ulna::position_numbers(body.kind))
        *q++ = bytes.within(number.is_length ? 1.0 : 7.0);
      continue;
    }
    for (int k = 0; k < ulna::quaternion_of(body.kind); ++k) *q++ = bytes.within(1.0);
    for (int k = 0; k < 4; ++k) q[k] += bytes.within(1.0);
    const double length = std::hypot(std::hypot(q[0], q[1]), std::hypot(q[2], q[3]));
    for (int k = 0; k < 4; ++k) q[k] = length > 1e-3 ? q[k] / length : (k == 3 ? 1.0 : 0.0);
  }
  return state;
}

/// Bounds on what any formulation sums on its way: everything turns and slides at the speeds and rates of all joints
/// together, at the end of the stretched tree.
struct Bounds {
  double mass = 0.0, inertia = 0.0, passive = 0.0, speed = 0.0, rate = 0.0;
  double reach = 1.0;  // with 1 m more, so that it turns forces into moments

  Bounds(const ulna::Model& model, const State& s) {
    for (const ulna::Body& body : model.bodies()) add(body, &s.q[static_cast<std::size_t>(body.q_index)]);
    for (std::size_t k = 0; k < s.v.size(); ++k) {
      speed += std::fabs(s.v[k]);
      rate += std::fabs(s.a[k]);
      const int q = model.q_of_v()[k];
      const double stretch = q < 0 ? 0.0 : std::fabs(s.q[static_cast<std::size_t>(q)]) + std::fabs(model.rest()[k]);
      passive += model.viscous()[k] * std::fabs(s.v[k]) + model.coulomb()[k] + model.stiffness()[k] * stretch +
                 model.armature()[k] * (1.0 + std::fabs(s.a[k]));
    }
  }

  double torque(double the_rate, double the_speed, double gravity) const {
    const double turning = the_rate + the_speed * the_speed;
    const double sliding = the_rate * (1.0 + reach) + the_speed * the_speed * (2.0 + reach) + gravity;
    return (inertia + mass * reach * reach) * turning + mass * reach * sliding + passive;
  }

 private:
  void add(const ulna::Body& body, const double* q) {
    const ulna::Sym3<double>& I = body.inertia.about_origin;
    mass += body.inertia.mass;
    inertia += std::fabs(I.xx) + std::fabs(I.yy) + std::fabs(I.zz);
    reach += norm(body.placement.p) + (body.inertia.mass > 0.0 ? norm(body.inertia.h) / body.inertia.mass : 0.0);
    if (body.kind == ulna::JointKind::prismatic) reach += std::fabs(q[0]);
    if (body.kind == ulna::JointKind::screw) reach += std::fabs(body.joint.pitch) * (1.0 + std::fabs(q[0]));
    if (body.kind == ulna::JointKind::free) reach += std::fabs(q[0]) + std::fabs(q[1]) + std::fabs(q[2]);
  }
};

/// The condition of the links' inertias side by side, for a formulation that inverts them: the largest over the
/// smallest of all masses and central principal moments.
double inertia_spread(const ulna::Model& model) {
  double least = HUGE_VAL, most = 0.0;
  for (int i = 0; i < model.body_count(); ++i) {
    const ulna::RigidInertia<double>& I = model.bodies()[static_cast<std::size_t>(i)].inertia;
    const auto J = full(I.about_origin - ulna::RigidInertia<double>::m_skew_squared(I.mass, model.com(i)));
    const double trace = J.xx + J.yy + J.zz;
    const double condition =
        ulna::symmetric_condition(std::vector<double>{J.xx, J.yx, J.zx, J.xy, J.yy, J.zy, J.xz, J.yz, J.zz}, 3);
    most = std::max({most, I.mass, trace});
    least = std::min({least, I.mass, trace / (3.0 * condition)});
  }
  return most / least;
}

class Comparison {
 public:
  Comparison(const ulna::Model& model, const State& state)
      : model_(model), s_(state), n_(static_cast<std::size_t>(model.nv())), bounds_(model, state) {
    ulna::newton_euler::Workspace<double> ne(model);
    ulna::composite_body::Workspace<double> cb(model);
    for (std::vector<double>* list : {&tau_, &Cv_, &g_}) list->resize(n_);
    M_.resize(n_ * n_);
    ulna::newton_euler::inverse_dynamics(model, ne, s_.q, s_.v, s_.a, tau_);
    ulna::newton_euler::coriolis_force(model, ne, s_.q, s_.v, Cv_);
    ulna::newton_euler::gravity(model, ne, s_.q, g_);
    ulna::composite_body::mass_matrix(model, cb, s_.q, {M_.data(), model.nv(), model.nv()});
    condition_ = ulna::symmetric_condition(M_, model.nv());
    inverse_ = condition_ / ulna::test::largest(M_);
  }

  void of(const ulna::MethodInfo& info) const {
    const auto method = ulna::make_method<double>(info.name, info.gives.front(), model_);
    const double gravity = norm(model_.gravity());
    std::vector<double> out(n_), matrix(n_ * n_);
    const ulna::MatrixView<double> view{matrix.data(), model_.nv(), model_.nv()};
    if (info.can(Quantity::inverse_dynamics)) {
      method->inverse_dynamics(s_.q, s_.v, s_.a, out);
      expect_equal(info, "inverse dynamics", out, tau_, bounds_.torque(bounds_.rate, bounds_.speed, gravity));
    }
    if (info.can(Quantity::mass_matrix)) {
      method->mass_matrix(s_.q, view);
      expect_equal(info, "M", matrix, M_, bounds_.torque(1.0, 0.0, 0.0));
    }
    for (const Quantity quantity : {Quantity::coriolis_matrix, Quantity::convective_inertia}) {
      if (!info.can(quantity)) continue;
      quantity == Quantity::coriolis_matrix ? method->coriolis_matrix(s_.q, s_.v, view)
                                            : method->convective_inertia(s_.q, s_.v, view);
      for (std::size_t i = 0; i < n_; ++i) {
        out[i] = 0.0;
        for (std::size_t j = 0; j < n_; ++j) out[i] += matrix[j * n_ + i] * s_.v[j];
      }
      expect_equal(info, "C v", out, Cv_, bounds_.torque(0.0, bounds_.speed, 0.0));
    }
    if (info.can(Quantity::gravity)) {
      method->gravity(s_.q, out);
      expect_equal(info, "g", out, g_, bounds_.torque(0.0, 0.0, gravity));
    }
    const double links = info.scope.solid_links ? inertia_spread(model_) : 1.0;
    if (info.can(Quantity::forward_dynamics) && condition_ * links * epsilon < 1e-4) {
      method->forward_dynamics(s_.q, s_.v, tau_, out);
      expect_equal(info, "forward dynamics", out, s_.a,
                   links * inverse_ * bounds_.torque(bounds_.rate, bounds_.speed, gravity));
    }
  }

 private:
  void expect_equal(const ulna::MethodInfo& info, const char* what, const std::vector<double>& got,
                    const std::vector<double>& want, double size) const {
    const double tolerance = 4.0 * epsilon * static_cast<double>(n_) * size;
    for (std::size_t i = 0; i < want.size(); ++i) {
      const double off = std::fabs(got[i] - want[i]);
      if (off <= tolerance) continue;
      std::fprintf(stderr, "%s of %s: element %zu is %.17g, not %.17g; off by %g, tolerance %g, condition %g\n", what,
                   std::string(info.name).c_str(), i, got[i], want[i], off, tolerance, condition_);
      ulna::fuzz::expect(false, "formulations agree");
    }
  }

  const ulna::Model& model_;
  const State& s_;
  std::size_t n_;
  Bounds bounds_;
  std::vector<double> tau_, M_, Cv_, g_;
  double condition_ = 0.0, inverse_ = 0.0;
};

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Bytes bytes(data, size);
  const ulna::Graph graph = tree_of(bytes);
  return ulna::fuzz::try_input([&] {
    const ulna::Model model = ulna::build(graph);
    const State state = state_of(bytes, model);
    const Comparison comparison(model, state);
    for (const ulna::MethodInfo& info : ulna::methods())
      if (info.refusal(model).empty()) comparison.of(info);
  });
}
