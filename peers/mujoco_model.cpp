#include "peers/mujoco_model.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cstring>

#include "peers/graph_tree.hpp"
#include "ulna/spatial/quaternion.hpp"

namespace ulna::peers {

std::string mujoco_body_name(const Graph& graph, const std::string& body) {
  const auto found = std::find_if(graph.bodies.begin(), graph.bodies.end(),
                                  [&](const GraphBody& candidate) { return candidate.name == body; });
  return fmt::format("b{}", found - graph.bodies.begin());
}

namespace {

/// The points of a joint's frame that a loop holds together.
std::vector<Vec3<double>> points_of(const GraphLoop& loop, Hinge hinge) {
  if (loop.kind == JointKind::revolute && hinge == Hinge::two_points) return {{0, 0, 0}, {0, 0, 1}};
  return {{0, 0, 0}};
}

/// Principal moments and axes, to rounding: MuJoCo's own compiler finds them to 6.5e-7 only.
struct Principal {
  Eigen::Vector3d moments;
  Eigen::Quaterniond axes;
};

Principal principal(const Sym3<double>& I) {
  Eigen::Matrix3d full;
  full << I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz;
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(full);
  Eigen::Matrix3d axes = solver.eigenvectors();
  if (axes.determinant() < 0.0) axes.col(0) *= -1.0;
  return {solver.eigenvalues(), Eigen::Quaterniond(axes)};
}

/// A body without mass data: a place on a link.
bool is_frame(const GraphBody& body) {
  return body.mass.mass == 0.0 && principal(body.mass.inertia).moments.isZero(0.0);
}

/// MuJoCo's XML reader nests elements a hundred deep and no deeper, but reads included files: a long
/// chain is cut into several. The first is the robot.
class MjcfWriter {
 public:
  MjcfWriter(const Graph& graph, const GraphTree& tree, Hinge hinge) : graph_(graph), tree_(tree), hinge_(hinge) {}

  std::vector<std::string> files() {
    files_.assign(1, fmt::format("<mujoco><compiler angle=\"radian\" inertiafromgeom=\"false\"/>"
                                 "<option gravity=\"{}\"/><size njmax=\"{}\" nconmax=\"0\"/><worldbody>\n",
                                 triple(graph_.gravity), 6 * graph_.loops.size()));
    if (graph_.free_base) {
      open_body(tree_.root(), Pose<double>::identity());
      write("<freejoint name=\"free_base\"/>\n");
      add_children(tree_.root().name, 1);
      write("</body>\n");
    } else {
      add_children(tree_.root().name, 0);
    }
    write("</worldbody>\n");
    if (!graph_.loops.empty()) add_loops();
    write("</mujoco>\n");
    return files_;
  }

  static std::string file_name(std::size_t file) { return fmt::format("robot{}.xml", file); }

 private:
  static constexpr int deepest = 50;

  void write(const std::string& text) { files_[file_] += text; }

  static std::string triple(const Vec3<double>& a) { return fmt::format("{} {} {}", a.x, a.y, a.z); }
  static std::string quaternion(const Mat3<double>& R) {
    const Quaternion<double> q = quaternion_of(R);
    return fmt::format("{} {} {} {}", q.w, q.x, q.y, q.z);
  }

  void add_children(const std::string& body, int depth) {
    if (tree_.joints_on(body).empty()) return;
    const std::size_t outer = file_;
    if (depth == deepest) {
      write(fmt::format("<include file=\"{}\"/>\n", file_name(files_.size())));
      file_ = files_.size();
      files_.emplace_back("<mujocoinclude>\n");
    }
    for (const GraphJoint* joint : tree_.joints_on(body)) {
      open_body(tree_.body(joint->child), zero_pose(*joint));
      add_joint(*joint);
      add_children(joint->child, depth % deepest + 1);
      write("</body>\n");
    }
    if (file_ != outer) write("</mujocoinclude>\n");
    file_ = outer;
  }

  void open_body(const GraphBody& body, const Pose<double>& pose) {
    write(fmt::format("<body name=\"{}\" pos=\"{}\" quat=\"{}\">\n", mujoco_body_name(graph_, body.name),
                      triple(pose.p), quaternion(pose.R)));
    if (is_frame(body)) return;  // MuJoCo refuses it if it hangs on a joint
    // The compiler judges these moments; the exact ones replace them (set_inertias). It wants
    // them positive, also those of a point or a rod.
    const double least = 1e-12;
    const Eigen::Vector3d moments = principal(body.mass.inertia).moments;
    const auto judged = [&](double moment) { return moment >= 0.0 ? std::max(moment, least) : moment; };
    write(fmt::format("<inertial pos=\"{}\" mass=\"{}\" diaginertia=\"{} {} {}\"/>\n", triple(body.mass.com),
                      body.mass.mass, judged(moments[0]), judged(moments[1]), judged(moments[2])));
  }

  void add_joint(const GraphJoint& joint) {
    if (has_quaternion(joint.kind)) return add_motion(joint, "ball", joint.axis, 0);
    const Mat3<double> to_axis = has_axis(joint.kind) ? turn_to(joint.axis) : Mat3<double>::identity();
    const std::array columns{to_axis.column_x(), to_axis.column_y(), to_axis.column_z()};
    const Directions directions = with_any_joint(joint.kind, [](auto kind) { return kind.directions; });
    const auto degrees = static_cast<std::size_t>(degrees_of(joint.kind));
    for (std::size_t k = 0; k < degrees; ++k) {  // MuJoCo moves a body by several joints, one after the other
      const std::size_t along = directions[6 - degrees + k];
      add_motion(joint, along < 3 ? "hinge" : "slide", columns[along % 3], k);
    }
  }

  void add_motion(const GraphJoint& joint, const std::string& type, const Vec3<double>& axis, std::size_t number) {
    const Passive& p = joint.passive;
    write(fmt::format("<joint name=\"j{}_{}\" type=\"{}\" pos=\"{}\" axis=\"{}\" armature=\"{}\" damping=\"{}\"",
                      &joint - graph_.joints.data(), number, type, triple(joint.in_child.p),
                      triple(joint.in_child.R * axis), p.armature, p.viscous));
    if (type != "ball") write(fmt::format(" stiffness=\"{}\" springref=\"{}\"", p.stiffness, p.rest));
    write("/>\n");
  }

  void add_loops() {
    write("<equality>\n");
    for (const GraphLoop& loop : graph_.loops) {
      if (loop.kind == JointKind::fixed) {
        const Pose<double> child = loop.in_parent * inverse(loop.in_child);
        write(fmt::format("<weld {} relpose=\"{} {}\"/>\n", bodies_of(loop), triple(child.p), quaternion(child.R)));
        continue;
      }
      for (const Vec3<double>& point : points_of(loop, hinge_))
        write(fmt::format("<connect {} anchor=\"{}\"/>\n", bodies_of(loop), triple(loop.in_parent * point)));
    }
    write("</equality>\n");
  }

  std::string bodies_of(const GraphLoop& loop) const {
    const bool on_ground = !graph_.free_base && loop.parent == tree_.root().name;
    if (on_ground) return fmt::format("body1=\"world\" body2=\"{}\"", mujoco_body_name(graph_, loop.child));
    return fmt::format("body1=\"{}\" body2=\"{}\"", mujoco_body_name(graph_, loop.parent),
                       mujoco_body_name(graph_, loop.child));
  }

  const Graph& graph_;
  const GraphTree& tree_;
  Hinge hinge_;
  std::vector<std::string> files_;
  std::size_t file_ = 0;  // the one being written
};

std::string why_not(const Graph& graph) {
  if (!graph.couplings.empty()) return "MuJoCo has no rotors that joints share ('" + graph.couplings[0].name + "')";
  for (const GraphJoint& joint : graph.joints) {
    if (has_pitch(joint.kind) || degrees_of(joint.kind) == 6)
      return fmt::format("MuJoCo has no {} joint inside a tree ('{}')", name_of(joint.kind), joint.name);
    if (joint.mimic)
      return fmt::format("a joint that follows another is a soft constraint in MuJoCo ('{}')", joint.name);
    if (joint.passive.coulomb != 0)
      return fmt::format("MuJoCo's Coulomb friction is a soft constraint, not a force ('{}')", joint.name);
    if (joint.kind == JointKind::spherical && joint.passive.stiffness != 0)
      return fmt::format("a spring in a spherical joint means something else in MuJoCo ('{}')", joint.name);
  }
  for (const GraphLoop& loop : graph.loops)
    if (loop.kind != JointKind::spherical && loop.kind != JointKind::revolute && loop.kind != JointKind::fixed)
      return fmt::format("MuJoCo closes no loop by a {} joint ('{}')", name_of(loop.kind), loop.name);
  return {};
}

/// Nothing if MuJoCo refuses the files; its reason is then in `refusal`.
ModelHandle compile(const std::vector<std::string>& files, std::string& refusal) {
  const auto vfs = std::make_unique<mjVFS>();  // two megabytes
  mj_defaultVFS(vfs.get());
  for (std::size_t k = 0; k < files.size(); ++k) {
    const std::string name = MjcfWriter::file_name(k);
    if (mj_makeEmptyFileVFS(vfs.get(), name.c_str(), static_cast<int>(files[k].size())) == 0)
      std::memcpy(vfs->filedata[mj_findFileVFS(vfs.get(), name.c_str())], files[k].data(), files[k].size());
  }
  std::array<char, 1000> error{};
  const std::string first = MjcfWriter::file_name(0);
  ModelHandle model(mj_loadXML(first.c_str(), vfs.get(), error.data(), static_cast<int>(error.size())));
  mj_deleteVFS(vfs.get());
  if (model == nullptr) {
    refusal = std::string("MuJoCo's compiler: ") + error.data();
    std::replace(refusal.begin(), refusal.end(), '\n', ' ');
  }
  return model;
}

/// MuJoCo's flags for bodies with diagonal inertias were found from what the compiler saw.
void set_inertias(const Graph& graph, mjModel& m) {
  for (const GraphBody& body : graph.bodies) {
    const std::ptrdiff_t id = mj_name2id(&m, mjOBJ_BODY, mujoco_body_name(graph, body.name).c_str());
    if (id < 0 || is_frame(body)) continue;
    const Principal exact = principal(body.mass.inertia);
    const Eigen::Vector4d wxyz(exact.axes.w(), exact.axes.x(), exact.axes.y(), exact.axes.z());
    Eigen::Map<Eigen::Vector3d>(m.body_inertia + 3 * id) = exact.moments;
    Eigen::Map<Eigen::Vector4d>(m.body_iquat + 4 * id) = wxyz;
    m.body_simple[id] = m.body_sameframe[id] = 0;
  }
  std::fill_n(m.dof_simplenum, m.nv, 0);
}

/// A connect's point in its second body: MuJoCo's compiler takes where the first body's point lies at
/// q = 0, which is another one if the loops are open there.
void set_points(const Graph& graph, Hinge hinge, mjModel& m) {
  std::ptrdiff_t equality = 0;
  for (const GraphLoop& loop : graph.loops) {
    if (loop.kind == JointKind::fixed) {
      ++equality;
      continue;
    }
    for (const Vec3<double>& point : points_of(loop, hinge)) {
      const Vec3<double> in_child = loop.in_child * point;
      double* data = m.eq_data + mjNEQDATA * equality++;
      data[3] = in_child.x;
      data[4] = in_child.y;
      data[5] = in_child.z;
    }
  }
}

}  // namespace

ModelHandle make_mujoco_model(const Graph& graph, std::string& refusal, Hinge hinge) {
  refusal = why_not(graph);
  if (!refusal.empty()) return nullptr;
  const GraphTree tree(graph);
  ModelHandle model = compile(MjcfWriter(graph, tree, hinge).files(), refusal);
  if (model == nullptr) return nullptr;
  set_inertias(graph, *model);
  set_points(graph, hinge, *model);
  return model;
}

}  // namespace ulna::peers
