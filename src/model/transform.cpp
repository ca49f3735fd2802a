#include "ulna/model/transform.hpp"

#include <algorithm>

namespace ulna {

namespace {

/// Of a body in its parent when its joint is at zero; at any position of a sliding joint.
Mat3<double> rotation_at_zero(const Placement& at) { return at.rotation * rotation_z(exact_turn(at.angle_offset)); }

}  // namespace

/// Has the key to a model's fields, as ModelBuilder has.
class ModelEditor {
 public:
  explicit ModelEditor(const Model& model) : model_(model) {}
  std::vector<Body>& bodies() { return model_.bodies_; }

  /// Moves the origin of a body's frame to the point c of it, axes as they are.
  void move_origin(std::size_t body, const Vec3<double>& c) {
    Body& moved = model_.bodies_[body];
    moved.inertia = shift(moved.inertia, -c);
    moved.placement.p += rotation_at_zero(moved.placement) * c;
    for (Body& child : model_.bodies_)
      if (child.parent == static_cast<int>(body)) child.placement.p -= c;
    for (auto* frames : {&model_.links_, &model_.frames_})
      for (Frame& frame : *frames)
        if (frame.body == static_cast<int>(body)) frame.pose.p -= c;
    for (LoopJoint& loop : model_.loops_)
      for (Frame* frame : {&loop.a, &loop.b})
        if (frame->body == static_cast<int>(body)) frame->pose.p -= c;
    model_.com_[body] -= c;
  }
  void remove_forces() {
    model_.gravity_ = Vec3<double>::zero();
    for (auto* values : {&model_.viscous_, &model_.coulomb_, &model_.stiffness_})
      std::fill(values->begin(), values->end(), 0.0);
    for (Coupling& coupling : model_.couplings_)
      for (CoupledMotor& motor : coupling.motors) motor.viscous = motor.coulomb = 0.0;
    model_.has_passive_ = false;
  }
  void mark_regrouped() { model_.regrouped_ = true; }
  Model take() { return std::move(model_); }

 private:
  Model model_;
};

namespace {

void subtract(RigidInertia<double>& a, const RigidInertia<double>& b) {
  a.mass -= b.mass;
  a.h -= b.h;
  a.about_origin = a.about_origin - b.about_origin;
}

}  // namespace

Model regrouped(const Model& model) {
  ModelEditor editor(model);
  std::vector<Body>& bodies = editor.bodies();
  for (std::size_t i = bodies.size(); i-- > 0;) {
    const RigidInertia<double>& own = bodies[i].inertia;
    // A sliding link turns as its parent does, so any point of it may be its origin.
    if (!turns(bodies[i].kind) && bodies[i].parent >= 0 && own.mass != 0.0) {
      editor.move_origin(i, (1.0 / own.mass) * own.h);
      bodies[i].inertia.h = Vec3<double>::zero();
    }
    const RigidInertia<double> part =
        with_joint(bodies[i].kind, [&](auto joint) { return joint.movable(bodies[i].inertia); });
    subtract(bodies[i].inertia, part);
    if (bodies[i].parent < 0) continue;  // the ground does not move
    const Pose<double> pose{rotation_at_zero(bodies[i].placement), bodies[i].placement.p};
    bodies[static_cast<std::size_t>(bodies[i].parent)].inertia += pose.to_outer(part);
  }
  editor.mark_regrouped();
  return editor.take();
}

Model with_inertia_alone(const Model& model) {
  ModelEditor editor(model);
  editor.remove_forces();
  return editor.take();
}

}  // namespace ulna
