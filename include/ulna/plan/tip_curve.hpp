// Curves of poses in space: straight lines and arcs one after the other, with corners that are cut where that is
// allowed. They know no joints.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ulna/spatial/pose.hpp"

namespace ulna {

/// From where the curve is to a pose; the orientation turns the shortest way, at a constant rate.
struct TipMove {
  Pose<double> to = Pose<double>::identity();
  std::optional<Vec3<double>> via{};  // along the circle through the beginning, this point and the end; none: straight
  double blend = 0.0;                 // m by which the corner at its end may be missed; 0: a corner is a rest
};

class TipCurve {
 public:
  /// Throws InputError for no moves, for one that goes nowhere, for an arc whose three points lie on a line and for
  /// numbers that are not finite.
  TipCurve(const Pose<double>& from, std::span<const TipMove> moves);

  /// Smooth pieces: what is left of each move, and the cut corners between them.
  std::size_t piece_count() const { return pieces_.size(); }
  /// The move that a piece is of; of a corner the one that leads to it.
  std::size_t move_of(std::size_t piece) const { return pieces_[piece].leg; }
  /// Whether the direction jumps at the end of a piece, or the curve ends there.
  bool rests_after(std::size_t piece) const { return pieces_[piece].rests; }
  /// How much of its move is done at a share of the piece, from 0 to 1.
  double share_of_move(std::size_t piece, double share) const;
  /// At a share from 0 to 1 of the piece.
  Pose<double> at(std::size_t piece, double share) const;

 private:
  /// A whole move, by a length in which a radian counts as much as `metres_per_radian`.
  struct Leg {
    Pose<double> from = Pose<double>::identity();
    Vec3<double> way{};   // of the origin, if it is straight; else from the centre to the beginning
    Vec3<double> axis{};  // of an arc: its angle along its axis
    Vec3<double> turn{};  // of the orientation, in the frame itself
    bool is_arc = false;
    double length = 0.0;
  };
  /// How the pose changes with that length: the origin in world axes, the orientation in the frame itself.
  struct Rate {
    Vec3<double> linear{}, angular{};
  };
  struct Piece {
    std::size_t leg = 0;
    bool is_corner = false, rests = false;
    double begin = 0.0, end = 0.0;  // of a leg, by its length; of a corner end is half its length
  };
  static Leg leg_of(const Pose<double>& from, const TipMove& move, const std::string& name);
  static Pose<double> pose_on(const Leg& leg, double at);
  static Rate rate_on(const Leg& leg, double at);
  Pose<double> pose_in_corner(std::size_t leg, double half, double share) const;
  double half_corner(std::size_t leg, double blend) const;
  bool goes_on_smoothly(std::size_t leg) const;

  std::vector<Leg> legs_;
  std::vector<Piece> pieces_;
};

}  // namespace ulna
