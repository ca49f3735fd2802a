// The planar special case of bhangale2004, section 3.2.1: twists [ω; v] of three components at O_i, 3×3
// masses, R = [0 −1; 1 0]. With erratum 2.4: M_i = [[i_zz + m d·d, m (R d)ᵀ], [m R d, m 1]], where
// the print has i_zz alone and an unsymmetric corner.
#pragma once

#include <cmath>
#include <vector>

#include "ulna/base/error.hpp"
#include "ulna/dynamics/joint_forces.hpp"
#include "ulna/kinematics/kinematics.hpp"

namespace ulna::denoc {

/// GIM and MCI of an arm that moves in a plane. Throws InputError for another one.
template <Real T>
class PlanarArm {
 public:
  explicit PlanarArm(const Model& model) : model_(model), kinematics_(model), links_(model.bodies().size()) {
    choose_plane();
  }
  explicit PlanarArm(Model&& model) = delete;

  /// i_ij = p_iᵀ M̃_i A_ij p_j by steps 5 to 7, c_ij by eqs (10)–(12) with these 3×3 matrices.
  void matrices(VectorIn<T> q, VectorIn<T> v, MatrixOut<T> I, MatrixOut<T> C) {
    outward(q, v);
    inward();
    for (int j = 0; j < model_.nv(); ++j) {
      const Link& lj = links_[static_cast<std::size_t>(j)];
      const Wrench mass = lj.M * lj.p, convective = lj.M * lj.p_dot + lj.p.w * lj.convective;
      for (int i = 0; i <= j; ++i) {
        const Link& li = links_[static_cast<std::size_t>(i)];
        const Two d = lj.o - li.o;
        I(i, j) = I(j, i) = power(mass.back(d), li.p);
        C(i, j) = power(convective.back(d), li.p);
      }
      for (int i = j + 1; i < model_.nv(); ++i) {
        const Link& li = links_[static_cast<std::size_t>(i)];
        const Two d_dot = li.velocity - lj.velocity;
        const Twist rate{T(0.0), lj.p_dot.v + lj.p.w * d_dot.R()};  // A_ij W_j p_j + Ȧ_ij p_j
        C(i, j) = power(li.M * rate + lj.p.w * li.convective, li.p);
      }
      I(j, j) += T(model_.armature()[static_cast<std::size_t>(j)]);
    }
    add_coupled_armature<T>(model_, I);
  }

 private:
  struct Two {
    T x, y;
    friend Two operator+(const Two& a, const Two& b) { return {a.x + b.x, a.y + b.y}; }
    friend Two operator-(const Two& a, const Two& b) { return {a.x - b.x, a.y - b.y}; }
    friend Two operator*(const T& k, const Two& a) { return {k * a.x, k * a.y}; }
    friend T inner(const Two& a, const Two& b) { return a.x * b.x + a.y * b.y; }
    Two R() const { return {-y, x}; }
  };
  struct Twist {
    T w;
    Two v;
  };
  struct Wrench {
    T n;
    Two f;
    Wrench back(const Two& d) const { return {n + inner(d.R(), f), f}; }  // A_ijᵀ
    friend Wrench operator+(const Wrench& a, const Wrench& b) { return {a.n + b.n, a.f + b.f}; }
    friend Wrench operator*(const T& k, const Wrench& a) { return {k * a.n, k * a.f}; }
  };
  static T power(const Wrench& w, const Twist& t) { return w.n * t.w + inner(w.f, t.v); }

  /// Mass, first moment h = m d and moment of inertia about O_i: the numbers in M_i and M̃_i.
  struct Mass {
    T m;
    Two h;
    T i;
    friend Wrench operator*(const Mass& a, const Twist& t) {
      return {a.i * t.w + inner(a.h.R(), t.v), t.w * a.h.R() + a.m * t.v};
    }
    Mass shifted(const Two& d) const {  // A_{i+1,i}ᵀ M̃_{i+1} A_{i+1,i}
      const T two(2.0);
      return {m, h + m * d, i + two * inner(h, d) + m * inner(d, d)};
    }
  };
  struct Link {
    double turn;      // revolute: +1 or −1 about the plane's normal; prismatic: 0
    double i_zz;      // about the mass centre and the normal
    Two o, velocity;  // O_i
    T omega;
    Twist p, p_dot;     // p_i, W_i p_i
    Mass M;             // M̃_i
    Wrench convective;  // first column of A_{i+1,i}ᵀ H̃_{i+1,i} + M̃_i of W M E; the others are zero
  };

  void choose_plane() {
    Kinematics<double> at_rest(model_);
    at_rest.update_positions(model_.neutral());
    const auto pose = [&](int i) { return at_rest.pose(Frame{"", i, Pose<double>::identity()}); };
    for (const JointInfo& joint : model_.joints())
      if (is_hinge(joint.kind)) normal_ = pose(joint.body).R.column_z();
    bool planar = model_.is_serial();
    for (const JointInfo& joint : model_.joints()) {
      const Pose<double> at = pose(joint.body);
      const double along = dot(at.R.column_z(), normal_);
      planar = planar &&
               (is_hinge(joint.kind) ? std::fabs(along) > 1.0 - 1e-12 : !turns(joint.kind) && std::fabs(along) < 1e-12);
      const RigidInertia<double>& inertia = model_.bodies()[static_cast<std::size_t>(joint.body)].inertia;
      const Sym3<double> central = inertia.about_centre(model_.com(joint.body));
      const Vec3<double> n = transpose_times(at.R, normal_);  // constant in the body: it stays in the plane
      links_[static_cast<std::size_t>(joint.body)].i_zz = dot(central * n, n);
      links_[static_cast<std::size_t>(joint.body)].turn = is_hinge(joint.kind) ? std::round(along) : 0.0;
    }
    if (!planar) throw InputError("'" + model_.name() + "' does not move in a plane; use the spatial denoc");
    x_ = std::fabs(normal_.x) < 0.9 ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 1, 0};
    x_ = x_ - dot(x_, normal_) * normal_;
    x_ = (1.0 / norm(x_)) * x_;
    y_ = cross(normal_, x_);
  }

  Two in_plane(const Vec3<T>& a) const { return {dot(a, cast<T>(x_)), dot(a, cast<T>(y_))}; }

  void outward(std::span<const T> q, std::span<const T> v) {
    kinematics_.update_positions(q);
    kinematics_.update_velocities(v);
    for (int i = 0; i < model_.body_count(); ++i) {
      const Frame frame{"", i, Pose<double>::identity()};
      const Pose<T> pose = kinematics_.pose(frame);
      const Motion<T> t = kinematics_.velocity(frame, Reference::world_axes);
      Link& link = links_[static_cast<std::size_t>(i)];
      link.o = in_plane(pose.p);
      link.velocity = in_plane(t.linear);
      link.omega = dot(t.angular, cast<T>(normal_));
      const bool turns = link.turn != 0.0;
      const Two none{T(0.0), T(0.0)}, e = in_plane(pose.R.column_z());
      link.p = {T(link.turn), turns ? none : e};
      link.p_dot = {T(0.0), turns ? none : link.omega * e.R()};
      const double m = model_.bodies()[static_cast<std::size_t>(i)].inertia.mass;
      const Two d = in_plane(pose.R * cast<T>(model_.com(i)));
      link.M = {T(m), T(m) * d, T(link.i_zz) + T(m) * inner(d, d)};  // step 5a
    }
  }

  void inward() {
    for (std::size_t i = links_.size(); i-- > 0;) {
      Link& link = links_[i];
      link.convective = {T(0.0), -link.omega * link.M.h};  // W_i M_i E_i: ω R (m R d)
      if (i + 1 == links_.size()) continue;
      const Link& outer = links_[i + 1];
      const Two d = outer.o - link.o, d_dot = outer.velocity - link.velocity;
      const Wrench H = outer.M * Twist{T(0.0), d_dot.R()} + outer.convective;  // eq. (12)
      link.convective = link.convective + H.back(d);
      const Mass carried = outer.M.shifted(d);  // step 5b
      link.M = {link.M.m + carried.m, link.M.h + carried.h, link.M.i + carried.i};
    }
  }

  const Model& model_;
  Kinematics<T> kinematics_;
  std::vector<Link> links_;
  Vec3<double> normal_{0, 0, 1}, x_{1, 0, 0}, y_{0, 1, 0};
};

}  // namespace ulna::denoc
