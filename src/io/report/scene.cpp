#include "scene.hpp"

#include <algorithm>
#include <cmath>

#include "page_data.hpp"
#include "scene_meshes.hpp"
#include "scene_numbers.hpp"
#include "ulna/kinematics/kinematics.hpp"

namespace ulna {

using Json = nlohmann::ordered_json;

namespace {

/// Where child bodies are attached and loops are model, per body (index 0 is the ground).
std::vector<std::vector<Vec3<double>>> attachments(const Model& model) {
  std::vector<std::vector<Vec3<double>>> points(model.bodies().size() + 1);
  for (const Body& body : model.bodies())
    if (constraint_count(body.kind) > 0) points[static_cast<std::size_t>(body.parent + 1)].push_back(body.placement.p);
  if (model.tip().body >= 0) points[static_cast<std::size_t>(model.tip().body + 1)].push_back(model.tip().pose.p);
  for (const LoopJoint& loop : model.loops())
    for (const Frame* frame : {&loop.a, &loop.b})
      points[static_cast<std::size_t>(frame->body + 1)].push_back(frame->pose.p);
  return points;
}

/// The robot's reach, stretched out: the longest way from the base to a tip.
double size_of(const std::vector<std::vector<Vec3<double>>>& points) {
  double sum = 0.0;
  for (const auto& list : points) {
    double longest = 0.0;
    for (const Vec3<double>& p : list) longest = std::max(longest, norm(p));
    sum += longest;
  }
  return sum > 0.0 ? sum : 1.0;
}

/// A bar from the body's origin to everything that it carries, and to its mass centre if it carries
/// nothing: the skeleton of bodies without shapes of their own.
void add_skeleton(Json& shapes, const Model& model, const std::vector<std::vector<Vec3<double>>>& points, double size) {
  const double radius = std::min(0.02 * size, 0.05);
  std::vector<bool> is_drawn(points.size(), false);
  for (const Json& shape : shapes) is_drawn[shape["body"].get<std::size_t>()] = true;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (is_drawn[i]) continue;
    std::vector<Vec3<double>> ends = points[i];
    std::erase_if(ends, [&](const Vec3<double>& end) { return norm(end) < 1e-6 * size; });
    if (i > 0 && ends.empty()) ends.push_back(model.com(static_cast<int>(i) - 1));
    for (const Vec3<double>& end : ends) {
      if (norm(end) == 0.0) continue;  // a mass centre at the origin
      shapes.push_back({{"body", i},
                        {"kind", "capsule"},
                        {"from", json_of(Vec3<double>::zero())},
                        {"to", json_of(end)},
                        {"radius", radius}});
    }
    const bool is_base = i > 0 && constraint_count(model.bodies()[i - 1].kind) == 0;
    if (!is_base) continue;
    shapes.push_back({{"body", i},
                      {"kind", "box"},
                      {"pose", json_of(Pose<double>{Mat3<double>::identity(), model.com(static_cast<int>(i) - 1)})},
                      {"size", Json::array({0.3 * size, 0.3 * size, 0.3 * size})}});
  }
}

Json shape_json(const Shape& shape, std::size_t body, const Pose<double>& in_body) {
  Json json{{"body", body}, {"pose", json_of(in_body * shape.pose)}};
  switch (shape.kind) {
    case Shape::Kind::box:
      json["kind"] = "box";
      json["size"] = shape.size;
      break;
    case Shape::Kind::cylinder:
      json["kind"] = "cylinder";
      json["radius"] = shape.size[0];
      json["length"] = shape.size[1];
      break;
    case Shape::Kind::sphere:
      json["kind"] = "sphere";
      json["radius"] = shape.size[0];
      break;
    case Shape::Kind::mesh: break;
  }
  add_colour(json, shape.colour);
  return json;
}

void add_own_shapes(Json& shapes, const Graph& graph, const Model& model) {
  for (const GraphBody& body : graph.bodies) {
    const Frame* frame = model.find_frame(body.name);
    if (frame == nullptr) continue;
    for (const Shape& shape : body.shapes)
      if (shape.kind != Shape::Kind::mesh)
        shapes.push_back(shape_json(shape, static_cast<std::size_t>(frame->body + 1), frame->pose));
  }
}

Vec3<double> up_of(const Model& model) {
  const double g = norm(model.gravity());
  return g > 0.0 ? (-1.0 / g) * model.gravity() : Vec3<double>{0, 0, 1};
}

}  // namespace

Json scene_json(const Graph& graph, const Model& model, std::vector<std::string>& problems) {
  const auto points = attachments(model);
  const double size = size_of(points);
  Json bodies = Json::array({{{"name", "ground"}}}), shapes = Json::array(), joints = Json::array();
  add_own_shapes(shapes, graph, model);
  add_meshes(shapes, graph, model, problems);
  add_skeleton(shapes, model, points, size);
  std::vector<const JointInfo*> by_body(model.bodies().size());
  for (const JointInfo& joint : model.joints()) by_body[static_cast<std::size_t>(joint.body)] = &joint;
  for (const FollowerJoint& follower : model.followers())
    by_body[static_cast<std::size_t>(follower.joint.body)] = &follower.joint;
  for (const JointInfo* carries : by_body) {
    const JointInfo& joint = *carries;
    bodies.push_back({{"name", joint.child}});
    if (constraint_count(joint.kind) == 0) continue;
    joints.push_back({{"body", joint.body + 1},
                      {"kind", name_of(joint.kind)},
                      {"look", look_of(joint.kind)},
                      {"axis", json_of(Vec3<double>{0, 0, 1})},
                      {"at", json_of(Vec3<double>::zero())}});
  }
  for (const LoopJoint& loop : model.loops()) {
    const Frame& frame = loop.b.body >= 0 ? loop.b : loop.a;
    joints.push_back({{"body", frame.body + 1},
                      {"kind", name_of(loop.kind)},
                      {"look", look_of(loop.kind)},
                      {"axis", json_of(frame.pose.R.column_z())},
                      {"at", json_of(frame.pose.p)}});
  }
  return {{"bodies", bodies},
          {"shapes", shapes},
          {"joints", joints},
          {"tip", {{"body", model.tip().body + 1}, {"at", json_of(model.tip().pose.p)}}},
          {"up", json_of(up_of(model))},
          {"size", size}};
}

std::size_t frame_stride(const Model& model, std::size_t samples) {
  constexpr std::size_t most_poses = 120'000, most_frames = 2'000;  // what a browser still draws at ease
  const std::size_t most =
      std::clamp<std::size_t>(most_poses / std::max<std::size_t>(1, model.bodies().size()), 2, most_frames);
  return std::max<std::size_t>(1, (samples + most - 1) / most);
}

nlohmann::ordered_json moving_scene(const Graph& graph, const Model& model, std::span<const double> times,
                                    std::span<const double> positions, std::vector<std::string>& problems) {
  Json scene = scene_json(graph, model, problems);
  scene["frames"] = {{"t", base64(times)}, {"poses", base64(body_poses(model, positions))}};
  return scene;
}

std::vector<float> body_poses(const Model& model, std::span<const double> positions) {
  const auto nq = static_cast<std::size_t>(model.nq());
  Kinematics<double> kinematics(model);
  std::vector<float> poses;
  for (std::size_t at = 0; at + nq <= positions.size(); at += nq) {
    kinematics.update_positions(positions.subspan(at, nq));
    for (int body = 0; body < model.body_count(); ++body) {
      const Pose<double> pose = kinematics.pose(Frame{"", body, Pose<double>::identity()});
      const Quaternion<double> turn = quaternion_of(pose.R);
      for (const double x : {pose.p.x, pose.p.y, pose.p.z, turn.x, turn.y, turn.z, turn.w})
        poses.push_back(static_cast<float>(x));
    }
  }
  return poses;
}

}  // namespace ulna
