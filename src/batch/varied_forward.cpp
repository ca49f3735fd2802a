#include "batch/varied_forward.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ulna/base/error.hpp"

namespace ulna {

namespace {

constexpr std::size_t numbers_of_inertia = 10;

std::array<double, numbers_of_inertia> difference(const RigidInertia<double>& a, const RigidInertia<double>& b) {
  const Sym3<double> I = a.about_origin - b.about_origin;
  const Vec3<double> h = a.h - b.h;
  return {a.mass - b.mass, h.x, h.y, h.z, I.xx, I.yy, I.zz, I.xy, I.xz, I.yz};
}

bool same(const Vec3<double>& a, const Vec3<double>& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }
bool same(const Placement& a, const Placement& b) {
  return same(a.p, b.p) && same(a.rotation.column_x(), b.rotation.column_x()) &&
         same(a.rotation.column_y(), b.rotation.column_y()) && a.angle_offset == b.angle_offset &&
         a.angle_gain == b.angle_gain;
}
bool same(const Body& a, const Body& b) {
  return a.kind == b.kind && a.parent == b.parent && a.q_index == b.q_index && a.v_index == b.v_index &&
         a.joint.pitch == b.joint.pitch && a.joint.turn == b.joint.turn && same(a.placement, b.placement);
}
bool same(const EffortPoint& a, const EffortPoint& b) { return a.speed == b.speed && a.effort == b.effort; }

bool same(const CoupledArmature& a, const CoupledArmature& b) {
  return a.row == b.row && a.column == b.column && a.inertia == b.inertia;
}
bool same(const CoupledMotor& a, const CoupledMotor& b);
bool same(const Coupling& a, const Coupling& b);
bool same(const JointInfo& a, const JointInfo& b);

template <class A, class B>
bool all_same(const A& a, const B& b) {
  return std::ranges::equal(a, b, [](const auto& x, const auto& y) { return same(x, y); });
}

/// What saturation asks for.
bool same(const Limits& a, const Limits& b) {
  return a.effort == b.effort && a.velocity == b.velocity && all_same(a.effort_by_speed, b.effort_by_speed);
}
bool same(const JointInfo& a, const JointInfo& b) { return same(a.limits, b.limits); }
bool same(const CoupledMotor& a, const CoupledMotor& b) {
  return a.gears == b.gears && a.viscous == b.viscous && a.coulomb == b.coulomb &&
         a.friction_speed == b.friction_speed && same(a.limits, b.limits);
}
bool same(const Coupling& a, const Coupling& b) { return a.v == b.v && all_same(a.motors, b.motors); }

/// All that packs take from the nominal robot, but for inertias.
bool same_but_for_inertias(const Model& a, const Model& b) {
  const auto equal = [](std::span<const double> x, std::span<const double> y) { return std::ranges::equal(x, y); };
  return same(a.gravity(), b.gravity()) && equal(a.viscous(), b.viscous()) && equal(a.coulomb(), b.coulomb()) &&
         equal(a.armature(), b.armature()) && equal(a.stiffness(), b.stiffness()) && equal(a.rest(), b.rest()) &&
         a.friction_speed() == b.friction_speed() && all_same(a.coupled_armature(), b.coupled_armature()) &&
         all_same(a.couplings(), b.couplings()) && all_same(a.joints(), b.joints()) && all_same(a.bodies(), b.bodies());
}

}  // namespace

trace::LoadedKernel load_varied_forward(const Model& model, std::span<const int> bodies) {
  trace::RecordOptions options;
  for (const int body : bodies)
    options.varied.push_back({fmt::format("body {}", body), body, Pose<double>::identity()});
  return trace::load_kernel(model, Quantity::forward_dynamics, {.lanes = PackDouble::lanes}, "auto", options);
}

VariedForward::VariedForward(const Model& model, std::span<const int> bodies, trace::LoadedKernel code)
    : model_(model),
      bodies_(bodies.begin(), bodies.end()),
      code_(std::move(code)),
      inertias_(numbers_of_inertia * bodies.size(), PackDouble(0.0)) {}

void VariedForward::set_robot(int lane, const Model& robot) {
  bool fits = same_but_for_inertias(model_, robot);
  auto next = inertias_.begin();
  for (std::size_t i = 0; fits && i < model_.bodies().size(); ++i) {
    const auto numbers = difference(robot.bodies()[i].inertia, model_.bodies()[i].inertia);
    if (std::ranges::find(bodies_, static_cast<int>(i)) != bodies_.end())
      for (const double x : numbers) (next++)->set(lane, x);
    else
      fits = std::ranges::all_of(numbers, [](double x) { return x == 0.0; });
  }
  if (!fits) throw InputError("a run's own robot differs in more than the inertias that were announced to vary");
}

void VariedForward::forward_dynamics(VectorIn<PackDouble> q, VectorIn<PackDouble> v, VectorIn<PackDouble> tau,
                                     VectorOut<PackDouble> a, Wrenches<PackDouble> external) {
  if (!external.empty()) throw std::logic_error("wrenches on robots with varied inertias");
  using In = const PackDouble*;
  reinterpret_cast<void (*)(In, In, In, In, PackDouble*)>(code_.function)(q.data(), v.data(), tau.data(),
                                                                          inertias_.data(), a.data());
}

}  // namespace ulna
