// The loop equations of velocity, A v = 0, and of acceleration, A a = b (legnani1996, section 2.2, (5) and (6)), over
// any scalar.
//
// A loop is an open chain whose last frame coincides with its first. Only the directions that the cut
// joint locks are asked for: with a revolute one five equations of the six, and so on.
#pragma once

#include "ulna/kinematics/kinematics.hpp"
#include "ulna/model/build.hpp"

namespace ulna {

template <Real T>
class LoopMatrix {
 public:
  explicit LoopMatrix(const Model& model);
  explicit LoopMatrix(Model&&) = delete;

  /// At a position: relative() and A.
  void update(VectorIn<T> q);
  /// At a velocity of that position: b() = −Ȧ v; and with accelerations b() = −Ȧ v − A a, what they miss.
  void update_bias(VectorIn<T> v);
  void update_rest(VectorIn<T> v, VectorIn<T> a);

  int rows() const { return rows_; }
  /// A: rows × nv.
  MatrixView<const T> matrix() const { return {A_.data(), rows_, model_.nv()}; }
  std::span<const T> b() const { return b_; }
  /// Frame b of a loop as seen from its frame a, but for the turn of joints with a pitch, whose rates do not depend on
  /// it.
  const Relative<T>& relative(std::size_t loop) const { return relative_[loop]; }
  const Kinematics<T>& kinematics() const { return kinematics_; }

 private:
  /// A joint velocity that moves one frame of a loop and not the other; those below both move the loop as
  /// a whole.
  struct Between {
    int v_index, column;  // see Body::column
    double sign;          // + towards frame b
  };
  /// What a unit of a joint velocity does: world axes, at the world's origin.
  struct Screw {
    int body, k;  // of its joint
    Motion<T> motion;
  };
  void take_rates();
  static std::vector<Between> between(const Model& tree, const LoopJoint& joint);

  const Model& model_;
  Kinematics<T> kinematics_;
  int rows_;
  std::vector<std::vector<Between>> between_;  // by loop
  std::vector<Relative<T>> relative_;          // by loop
  std::vector<Screw> screws_;                  // by column
  std::vector<int> moving_;                    // columns that some loop has
  std::vector<T> A_, b_;
};

/// The directions that a cut joint locks, as linear functions of R, d and the turn: their rates are the same functions
/// of Ṙ, ḋ and so on, so that one function makes residual, A and b. z_b = R e_z must be z; where no
/// rotation is left, the skew part of R must vanish.
template <class T>
void lock(const LoopJoint& joint, const Relative<T>& x, T* out) {
  with_any_joint(joint.kind, [&](auto kind) { kind.lock({joint.pitch}, x, out); });
}

extern template class LoopMatrix<double>;

}  // namespace ulna
