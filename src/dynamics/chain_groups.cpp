#include "chain_groups.hpp"

#include <algorithm>
#include <bit>

namespace ulna::articulated_body {

namespace {

/// Long segments keep the tree small, short ones keep four of them in the cache and occupy many threads.
std::size_t segment_length(std::size_t bodies) { return std::clamp<std::size_t>(std::bit_floor(bodies / 16), 16, 256); }

/// Whether the chain may be cut through this body: the joints near the cut rest on half of it alone, and their
/// accelerations lose as many digits as it has less inertia about their axes than the whole chain. No principal moment
/// below a thousandth of their sum: I − t 1 is positive definite.
bool is_solid(const RigidInertia<double>& a) {
  if (a.mass <= 0.0) return false;
  Sym3<double> I = a.about_centre((1.0 / a.mass) * a.h);
  const double t = 1e-3 * (I.xx + I.yy + I.zz);
  I = I - Sym3<double>::diagonal(t);
  const double minor = I.xx * I.yy - I.xy * I.xy;
  const Vec3<double> x = I.column_x(), y = I.column_y(), z = I.column_z();
  return t > 0.0 && I.xx > 0.0 && minor > 0.0 && dot(x, cross(y, z)) > 0.0;
}

std::size_t degrees(const Body& body) { return static_cast<std::size_t>(degrees_of(body.kind)); }

bool are_alike(const Model& model, const ChainPiece& a, const ChainPiece& b) {
  const auto bodies = model.bodies();
  if (a.length() != b.length()) return false;
  return std::equal(bodies.begin() + static_cast<std::ptrdiff_t>(a.first),
                    bodies.begin() + static_cast<std::ptrdiff_t>(a.last),
                    bodies.begin() + static_cast<std::ptrdiff_t>(b.first), [](const Body& x, const Body& y) {
                      return x.kind == y.kind || (has_one_degree(x.kind) && has_one_degree(y.kind));
                    });
}

/// value(k) in lane k.
template <class F>
FourLanes each_lane(F value) {
  return FourLanes(FourLanes::Vector{value(0), value(1), value(2), value(3)});
}
template <class F>
Vec3<FourLanes> each_vector(F value) {
  return {each_lane([&](std::size_t k) { return value(k).x; }), each_lane([&](std::size_t k) { return value(k).y; }),
          each_lane([&](std::size_t k) { return value(k).z; })};
}
template <class F>
RigidInertia<FourLanes> each_inertia(F value) {
  const auto part = [&](auto member) {
    return each_lane([&](std::size_t k) { return value(k).about_origin.*member; });
  };
  using S = Sym3<double>;
  return {each_lane([&](std::size_t k) { return value(k).mass; }),
          each_vector([&](std::size_t k) { return value(k).h; }),
          {part(&S::xx), part(&S::yy), part(&S::zz), part(&S::xy), part(&S::xz), part(&S::yz)}};
}

RigidInertia<double> half_of(const RigidInertia<double>& a) {
  const Sym3<double>& I = a.about_origin;
  return {0.5 * a.mass, 0.5 * a.h, {0.5 * I.xx, 0.5 * I.yy, 0.5 * I.zz, 0.5 * I.xy, 0.5 * I.xz, 0.5 * I.yz}};
}

/// Along z, per unit of q.
double slide_of(const Body& body) {
  return has_one_degree(body.kind) ? one_degree_column(body.kind, body.joint).linear.z : 0.0;
}

}  // namespace

std::vector<ChainPiece> cut(const Model& model) {
  const std::size_t N = model.bodies().size(), length = segment_length(N);
  std::vector<ChainPiece> pieces;
  std::size_t first = 0;
  // Regrouped inertias are no bodies', and half of one need not be positive.
  for (std::size_t end = model.has_free_base() ? 1 : length; !model.is_regrouped() && end < N; end += length) {
    while (end < N && !is_solid(model.bodies()[end - 1].inertia)) ++end;
    if (end >= N) break;
    pieces.push_back({first, end});
    first = end;
  }
  pieces.push_back({first, N});
  return pieces;
}

std::vector<LaneGroup> share_lanes(const Model& model) {
  std::vector<LaneGroup> groups;
  for (const ChainPiece& piece : cut(model)) {
    const bool fits = !groups.empty() && groups.back().size() < lanes && are_alike(model, groups.back()[0], piece);
    fits ? groups.back().push_back(piece) : groups.push_back({piece});
  }
  return groups;
}

double lanes_used(const std::vector<LaneGroup>& groups) {
  std::size_t used = 0;
  for (const LaneGroup& group : groups) used += group.size();
  return static_cast<double>(used) / static_cast<double>(lanes * groups.size());
}

ChainGroups::ChainGroups(const Model& model) {
  const std::vector<LaneGroup> shared = share_lanes(model);
  std::size_t steps = 0, velocities = 0;
  for (const LaneGroup& group : shared) {
    steps += group[0].length();
    for (std::size_t i = group[0].first; i < group[0].last; ++i) velocities += degrees(model.bodies()[i]);
  }
  groups.reserve(shared.size());
  kind.reserve(steps);
  placement.reserve(steps);
  inertia.reserve(steps);
  armature.reserve(velocities);
  for (const LaneGroup& group : shared) add_group(model, group);
  rotation.shrink_to_fit();
}

void ChainGroups::add_group(const Model& model, const LaneGroup& pieces) {
  const std::span<const Body> bodies = model.bodies();
  const std::size_t first_segment = groups.empty() ? 0 : segment_count();
  ChainGroup group{first_segment, pieces.size(), kind.size(), pieces[0].length(), armature.size(), 0, {}, {}, {}, {}};
  const auto piece = [&](std::size_t k) { return pieces[std::min(k, pieces.size() - 1)]; };
  for (std::size_t k = 0; k < lanes; ++k) {
    group.body[k] = piece(k).first;
    group.q[k] = static_cast<std::size_t>(bodies[group.body[k]].q_index);
    group.v[k] = static_cast<std::size_t>(bodies[group.body[k]].v_index);
  }
  for (std::size_t t = 0; t < group.steps; ++t) {
    add_step(model, {group.body[0] + t, group.body[1] + t, group.body[2] + t, group.body[3] + t});
    inertia.push_back(each_inertia([&](std::size_t k) {
      const std::size_t i = group.body[k] + t;
      const bool is_cut = i + 1 == piece(k).last && i + 1 < bodies.size();
      return is_cut ? half_of(bodies[i].inertia) : bodies[i].inertia;
    }));
  }
  group.nv = armature.size() - group.first_velocity;
  group.handle = each_inertia([&](std::size_t k) {
    return group.body[k] > 0 ? half_of(bodies[group.body[k] - 1].inertia) : RigidInertia<double>::zero();
  });
  groups.push_back(group);
}

void ChainGroups::add_step(const Model& model, const std::array<std::size_t, lanes>& at) {
  const auto body = [&](std::size_t k) -> const Body& { return model.bodies()[at[k]]; };
  const auto place = [&](std::size_t k) -> const Placement& { return body(k).placement; };
  const std::size_t n = degrees(body(0));
  bool mixed = n == 1 && has_pitch(body(0).kind), slides = false, gamma = false;
  for (std::size_t k = 0; k < lanes; ++k) {
    mixed = mixed || body(k).kind != body(0).kind;
    slides = slides || slide_of(body(k)) != 0.0;
    gamma = gamma || place(k).has_gamma;
  }
  const bool general = gamma || n > 1;
  kind.push_back({body(0).kind, mixed, slides, general ? static_cast<std::int32_t>(rotation.size()) : -1});
  if (general) {
    const auto x = each_vector([&](std::size_t k) { return place(k).rotation.column_x(); });
    const auto y = each_vector([&](std::size_t k) { return place(k).rotation.column_y(); });
    const auto z = each_vector([&](std::size_t k) { return place(k).rotation.column_z(); });
    rotation.push_back(Mat3<FourLanes>::from_columns(x, y, z));
  }
  placement.push_back({{each_lane([&](std::size_t k) { return place(k).alpha.c; }),
                        each_lane([&](std::size_t k) { return place(k).alpha.s; })},
                       each_lane([&](std::size_t k) { return place(k).angle_offset; }),
                       {each_lane([&](std::size_t k) { return place(k).angle_gain; }),
                        each_lane([&](std::size_t k) { return slide_of(body(k)); })},
                       each_vector([&](std::size_t k) { return place(k).p; })});
  for (std::size_t r = 0; r < n; ++r) {
    const auto index = [&](std::size_t k) { return static_cast<std::size_t>(body(k).v_index) + r; };
    armature.push_back(each_lane([&](std::size_t k) { return model.armature()[index(k)]; }));
  }
}

std::size_t ChainGroups::bytes() const {
  return groups.size() * sizeof(ChainGroup) +
         kind.size() * (sizeof(StepKind) + sizeof(StepPlacement<FourLanes>) + sizeof(RigidInertia<FourLanes>)) +
         armature.size() * sizeof(FourLanes) + rotation.size() * sizeof(Mat3<FourLanes>);
}

}  // namespace ulna::articulated_body
