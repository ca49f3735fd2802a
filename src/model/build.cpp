#include "ulna/model/build.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string_view>
#include <unordered_map>

#include "axis_frame.hpp"
#include "check.hpp"
#include "coupling.hpp"
#include "expect_payload.hpp"
#include "following.hpp"
#include "number_uses.hpp"
#include "opened.hpp"
#include "ulna/model/expect_tree.hpp"
#include "ulna/model/local_coordinates.hpp"

namespace ulna {

const Frame* Model::find_frame(std::string_view name) const {
  const auto found =
      std::find_if(frames_.begin(), frames_.end(), [&](const Frame& frame) { return frame.name == name; });
  return found == frames_.end() ? nullptr : &*found;
}

const JointInfo* Model::find_joint(std::string_view name) const {
  const auto found =
      std::find_if(joints_.begin(), joints_.end(), [&](const JointInfo& joint) { return joint.name == name; });
  return found == joints_.end() ? nullptr : &*found;
}

const Posture* Model::find_posture(std::string_view name) const {
  const auto found =
      std::find_if(postures_.begin(), postures_.end(), [&](const Posture& posture) { return posture.name == name; });
  return found == postures_.end() ? nullptr : &*found;
}

MassData Model::mass_data(const Frame& frame) const {
  expect_frame(frame);
  if (frame.body < 0) return {};
  const RigidInertia<double>& a = bodies_[static_cast<std::size_t>(frame.body)].inertia;
  const RigidInertia<double> seen = inverse(frame.pose).to_outer(a);
  const Vec3<double> c = seen.mass != 0.0 ? (1.0 / seen.mass) * seen.h : Vec3<double>::zero();
  return {seen.mass, c, seen.about_centre(c)};
}

void Model::set_payload(const Frame& frame, const MassData& payload) {
  expect_frame(frame);
  if (frame.body < 0) throw std::invalid_argument("frame '" + frame.name + "' is on the ground, which carries nothing");
  if (regrouped_) throw std::invalid_argument("a payload is for robots whose parameters are not regrouped");
  expect_payload(payload, frame.name);
  const auto body = static_cast<std::size_t>(frame.body);
  payload_[body] = frame.pose.to_outer(RigidInertia<double>::from_centre(payload.mass, payload.com, payload.inertia));
  RigidInertia<double>& inertia = bodies_[body].inertia;
  inertia = own_inertia_[body];
  inertia += payload_[body];
  com_[body] = inertia.mass != 0.0 ? (1.0 / inertia.mass) * inertia.h : Vec3<double>::zero();
}

const JointInfo& Model::joint_of(int v_index) const {
  const auto next = std::upper_bound(joints_.begin(), joints_.end(), v_index, [&](int index, const JointInfo& joint) {
    return index < bodies_[static_cast<std::size_t>(joint.body)].v_index;
  });
  return *std::prev(next);
}

void Model::refuse_frame(const Frame& frame) const {
  throw std::invalid_argument("frame '" + frame.name + "' is on body " + std::to_string(frame.body) + ", and '" +
                              name_ + "' has " + std::to_string(body_count()) + ": it is a frame of another model");
}

std::vector<double> Model::neutral() const {
  std::vector<double> q(static_cast<std::size_t>(nq_), 0.0);
  for (const Body& body : bodies_)
    if (has_quaternion(body.kind)) q[static_cast<std::size_t>(body.q_index + quaternion_of(body.kind) + 3)] = 1.0;
  return q;
}

int Model::constraint_count() const {
  int sum = 0;
  for (const LoopJoint& loop : loops_) sum += ulna::constraint_count(loop.kind);
  return sum;
}

Model Model::tree() const {
  Model open = *this;
  open.loops_.clear();
  return open;
}

void refuse_loops(const Model& model) {
  const LoopJoint& loop = model.loops().front();
  throw InputError(loop.source, "joint '" + loop.name + "' closes a loop, and this is for robots without closed loops");
}

void refuse_coupled_joints(const Model& model) {
  if (!model.has_followers())
    throw InputError("joints share the motors of '" + model.couplings().front().name +
                     "', and this is for robots whose joints have motors of their own; use composite_body");
  const FollowerJoint& follower = model.followers().front();
  throw InputError("joint '" + follower.joint.name + "' follows '" + follower.leader +
                   "', and this is for robots whose joints all move on their own; use composite_body");
}

/// Turns a valid graph into a model. Each body first gets its raw frame, the joint frame on its
/// side with the axis on z; then all one-degree bodies are turned about z (see placement.hpp).
class [[gnu::visibility("hidden")]] ModelBuilder {
 public:
  ModelBuilder(const Graph& graph, const Tree& tree) : graph_(graph), tree_(tree) {}

  Model take() {
    model_.name_ = graph_.name;
    model_.notices_ = graph_.notices;
    model_.gravity_ = graph_.gravity;
    model_.friction_speed_ = graph_.friction_speed;
    find_leaders();
    place_bodies();
    slide_origins();
    choose_turns();
    finish_bodies();
    model_.has_free_base_ = raw_[0].kind == JointKind::free &&
                            std::none_of(raw_.begin() + 1, raw_.end(), [](const Raw& raw) { return raw.parent < 0; });
    add_frames();
    add_couplings();
    index_velocities();
    index_rotors();
    add_loops();
    add_postures();
    return std::move(model_);
  }

 private:
  struct Raw {
    int parent;               // moving body
    Pose<double> pose;        // the joint frame (axis on z) in the parent's raw frame
    const GraphJoint* joint;  // nullptr for the free base
    JointKind kind;
    const Following* following = nullptr;
    RigidInertia<double> inertia = RigidInertia<double>::zero();
    Turn<double> turn{1.0, 0.0};  // of the final frame against the raw one, about z
    bool turn_chosen = false;
  };
  struct Place {  // a link of the file in its moving body
    int body;
    Pose<double> pose;
  };

  void find_leaders() {
    const Leaders leaders(graph_);
    for (const GraphJoint& joint : graph_.joints) {
      if (!joint.mimic) continue;
      const Following& following = following_.emplace(&joint, leaders.of(joint)).first->second;
      led_[following.leader].push_back(&joint);
    }
  }

  void place_bodies() {
    places_.resize(tree_.nodes.size());
    for (std::size_t n = 0; n < tree_.nodes.size(); ++n) {
      const Tree::Node& node = tree_.nodes[n];
      if (node.joint < 0) {
        places_[n] = place_root();
      } else {
        places_[n] = place_child(graph_.joints[static_cast<std::size_t>(node.joint)],
                                 places_[static_cast<std::size_t>(node.parent)]);
      }
      if (places_[n].body < 0) continue;
      const MassData& m = graph_.bodies[static_cast<std::size_t>(node.body)].mass;
      raw_[static_cast<std::size_t>(places_[n].body)].inertia +=
          places_[n].pose.to_outer(RigidInertia<double>::from_centre(m.mass, m.com, m.inertia));
    }
  }

  Place place_root() {
    if (!graph_.free_base) return {-1, Pose<double>::identity()};
    raw_.push_back({-1, Pose<double>::identity(), nullptr, JointKind::free});
    return {0, Pose<double>::identity()};
  }

  Place place_child(const GraphJoint& joint, const Place& parent) {
    if (joint.kind == JointKind::fixed) return {parent.body, parent.pose * joint.in_parent * inverse(joint.in_child)};
    const double length = norm(joint.axis);
    const Pose<double> to_axis{
        has_axis(joint.kind) ? rotation_to((1.0 / length) * joint.axis) : Mat3<double>::identity(),
        Vec3<double>::zero()};
    raw_.push_back({parent.body, parent.pose * joint.in_parent * to_axis, &joint, joint.kind});
    if (const auto found = following_.find(&joint); found != following_.end()) raw_.back().following = &found->second;
    return {static_cast<int>(raw_.size()) - 1, inverse(joint.in_child * to_axis)};
  }

  /// The origin of a one-degree body may lie anywhere on its axis. It goes to the foot of the common
  /// normal with the parent's axis, as in DH tables: then it stands at (a, 0, b) in the parent.
  void slide_origins() {
    std::vector<std::vector<std::size_t>> children(raw_.size()), links(raw_.size());  // of each body
    for (std::size_t i = 0; i < raw_.size(); ++i)
      if (raw_[i].parent >= 0) children[static_cast<std::size_t>(raw_[i].parent)].push_back(i);
    for (std::size_t n = 0; n < places_.size(); ++n)
      if (places_[n].body >= 0) links[static_cast<std::size_t>(places_[n].body)].push_back(n);
    for (std::size_t i = 0; i < raw_.size(); ++i) {
      Raw& raw = raw_[i];
      if (raw.parent < 0 || !is_axial(raw.kind)) continue;
      if (!is_axial(raw_[static_cast<std::size_t>(raw.parent)].kind)) continue;
      const Vec3<double> e = raw.pose.R.column_z(), p = raw.pose.p;
      const double sine2 = e.x * e.x + e.y * e.y;
      // The point p + d e nearest to the parent's z axis; on parallel axes the one at its height. On axes that are
      // nearly parallel the foot is far away, and an inertia about it would be little but rounding, (d / |p|)² ε: they
      // count as parallel. An angle of two degrees does not.
      constexpr double farthest = 30.0;
      const double foot = -(p.x * e.x + p.y * e.y), across = std::hypot(p.x, p.y);
      const double d = std::fabs(foot) <= farthest * across * sine2 && sine2 > 0.0 ? foot / sine2 : -p.z * e.z;
      if (d != 0.0) slide(raw, d, children[i], links[i]);
    }
  }

  void slide(Raw & raw, double d, const std::vector<std::size_t>& children, const std::vector<std::size_t>& links) {
    const Vec3<double> back{0.0, 0.0, -d};
    raw.pose.p += d * raw.pose.R.column_z();
    clear_rounding(raw.pose.p, std::fabs(d));
    raw.inertia = shift(raw.inertia, back);
    for (const std::size_t child : children) {
      raw_[child].pose.p += back;
      clear_rounding(raw_[child].pose.p, std::fabs(d));
    }
    for (const std::size_t link : links) places_[link].pose.p += back;
  }

  /// Zeros where nothing but rounding of numbers of this size is left.
  static void clear_rounding(Vec3<double> & p, double size) {
    for (double* x : {&p.x, &p.y, &p.z})
      if (std::fabs(*x) < 1e-15 * size) *x = 0.0;
  }

  /// The turn of each parent that makes γ = 0 for its first child.
  void choose_turns() {
    for (const Raw& child : raw_) {
      if (child.parent < 0 || !is_axial(child.kind)) continue;
      Raw& parent = raw_[static_cast<std::size_t>(child.parent)];
      if (parent.turn_chosen || !is_axial(parent.kind)) continue;
      parent.turn = zxz(child.pose.R).gamma;
      parent.turn_chosen = true;
    }
  }

  void finish_bodies() {
    for (const Raw& raw : raw_) {
      Body body{};
      body.parent = raw.parent;
      body.is_leaf = true;
      body.is_last_child = true;
      body.kind = raw.following == nullptr ? raw.kind : JointKind::screw;
      body.joint = data_of(raw);
      body.placement = placement_of(raw);
      body.inertia = turned_back(raw.turn, raw.inertia);
      if (raw.following == nullptr) give_coordinates(raw, body);
      model_.serial_ &= raw.parent == static_cast<int>(model_.bodies_.size()) - 1;
      model_.has_general_joints_ |= !has_one_degree(raw.kind);
      const double m = body.inertia.mass;
      model_.com_.push_back(m != 0.0 ? (1.0 / m) * body.inertia.h : Vec3<double>::zero());
      model_.own_inertia_.push_back(body.inertia);
      model_.payload_.push_back(RigidInertia<double>::zero());
      model_.bodies_.push_back(body);
    }
    follow();
    mark_children();
  }

  void give_coordinates(const Raw& raw, Body& body) {
    body.q_index = model_.nq_;
    body.v_index = body.column = model_.nv_;
    with_joint(raw.kind, [&](auto joint) {
      body.angle_index = body.q_index + std::max(joint.angle, 0);
      model_.nq_ += joint.nq;
      model_.nv_ += joint.nv;
    });
    JointInfo info = info_of(raw, static_cast<int>(model_.bodies_.size()));
    for (std::size_t k = 0; k < position_numbers(raw.kind).size(); ++k) {
      model_.lower_.push_back(info.limits.lower);
      model_.upper_.push_back(info.limits.upper);
    }
    for (const JointNumber& number : rate_numbers(raw.kind)) model_.rate_numbers_.push_back(number);
    model_.joints_.push_back(std::move(info));
  }

  /// Gives the followers the coordinates of their leaders.
  void follow() {
    std::unordered_map<const GraphJoint*, std::size_t> body_of;
    for (std::size_t i = 0; i < raw_.size(); ++i) body_of.emplace(raw_[i].joint, i);
    for (std::size_t i = 0; i < raw_.size(); ++i) {
      const Following* following = raw_[i].following;
      if (following == nullptr) continue;
      Body &body = model_.bodies_[i], &lead = model_.bodies_[body_of.at(following->leader)];
      body.q_index = body.angle_index = lead.q_index;
      body.v_index = lead.v_index;
      body.column = model_.column_count();
      body.shares = lead.shares = true;
      model_.followers_.push_back(
          {info_of(raw_[i], static_cast<int>(i)), following->leader->name, following->multiplier, following->offset});
      model_.serial_ = false;  // bodies couple with others than those that carry them
    }
  }

  void mark_children() {
    std::vector<int> last_child(raw_.size(), -1);
    for (std::size_t i = 0; i < raw_.size(); ++i) {
      if (raw_[i].parent < 0) continue;
      const auto parent = static_cast<std::size_t>(raw_[i].parent);
      model_.bodies_[parent].is_leaf = false;
      if (last_child[parent] >= 0) model_.bodies_[static_cast<std::size_t>(last_child[parent])].is_last_child = false;
      last_child[parent] = static_cast<int>(i);
    }
  }

  static JointData data_of(const Raw& raw) {
    const JointData own{has_pitch(raw.kind) ? raw.joint->pitch : 0.0};
    if (raw.following == nullptr) return own;
    const Motion<double> unit = one_degree_column(raw.kind, own);
    return {raw.following->multiplier * unit.linear.z, raw.following->multiplier * unit.angular.z};
  }

  static RigidInertia<double> turned_back(const Turn<double>& turn, const RigidInertia<double>& a) {
    return {a.mass, turn_z(turn.back(), a.h), turn_z(turn.back(), a.about_origin)};
  }

  Placement placement_of(const Raw& raw) const {
    const Turn<double> none{1.0, 0.0};
    const Turn<double> parent_turn = raw.parent < 0 ? none : raw_[static_cast<std::size_t>(raw.parent)].turn;
    Placement at{};
    at.p = turn_z(parent_turn.back(), raw.pose.p);
    clear_rounding(at.p, norm(at.p));
    at.angle_gain = with_joint(raw.kind, [](auto joint) { return joint.angle < 0 ? 0.0 : 1.0; });
    if (!is_axial(raw.kind)) {
      at.gamma = at.alpha = none;
      at.rotation = rotation_z(parent_turn.back()) * raw.pose.R;
      return at;
    }
    const Zxz r = zxz(raw.pose.R);
    at.gamma = parent_turn.back() * r.gamma;
    at.alpha = r.alpha;
    // Where the parent was turned for this child, what is left is rounding.
    at.has_gamma = !(at.gamma.c > 0.0 && std::fabs(at.gamma.s) < 1e-15);
    if (!at.has_gamma) at.gamma = none;
    at.rotation = at.has_gamma ? rotation_z(at.gamma) * rotation_x(at.alpha) : rotation_x(at.alpha);
    at.angle_offset = angle(r.theta * raw.turn);
    if (!has_one_degree(raw.kind)) return at;
    if (raw.following != nullptr) at.angle_gain *= raw.following->multiplier;
    const Motion<double> unit = one_degree_column(raw.kind, {has_pitch(raw.kind) ? raw.joint->pitch : 0.0});
    const double offset = raw.joint->offset + (raw.following != nullptr ? raw.following->offset : 0.0);
    const double slide = unit.linear.z * offset;
    at.angle_offset += unit.angular.z * offset;
    if (slide != 0.0) at.p += slide * at.rotation.column_z();
    return at;
  }

  JointInfo info_of(const Raw& raw, int body) const {
    if (raw.joint == nullptr) {
      const std::string& root = graph_.bodies[static_cast<std::size_t>(tree_.nodes[0].body)].name;
      return {"free_base", "world", root, raw.kind, false, body, 0.0, {}, {}};
    }
    const GraphJoint& j = *raw.joint;
    JointInfo info{j.name, j.parent, j.child, j.kind, j.continuous, body, j.offset, j.limits, j.passive};
    if (const auto led = led_.find(raw.joint); led != led_.end())
      for (const GraphJoint* follower : led->second) lead(info, *follower, following_.at(follower));
    return info;
  }

  Frame frame_at(const std::string& name, const Place& place, const Pose<double>& inner) const {
    const Pose<double> raw = place.pose * inner;
    if (place.body < 0) return {name, -1, raw};
    const Turn<double> back = raw_[static_cast<std::size_t>(place.body)].turn.back();
    return {name, place.body, Pose<double>{rotation_z(back), Vec3<double>::zero()} * raw};
  }

  void add_frames() {
    std::vector<std::size_t> node_of(graph_.bodies.size());
    for (std::size_t n = 0; n < tree_.nodes.size(); ++n) node_of[static_cast<std::size_t>(tree_.nodes[n].body)] = n;
    for (std::size_t b = 0; b < graph_.bodies.size(); ++b)
      model_.links_.push_back(frame_at(graph_.bodies[b].name, places_[node_of[b]], Pose<double>::identity()));
    model_.frames_ = model_.links_;
    std::unordered_map<std::string_view, std::size_t> body_of;
    for (std::size_t b = 0; b < graph_.bodies.size(); ++b) body_of.emplace(graph_.bodies[b].name, b);
    for (const GraphFrame& frame : graph_.frames)
      model_.frames_.push_back(frame_at(frame.name, places_[node_of[body_of.at(frame.body)]], frame.pose));
    model_.tip_ = static_cast<std::size_t>(farthest_body(graph_, tree_));
    for (std::size_t f = 0; f < model_.frames_.size(); ++f)
      if (model_.frames_[f].name == graph_.tip) model_.tip_ = f;
  }

  void add_couplings() {
    std::unordered_map<std::string_view, JointInfo*> by_name;
    if (!graph_.couplings.empty())
      for (JointInfo& joint : model_.joints_) by_name.emplace(joint.name, &joint);
    for (const GraphCoupling& written : graph_.couplings) {
      std::vector<int> v;
      v.reserve(written.joints.size());
      for (const std::string& name : written.joints)
        v.push_back(model_.bodies_[static_cast<std::size_t>(by_name.at(name)->body)].v_index);
      model_.couplings_.push_back(coupling_of(written, std::move(v), graph_.friction_speed));
      for (std::size_t j = 0; j < written.joints.size(); ++j) {
        const Limits most = joint_limits(model_.couplings_.back(), j);
        Limits& own = by_name.at(written.joints[j])->limits;
        own.velocity = std::min(own.velocity, most.velocity);
        own.effort = std::min(own.effort, most.effort);
      }
    }
  }

  /// Rotors that joints share: Gᵀ J G in M.
  void index_rotors() {
    for (std::size_t c = 0; c < graph_.couplings.size(); ++c) {
      const std::vector<GraphMotor>& motors = graph_.couplings[c].motors;
      const std::vector<int>& v = model_.couplings_[c].v;
      for (const GraphMotor& motor : motors) {
        model_.has_passive_ |= motor.viscous != 0 || motor.coulomb != 0;
        model_.has_armature_ |= motor.inertia != 0;
      }
      for (std::size_t i = 0; i < v.size(); ++i) {
        for (std::size_t j = i; j < v.size(); ++j) {
          double inertia = 0.0;
          for (const GraphMotor& motor : motors) inertia += motor.gears[i] * motor.inertia * motor.gears[j];
          if (i == j)
            model_.armature_[static_cast<std::size_t>(v[i])] += inertia;
          else if (inertia != 0.0)
            model_.coupled_armature_.push_back({v[i], v[j], inertia});
        }
      }
    }
  }

  void index_velocities() {
    const auto nv = static_cast<std::size_t>(model_.nv_);
    for (auto* values : {&model_.viscous_, &model_.coulomb_, &model_.stiffness_, &model_.rest_, &model_.armature_})
      values->assign(nv, 0.0);
    model_.q_of_v_.assign(nv, -1);
    model_.parent_of_v_.assign(nv, -1);
    std::vector<int> last_of_body(model_.bodies_.size());
    for (const JointInfo& joint : model_.joints_) {
      const Body& body = model_.bodies_[static_cast<std::size_t>(joint.body)];
      const Passive& passive = joint.passive;
      int below = body.parent < 0 ? -1 : last_of_body[static_cast<std::size_t>(body.parent)];
      if (model_.has_coupled_joints()) below = body.v_index - 1;
      for (int k = body.v_index; k < body.v_index + degrees_of(body.kind); ++k) {
        const auto at = static_cast<std::size_t>(k);
        model_.viscous_[at] = passive.viscous;
        model_.coulomb_[at] = passive.coulomb;
        model_.stiffness_[at] = passive.stiffness;
        model_.rest_[at] = passive.rest;
        model_.armature_[at] = passive.armature;
        if (!has_quaternion(body.kind)) model_.q_of_v_[at] = body.q_index + k - body.v_index;
        model_.parent_of_v_[at] = below;
        below = k;
      }
      last_of_body[static_cast<std::size_t>(joint.body)] = below;
      model_.has_passive_ |= passive.viscous != 0 || passive.coulomb != 0 || passive.stiffness != 0;
      model_.has_armature_ |= passive.armature != 0;
    }
  }

  void add_loops() {
    std::vector<Finding> findings;
    const auto problem = [&](const GraphLoop& loop, std::string what, std::string remedy) {
      findings.push_back({Finding::Severity::error, loop.name, std::move(what), std::move(remedy), loop.source, false});
    };
    for (const GraphLoop& loop : graph_.loops) {
      const Frame *a = model_.find_frame(loop.parent), *b = model_.find_frame(loop.child);
      if (a == nullptr || b == nullptr) {
        for (const auto& [frame, link] : {std::pair(a, &loop.parent), std::pair(b, &loop.child)})
          if (frame == nullptr)
            problem(loop, "closes a loop on '" + *link + "', which does not exist", "name a link of the robot");
        continue;
      }
      if (a->body == b->body) {
        problem(loop, "joins '" + loop.parent + "' and '" + loop.child + "', which are one rigid body",
                "a loop joint joins two bodies that move against each other");
        continue;
      }
      model_.loops_.push_back({loop.name,
                               loop.kind,
                               {loop.name, a->body, a->pose * loop.in_parent},
                               {loop.name, b->body, b->pose * loop.in_child},
                               loop.pitch,
                               loop.source});
    }
    if (!findings.empty()) throw InputError(std::move(findings));
  }

  void add_postures() {
    const std::vector<NumberUse> uses = position_uses(model_);
    std::vector<Finding> findings;
    for (const GraphPosture& posture : graph_.postures) {
      const auto problem = [&](std::string what, std::string remedy) {
        findings.push_back(
            {Finding::Severity::error, posture.name, std::move(what), std::move(remedy), posture.source, false});
      };
      std::vector<double> q = model_.neutral();
      // A robot whose root was let float stands where it did.
      const std::size_t base = model_.has_free_base() && posture.q.size() + 7 == uses.size() ? 7 : 0;
      if (posture.q.size() + base != uses.size()) {
        problem("is a posture of " + std::to_string(posture.q.size()) + " numbers",
                "give " + std::to_string(uses.size()) + ", one for each position");
        continue;
      }
      for (std::size_t k = 0; k < posture.q.size(); ++k)
        q[base + k] = resolve(posture.q[k], uses[base + k], posture.name);
      if (!std::all_of(q.begin(), q.end(), [](double x) { return std::isfinite(x); }))
        problem("is a posture with a number that is not finite", "give finite numbers");
      else if (find_bad_quaternion(model_, q))
        problem("is a posture with a quaternion that is not of unit length", "give x, y, z, w of length 1");
      if (model_.find_posture(posture.name) != nullptr) problem("names two postures", "rename one");
      model_.postures_.push_back({posture.name, std::move(q)});
    }
    if (!findings.empty()) throw InputError(std::move(findings));
  }

  const Graph& graph_;
  const Tree& tree_;
  Model model_;
  std::unordered_map<const GraphJoint*, Following> following_;                 // by follower
  std::unordered_map<const GraphJoint*, std::vector<const GraphJoint*>> led_;  // by leader, in the order of the file
  std::vector<Raw> raw_;
  std::vector<Place> places_;
};

namespace {

/// Throws with all errors but those that the robot allows itself.
void refuse_errors(const Graph& graph, std::vector<Finding> findings) {
  std::vector<Finding> refused;
  for (Finding& finding : findings)
    if (finding.severity == Finding::Severity::error && !(finding.physics && graph.allow_nonphysical))
      refused.push_back(std::move(finding));
  for (Finding& finding : refused)
    if (finding.physics) finding.remedy += " (or allow_nonphysical with a reason)";
  if (!refused.empty()) throw InputError(std::move(refused));
}

/// Finite numbers of a file can be so large that their products are not.
void refuse_overflow(const Graph& graph, const Model& model) {
  const auto refuse = [&](const std::string& name) {
    throw InputError({{Finding::Severity::error, name, "its numbers are so large that they overflow",
                       "lengths are in metres, masses in kilograms", graph.source, false}});
  };
  const auto expect_finite = [&](const JointInfo& joint) {
    const Body& body = model.bodies()[static_cast<std::size_t>(joint.body)];
    const Placement& at = body.placement;
    if (!is_finite(at.p) || !is_finite(at.rotation) || !std::isfinite(at.angle_offset) || !is_finite(body.inertia) ||
        !std::isfinite(body.joint.pitch) || !std::isfinite(body.joint.turn))
      refuse(joint.name);
  };
  for (const JointInfo& joint : model.joints()) expect_finite(joint);
  for (const FollowerJoint& follower : model.followers()) expect_finite(follower.joint);
  for (const Frame& frame : model.frames())
    if (!is_finite(frame.pose)) refuse(frame.name);
  const auto is_number = [](double x) { return std::isfinite(x); };
  for (const Coupling& coupling : model.couplings())
    for (const int k : coupling.v)
      if (!is_number(model.armature()[static_cast<std::size_t>(k)])) refuse(coupling.name);
  for (const Coupling& coupling : model.couplings())
    for (const CoupledMotor& motor : coupling.motors)
      if (!std::all_of(motor.shares.begin(), motor.shares.end(), is_number)) refuse(coupling.name);
}

}  // namespace

Model build(const Graph& graph) {
  std::optional<Graph> own;
  Tree tree;
  const Graph& open = opened(graph, own, tree);
  Checked checked = check_tree(open, std::move(tree));
  refuse_errors(open, std::move(checked.findings));
  Model model = ModelBuilder(open, checked.tree).take();
  refuse_overflow(open, model);
  return model;
}

}  // namespace ulna
