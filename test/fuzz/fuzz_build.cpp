// build() on graphs of any shape: names that are missing or there twice, loops, odd numbers.
#include <cmath>

#include "bytes.hpp"
#include "target.hpp"
#include "ulna/io/robot/load.hpp"
#include "ulna/io/robot/write.hpp"
#include "ulna/model/build.hpp"

namespace {

using ulna::fuzz::Bytes;
using ulna::fuzz::expect;

std::string body_name(Bytes& bytes) { return "body" + std::to_string(bytes.choice(12)); }

ulna::Pose<double> any_pose(Bytes& bytes) {
  ulna::Pose<double> pose = bytes.pose(1.0);
  if (bytes.choice(16) == 1) pose.p.x = bytes.any_number();
  if (bytes.choice(32) == 1) pose.R.xy = bytes.any_number();
  return pose;
}

ulna::MassData any_mass(Bytes& bytes) {
  ulna::MassData data;
  const auto number = [&](double usual) { return bytes.choice(8) == 1 ? bytes.any_number() : usual; };
  data.mass = number(bytes.between(1e-3, 1e3));
  data.com = bytes.vector(0.5);
  const double size = bytes.between(1e-6, 1.0);
  data.inertia = {number(size), number(size), number(1.5 * size), number(0.0), number(0.0), number(0.0)};
  return data;
}

ulna::GraphJoint any_joint(Bytes& bytes, std::size_t number) {
  ulna::GraphJoint joint;
  joint.name = "joint" + std::to_string(bytes.choice(16) == 1 ? bytes.choice(4) : number);
  joint.kind = ulna::joint_kinds[bytes.choice(ulna::joint_kinds.size())];
  joint.parent = bytes.choice(4) == 1 ? body_name(bytes) : "body" + std::to_string(number);
  joint.child = bytes.choice(8) == 1 ? body_name(bytes) : "body" + std::to_string(number + 1);
  joint.in_parent = any_pose(bytes);
  joint.in_child = any_pose(bytes);
  if (bytes.flag()) joint.axis = bytes.vector(1.0);
  if (ulna::has_pitch(joint.kind)) joint.pitch = bytes.any_number();
  if (bytes.choice(4) == 1) joint.offset = bytes.any_number();
  if (bytes.choice(4) == 1) joint.limits = {bytes.any_number(), bytes.any_number(), 1.0, bytes.any_number()};
  if (bytes.choice(4) == 1) joint.passive = {bytes.any_number(), 0.0, bytes.any_number(), 0.0, bytes.any_number()};
  return joint;
}

ulna::Graph any_graph(Bytes& bytes) {
  ulna::Graph graph;
  graph.name = "fuzzed";
  graph.free_base = bytes.flag();
  graph.allow_nonphysical = bytes.flag();
  graph.nonphysical_reason = "fuzzed";
  graph.gravity = bytes.choice(8) == 1 ? ulna::Vec3<double>{bytes.any_number(), 0, 0} : bytes.vector(10.0);
  const std::size_t joints = bytes.choice(12), loops = bytes.choice(3), frames = bytes.choice(3);
  for (std::size_t i = 0; i <= joints; ++i)
    graph.bodies.push_back(
        {bytes.choice(16) == 1 ? body_name(bytes) : "body" + std::to_string(i), any_mass(bytes), {}, {}});
  for (std::size_t i = 0; i < joints; ++i) graph.joints.push_back(any_joint(bytes, i));
  for (std::size_t i = 0; i < loops; ++i) {
    graph.loops.push_back({"loop" + std::to_string(i),
                           ulna::joint_kinds[bytes.choice(ulna::joint_kinds.size())],
                           body_name(bytes),
                           body_name(bytes),
                           any_pose(bytes),
                           any_pose(bytes),
                           bytes.any_number(),
                           {}});
  }
  for (std::size_t i = 0; i < frames; ++i)
    graph.frames.push_back({"frame" + std::to_string(i), body_name(bytes), any_pose(bytes), {}});
  if (bytes.choice(4) == 1) graph.tip = body_name(bytes);
  return graph;
}

void check_model(const ulna::Graph& graph, const ulna::Model& model) {
  expect(model.nv() > 0 && model.nq() >= model.nv(), "a model moves");
  expect(std::ssize(model.links()) == std::ssize(graph.bodies), "every link has its place");
  for (int i = 0; i < model.body_count(); ++i) {
    const ulna::Body& body = model.bodies()[static_cast<std::size_t>(i)];
    expect(body.parent < i, "a parent comes before its children");
    const auto& p = body.placement.p;
    expect(std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z), "bodies stand at finite places");
    expect(std::isfinite(body.inertia.mass) && std::isfinite(body.inertia.about_origin.xx), "inertia is finite");
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Bytes bytes(data, size);
  const ulna::Graph graph = any_graph(bytes);
  return ulna::fuzz::try_input([&] {
    ulna::check(graph);
    const ulna::Model closed = ulna::build(graph);
    check_model(graph, closed);
    const std::string written = ulna::to_explicit_toml(graph);
    expect(ulna::to_explicit_toml(ulna::parse_toml(written, "written.toml")) == written, "what is written reads back");
  });
}
