#include "peers/mujoco_robot.hpp"

#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cstring>

#include "peers/graph_tree.hpp"
#include "ulna/spatial/quaternion.hpp"

namespace ulna::peers {

namespace {

// ---- the robot as MuJoCo's XML. Bodies and joints are called after their place in the graph, which
// needs no escaping.

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
  MjcfWriter(const Graph& graph, const GraphTree& tree) : graph_(graph), tree_(tree) {}

  std::vector<std::string> files() {
    files_.assign(1, fmt::format("<mujoco><compiler angle=\"radian\" inertiafromgeom=\"false\"/>"
                                 "<option gravity=\"{}\"/><size njmax=\"0\" nconmax=\"0\"/><worldbody>\n",
                                 triple(graph_.gravity)));
    if (graph_.free_base) {
      open_body(tree_.root(), Pose<double>::identity());
      write("<freejoint name=\"free_base\"/>\n");
      add_children(tree_.root().name, 1);
      write("</body>\n");
    } else {
      add_children(tree_.root().name, 0);
    }
    write("</worldbody></mujoco>\n");
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
    write(fmt::format("<body name=\"b{}\" pos=\"{}\" quat=\"{}\">\n", &body - graph_.bodies.data(), triple(pose.p),
                      quaternion(pose.R)));
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
    if (joint.kind == JointKind::fixed) return;
    const bool ball = joint.kind == JointKind::spherical;
    const char* type = ball ? "ball" : joint.kind == JointKind::revolute ? "hinge" : "slide";
    const Passive& p = joint.passive;
    write(fmt::format("<joint name=\"j{}\" type=\"{}\" pos=\"{}\" axis=\"{}\" armature=\"{}\" damping=\"{}\"",
                      &joint - graph_.joints.data(), type, triple(joint.in_child.p),
                      triple(joint.in_child.R * joint.axis), p.armature, p.viscous));
    if (!ball) write(fmt::format(" stiffness=\"{}\" springref=\"{}\"", p.stiffness, p.rest));
    write("/>\n");
  }

  const Graph& graph_;
  const GraphTree& tree_;
  std::vector<std::string> files_;
  std::size_t file_ = 0;  // the one being written
};

std::string why_not(const Graph& graph) {
  for (const GraphJoint& joint : graph.joints) {
    if (joint.kind == JointKind::screw || joint.kind == JointKind::free)
      return fmt::format("MuJoCo has no {} joint inside a tree ('{}')", name_of(joint.kind), joint.name);
    if (joint.passive.coulomb != 0)
      return fmt::format("MuJoCo's Coulomb friction is a soft constraint, not a force ('{}')", joint.name);
    if (joint.kind == JointKind::spherical && joint.passive.stiffness != 0)
      return fmt::format("a spring in a spherical joint means something else in MuJoCo ('{}')", joint.name);
  }
  return {};
}

struct ModelDeleter {
  void operator()(mjModel* m) const { mj_deleteModel(m); }
};
struct DataDeleter {
  void operator()(mjData* d) const { mj_deleteData(d); }
};
using ModelHandle = std::unique_ptr<mjModel, ModelDeleter>;
using DataHandle = std::unique_ptr<mjData, DataDeleter>;

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

// ---- the compiled robot

/// One joint in both worlds. MuJoCo's free joint (the base, so always the first): position,
/// quaternion w x y z; velocity of the origin in world axes, then angular velocity in body axes. Its
/// ball joint is like Ulna's, but in the axes of the body instead of the joint.
struct JointMap {
  JointKind kind;
  std::size_t q, v;       // Ulna's
  std::size_t qpos, dof;  // MuJoCo's
  Mat3<double> in_child;  // ball: the joint's axes in the body
};

Vec3<double> at(const double* x) { return {x[0], x[1], x[2]}; }
void put(const Vec3<double>& a, double* x) {
  x[0] = a.x;
  x[1] = a.y;
  x[2] = a.z;
}

class MujocoRobot final : public Peer {
 public:
  MujocoRobot(ModelHandle model, const Graph& graph, const Model& ulna)
      : m_(std::move(model)), d_(mj_makeData(m_.get())) {
    set_inertias(graph);
    map_joints(graph, ulna);
    const FramePlace tip = place_of(graph, ulna.tip().name);
    tip_pose_ = tip.pose;
    for (std::size_t b = 0; b < graph.bodies.size(); ++b)
      if (graph.bodies[b].name == tip.body)  // −1 for the ground, which is MuJoCo's world
        tip_body_ = std::max(0, mj_name2id(m_.get(), mjOBJ_BODY, fmt::format("b{}", b).c_str()));
    free_base_ = graph.free_base;
    has_passive_ = ulna.has_passive();
    only_scalar_ = !ulna.has_general_joints();
    force_.resize(static_cast<std::size_t>(m_->nv));
  }

  Pose<double> tip_pose(Input q) override {
    set_position(q);
    mj_kinematics(m_.get(), d_.get());
    const double* R = d_->xmat + 9 * tip_body_;
    const Pose<double> body{{R[0], R[1], R[2], R[3], R[4], R[5], R[6], R[7], R[8]}, at(d_->xpos + 3 * tip_body_)};
    return body * tip_pose_;
  }

  /// What mj_inverse does for a robot without contacts, less the factorisation of M that it does
  /// not need.
  void inverse_dynamics(Input q, Input v, Input a, Output tau) override {
    set_position(q);
    to_mujoco(v, d_->qvel);
    set_acceleration(v, a);
    mj_kinematics(m_.get(), d_.get());
    mj_comPos(m_.get(), d_.get());
    mj_comVel(m_.get(), d_.get());
    mj_rne(m_.get(), d_.get(), 1, force_.data());
    for (std::size_t k = 0; k < force_.size(); ++k) force_[k] += m_->dof_armature[k] * d_->qacc[k];
    subtract_passive();
    to_ulna(force_.data(), tau.data());
  }

  /// What mj_forward does for a robot without contacts, actuators and sensors.
  void forward_dynamics(Input q, Input v, Input tau, Output a) override {
    set_position(q);
    to_mujoco(v, d_->qvel);
    mj_kinematics(m_.get(), d_.get());
    mj_comPos(m_.get(), d_.get());
    mj_crb(m_.get(), d_.get());
    mj_factorM(m_.get(), d_.get());
    mj_comVel(m_.get(), d_.get());
    mj_rne(m_.get(), d_.get(), 0, force_.data());
    subtract_passive();
    to_mujoco(tau, d_->qfrc_applied);
    for (std::size_t k = 0; k < force_.size(); ++k) force_[k] = d_->qfrc_applied[k] - force_[k];
    mj_solveM(m_.get(), d_.get(), d_->qacc, force_.data(), 1);
    get_acceleration(v, a);
  }

  void mass_matrix(Input q, MatrixView<double> M) override {
    set_position(q);
    mj_kinematics(m_.get(), d_.get());
    mj_comPos(m_.get(), d_.get());
    mj_crb(m_.get(), d_.get());
    expand(M);
    if (!only_scalar_) transform(M);
  }

  /// mj_step as a user calls it, with its constraint solver switched off: there is nothing to solve.
  bool run_free(double step, long count, Output q, Output v) override {
    if (!only_scalar_) return false;
    m_->opt.integrator = mjINT_RK4;
    m_->opt.timestep = step;
    m_->opt.disableflags |= mjDSBL_CONSTRAINT | mjDSBL_CONTACT | mjDSBL_LIMIT | mjDSBL_ACTUATION | mjDSBL_WARMSTART;
    mj_resetData(m_.get(), d_.get());
    set_position(q);
    to_mujoco(v, d_->qvel);
    for (long k = 0; k < count; ++k) mj_step(m_.get(), d_.get());
    for (const JointMap& j : joints_) q[j.q] = d_->qpos[j.qpos];
    to_ulna(d_->qvel, v.data());
    return true;
  }

 private:
  /// MuJoCo's flags for bodies with diagonal inertias were found from what the compiler saw.
  void set_inertias(const Graph& graph) {
    for (std::size_t b = 0; b < graph.bodies.size(); ++b) {
      const std::ptrdiff_t id = mj_name2id(m_.get(), mjOBJ_BODY, fmt::format("b{}", b).c_str());
      if (id < 0 || is_frame(graph.bodies[b])) continue;
      const Principal exact = principal(graph.bodies[b].mass.inertia);
      const Eigen::Vector4d wxyz(exact.axes.w(), exact.axes.x(), exact.axes.y(), exact.axes.z());
      Eigen::Map<Eigen::Vector3d>(m_->body_inertia + 3 * id) = exact.moments;
      Eigen::Map<Eigen::Vector4d>(m_->body_iquat + 4 * id) = wxyz;
      m_->body_simple[id] = m_->body_sameframe[id] = 0;
    }
    std::fill_n(m_->dof_simplenum, m_->nv, 0);
  }

  void map_joints(const Graph& graph, const Model& ulna) {
    v_of_dof_.resize(static_cast<std::size_t>(m_->nv));
    if (graph.free_base) map_joint("free_base", ulna.joints()[0], Mat3<double>::identity(), ulna);
    for (std::size_t j = 0; j < graph.joints.size(); ++j) {
      const GraphJoint& joint = graph.joints[j];
      if (joint.kind != JointKind::fixed)
        map_joint(fmt::format("j{}", j), joint_named(ulna, joint.name), joint.in_child.R, ulna);
    }
  }

  void map_joint(const std::string& name, const JointInfo& joint, const Mat3<double>& in_child, const Model& ulna) {
    const int id = mj_name2id(m_.get(), mjOBJ_JOINT, name.c_str());
    const Body& body = ulna.bodies()[static_cast<std::size_t>(joint.body)];
    const auto unsigned_of = [](int i) { return static_cast<std::size_t>(i); };
    const JointMap map{body.kind,
                       unsigned_of(body.q_index),
                       unsigned_of(body.v_index),
                       unsigned_of(m_->jnt_qposadr[id]),
                       unsigned_of(m_->jnt_dofadr[id]),
                       in_child};
    const int nv = with_joint(body.kind, [](auto kind) { return kind.nv; });
    for (int k = 0; k < nv; ++k) v_of_dof_[map.dof + unsigned_of(k)] = body.v_index + k;
    joints_.push_back(map);
  }

  void set_position(Input q) {
    for (const JointMap& j : joints_) {
      double* to = d_->qpos + j.qpos;
      const double* from = &q[j.q];
      if (j.kind == JointKind::free) {
        put(at(from), to);
        const double wxyz[] = {from[6], from[3], from[4], from[5]};
        std::copy_n(wxyz, 4, to + 3);
        base_ = rotation_of_quaternion(from[3], from[4], from[5], from[6]);
      } else if (j.kind == JointKind::spherical) {
        put(j.in_child * at(from), to + 1);  // a quaternion's vector part turns like any vector
        to[0] = from[3];
      } else {
        *to = *from;
      }
    }
  }

  /// B x, where B takes Ulna's velocities to MuJoCo's. B is made of rotations, so it takes
  /// accelerations (but for the free base's ω × u) and forces too, and Bᵀ takes them back.
  void to_mujoco(Input from_all, double* to_all) const {
    for (const JointMap& j : joints_) {
      double* to = to_all + j.dof;
      const double* from = &from_all[j.v];
      if (j.kind == JointKind::free) {
        put(base_ * at(from + 3), to);
        put(at(from), to + 3);
      } else if (j.kind == JointKind::spherical) {
        put(j.in_child * at(from), to);
      } else {
        *to = *from;
      }
    }
  }

  void to_ulna(const double* from_all, double* to_all) const {
    for (const JointMap& j : joints_) {
      const double* from = from_all + j.dof;
      double* to = to_all + j.v;
      if (j.kind == JointKind::free) {
        put(at(from + 3), to);
        put(transpose_times(base_, at(from)), to + 3);
      } else if (j.kind == JointKind::spherical) {
        put(transpose_times(j.in_child, at(from)), to);
      } else {
        *to = *from;
      }
    }
  }

  /// d(R u)/dt = R (u̇ + ω × u): what MuJoCo's linear acceleration of the base has beyond u̇.
  Vec3<double> turning(Input v) const { return cross(at(&v[0]), at(&v[3])); }

  void set_acceleration(Input v, Input a) {
    to_mujoco(a, d_->qacc);
    if (free_base_) put(at(d_->qacc) + base_ * turning(v), d_->qacc);
  }
  void get_acceleration(Input v, Output a) const {
    to_ulna(d_->qacc, a.data());
    if (free_base_) put(at(&a[3]) - turning(v), &a[3]);
  }

  void subtract_passive() {
    if (!has_passive_) return;
    mj_passive(m_.get(), d_.get());
    for (std::size_t k = 0; k < force_.size(); ++k) force_[k] -= d_->qfrc_passive[k];
  }

  /// MuJoCo keeps each row of M up the tree only; like mj_fullM, but straight to Ulna's order.
  void expand(MatrixView<double> M) const {
    M.fill(0.0);
    for (int i = 0; i < m_->nv; ++i) {
      int address = m_->dof_Madr[i];
      for (int j = i; j >= 0; j = m_->dof_parentid[j]) {
        const int r = v_of_dof_[static_cast<std::size_t>(i)], c = v_of_dof_[static_cast<std::size_t>(j)];
        M(r, c) = M(c, r) = d_->qM[address++];
      }
    }
  }

  /// M := Bᵀ M B.
  void transform(MatrixView<double> M) const {
    const auto n = static_cast<Eigen::Index>(force_.size());
    Eigen::Map<Eigen::MatrixXd> map(M.data, n, n);
    for (int pass = 0; pass < 2; ++pass) {  // M is symmetric: Bᵀ (Bᵀ M)ᵀ
      for (Eigen::Index c = 0; c < n; ++c) {
        Eigen::VectorXd dofs(n);
        for (Eigen::Index k = 0; k < n; ++k) dofs[k] = map(v_of_dof_[static_cast<std::size_t>(k)], c);
        to_ulna(dofs.data(), &map(0, c));
      }
      map.transposeInPlace();
    }
  }

  ModelHandle m_;
  DataHandle d_;
  std::vector<JointMap> joints_;
  std::vector<int> v_of_dof_;
  std::vector<double> force_;
  Mat3<double> base_ = Mat3<double>::identity();
  Pose<double> tip_pose_ = Pose<double>::identity();
  std::ptrdiff_t tip_body_ = 0;
  bool free_base_ = false, has_passive_ = false, only_scalar_ = true;
};

}  // namespace

Made make_mujoco_robot(const Graph& graph, const Model& model) {
  Made made;
  made.refusal = why_not(graph);
  if (!made.refusal.empty()) return made;
  const GraphTree tree(graph);
  ModelHandle compiled = compile(MjcfWriter(graph, tree).files(), made.refusal);
  if (compiled != nullptr) made.robot = std::make_unique<MujocoRobot>(std::move(compiled), graph, model);
  return made;
}

}  // namespace ulna::peers
