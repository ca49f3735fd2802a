// MJCF files read by MuJoCo itself and by Ulna: M, the forces of motion and gravity, accelerations, places of sites.
//
// Both start from the same numbers, so where MuJoCo keeps an inertia as it is written (principal moments and their
// axes) they differ by rounding, as oracle_test.cpp derives it: 64 ε × number of bodies, of norms, times κ(M) for
// accelerations. Inertias that MuJoCo brings to principal axes itself (fullinertia, several geoms) it has to 6.5e-7;
// 1e-6 is allowed.
#include <fmt/format.h>
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <Eigen/Dense>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <regex>

#include "oracle/random_mjcf.hpp"
#include "support/bundled.hpp"
#include "support/closed_state.hpp"
#include "support/random_robot.hpp"
#include "ulna/dynamics/method.hpp"
#include "ulna/io/robot/load.hpp"
#include "ulna/io/robot/write.hpp"
#include "ulna/kinematics/kinematics.hpp"
#include "ulna/loop/constrained_dynamics.hpp"
#include "ulna/model/elastic_joint.hpp"
#include "ulna/model/random_state.hpp"

namespace ulna {
namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

struct ModelDeleter {
  void operator()(mjModel* m) const { mj_deleteModel(m); }
};
struct DataDeleter {
  void operator()(mjData* d) const { mj_deleteData(d); }
};

std::unique_ptr<mjModel, ModelDeleter> compiled(const std::string& text) {
  const auto vfs = std::make_unique<mjVFS>();
  mj_defaultVFS(vfs.get());
  mj_makeEmptyFileVFS(vfs.get(), "robot.xml", static_cast<int>(text.size()));
  std::memcpy(vfs->filedata[mj_findFileVFS(vfs.get(), "robot.xml")], text.data(), text.size());
  std::array<char, 1000> error{};
  std::unique_ptr<mjModel, ModelDeleter> model(mj_loadXML("robot.xml", vfs.get(), error.data(), error.size()));
  mj_deleteVFS(vfs.get());
  EXPECT_NE(model, nullptr) << error.data() << "\n" << text;
  return model;
}

std::span<const double> in(const Vector& x) { return {x.data(), static_cast<std::size_t>(x.size())}; }
std::span<double> out(Vector& x) { return {x.data(), static_cast<std::size_t>(x.size())}; }
Vector vector_of(const std::vector<double>& x) { return Eigen::Map<const Vector>(x.data(), std::ssize(x)); }

/// One robot in both engines. qvel = B v; for a free joint qacc = B a + c.
class Pair {
 public:
  Pair(const mjModel& m, const Graph& graph) : m_(m), d_(mj_makeData(&m)), model_(build(graph)) {}

  void compare(double tolerance, int states, std::uint64_t seed) {
    ASSERT_EQ(model_.nv(), m_.nv);
    ASSERT_EQ(model_.nq(), m_.nq);
    std::mt19937_64 generator(seed);
    for (int k = 0; k < states; ++k) {
      set_state(vector_of(random_position(model_, generator)), vector_of(random_velocity(model_, generator)),
                vector_of(random_velocity(model_, generator)));
      compare_state(tolerance);
      compare_sites(tolerance);
    }
  }

  const Model& model() const { return model_; }

 private:
  void set_state(const Vector& q, const Vector& v, const Vector& tau) {
    q_ = q, v_ = v, tau_ = tau;
    B_ = Matrix::Zero(m_.nv, m_.nv);
    c_ = Vector::Zero(m_.nv);
    for (const JointInfo& joint : model_.joints()) map_joint(joint);
    Eigen::Map<Vector>(d_->qvel, m_.nv) = B_ * v;
    Eigen::Map<Vector>(d_->qfrc_applied, m_.nv) = B_ * tau;
    mj_forward(&m_, d_.get());
  }

  void map_joint(const JointInfo& joint) {
    const int id = mj_name2id(&m_, mjOBJ_JOINT, joint.name.c_str());
    ASSERT_GE(id, 0) << joint.name;
    const auto& body = model_.bodies()[static_cast<std::size_t>(joint.body)];
    const int dof = m_.jnt_dofadr[id], v = body.v_index;
    double* qpos = d_->qpos + m_.jnt_qposadr[id];
    const double* q = q_.data() + body.q_index;
    if (body.kind == JointKind::free) {
      const double wxyz[] = {q[6], q[3], q[4], q[5]};
      std::copy_n(q, 3, qpos);
      std::copy_n(wxyz, 4, qpos + 3);
      const Eigen::Matrix3d R = Eigen::Quaterniond(q[6], q[3], q[4], q[5]).toRotationMatrix();
      B_.block<3, 3>(dof, v + 3) = R;
      B_.block<3, 3>(dof + 3, v).setIdentity();
      c_.segment<3>(dof) = R * Eigen::Vector3d(v_.segment<3>(v)).cross(Eigen::Vector3d(v_.segment<3>(v + 3)));
    } else if (body.kind == JointKind::spherical) {
      const double wxyz[] = {q[3], q[0], q[1], q[2]};
      std::copy_n(wxyz, 4, qpos);
      B_.block<3, 3>(dof, v).setIdentity();
    } else {
      *qpos = *q;
      B_(dof, v) = 1.0;
    }
  }

  void compare_state(double tolerance) {
    Matrix theirs(m_.nv, m_.nv), ours(m_.nv, m_.nv);
    mj_fullM(&m_, theirs.data(), d_->qM);
    theirs = B_.transpose() * theirs * B_;
    method("composite_body", Quantity::mass_matrix)->mass_matrix(in(q_), {ours.data(), model_.nv(), model_.nv()});
    const double scale = theirs.norm();
    EXPECT_LE((ours - theirs).norm(), tolerance * scale);

    const Vector force = B_.transpose() * (Eigen::Map<const Vector>(d_->qfrc_bias, m_.nv) -
                                           Eigen::Map<const Vector>(d_->qfrc_passive, m_.nv)) +
                         theirs * (B_.transpose() * c_);
    Vector h(m_.nv), a(m_.nv);
    method("newton_euler", Quantity::inverse_dynamics)
        ->inverse_dynamics(in(q_), in(v_), in(Vector::Zero(m_.nv)), out(h));
    EXPECT_LE((h - force).norm(), tolerance * (force.norm() + scale * c_.norm() + gravity_scale()));

    const Vector qacc = Eigen::Map<const Vector>(d_->qacc, m_.nv);
    const Vector want = B_.transpose() * (qacc - c_);
    method("articulated_body", Quantity::forward_dynamics)->forward_dynamics(in(q_), in(v_), in(tau_), out(a));
    const Vector eigenvalues = Eigen::SelfAdjointEigenSolver<Matrix>(theirs, Eigen::EigenvaluesOnly).eigenvalues();
    const double condition = eigenvalues.maxCoeff() / eigenvalues.minCoeff();
    EXPECT_LE((a - want).norm(), tolerance * condition * (want.norm() + (tau_.norm() + h.norm()) / scale));
  }

  /// Forces of gravity may cancel at a joint; what they are made of does not.
  double gravity_scale() const {
    double weight = 0.0;
    for (int b = 0; b < m_.nbody; ++b) weight += m_.body_mass[b];
    return weight * 9.81 * (1.0 + m_.stat.extent);
  }

  void compare_sites(double tolerance) {
    Kinematics<double> kinematics(model_);
    kinematics.update_positions(in(q_));
    for (int id = 0; id < m_.nsite; ++id) {
      const Frame* frame = model_.find_frame(mj_id2name(&m_, mjOBJ_SITE, id));
      ASSERT_NE(frame, nullptr);
      const Pose<double> pose = kinematics.pose(*frame);
      const double* p = d_->site_xpos + 3 * id;
      const double* R = d_->site_xmat + 9 * id;
      EXPECT_LE(norm(pose.p - Vec3<double>{p[0], p[1], p[2]}), tolerance * (1.0 + norm(pose.p)));
      EXPECT_LE(norm(pose.R.row_x() - Vec3<double>{R[0], R[1], R[2]}), tolerance);
      EXPECT_LE(norm(pose.R.row_y() - Vec3<double>{R[3], R[4], R[5]}), tolerance);
    }
  }

  std::unique_ptr<Method<double>> method(std::string_view name, Quantity quantity) const {
    return make_method<double>(std::string(name), quantity, model_);
  }

  const mjModel& m_;
  std::unique_ptr<mjData, DataDeleter> d_;
  Model model_;
  Vector q_, v_, tau_, c_;
  Matrix B_;
};

double rounding(const mjModel& m) { return 64.0 * std::numeric_limits<double>::epsilon() * m.nbody; }

/// As a tree without Coulomb friction, which MuJoCo has as a constraint.
Graph tree_of(Graph graph) {
  graph.loops.clear();
  graph.postures.clear();  // which have no numbers for followers
  for (GraphJoint& joint : graph.joints) {
    joint.passive.coulomb = 0.0;
    joint.mimic.reset();
  }
  return graph;
}

void compare(const std::string& theirs, const std::string& ours, double tolerance, int states = 20) {
  const auto m = compiled(theirs);
  ASSERT_NE(m, nullptr);
  m->opt.disableflags |= mjDSBL_CONSTRAINT | mjDSBL_CONTACT | mjDSBL_ACTUATION;
  Pair(*m, tree_of(parse_mjcf(ours, "robot.xml"))).compare(std::max(tolerance, rounding(*m)), states, 20260023);
}

// ---- arms in use

/// Without what needs files that are not there, or words that are newer than MuJoCo 2.2.
std::string for_old_mujoco(std::string text) {
  for (const char* section : {"asset", "actuator", "keyframe", "contact", "tendon", "equality"})
    text = std::regex_replace(text, std::regex(fmt::format("<{0}>[^]*?</{0}>", section)), "");
  if (text.find("autolimits") == std::string::npos)  // which was off by default
    text = std::regex_replace(text, std::regex("<compiler"), "<compiler autolimits=\"true\"");
  return std::regex_replace(text, std::regex("<(geom|position|general|camera|material|option)\\b[^>]*/>"), "");
}

class Arms : public testing::TestWithParam<const char*> {};

TEST_P(Arms, agree) {
  const std::string path = fmt::format("{}/robots/mjcf/{}.xml", ULNA_SHARED, GetParam());
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not there";
  std::ifstream file(path);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  compare(for_old_mujoco(text), text, text.find("fullinertia") == std::string::npos ? 0.0 : 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Mjcf, Arms, testing::Values("gen3", "iiwa14", "panda_nohand", "ur5e", "xarm7"),
                         [](const auto& name) { return std::string(name.param); });

// ---- random robots

TEST(Mjcf, random_robots_with_principal_inertias_agree_to_rounding) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    const std::string text = test::RandomMjcf(seed, test::Inertias::principal).text();
    compare(text, text, 0.0, 3);
  }
}

TEST(Mjcf, random_robots_with_any_inertias_agree) {
  for (std::uint64_t seed = 1001; seed <= 1060; ++seed) {
    SCOPED_TRACE(seed);
    const std::string text = test::RandomMjcf(seed, test::Inertias::any).text();
    compare(text, text, 1e-6, 3);
  }
}

/// What is compared must see a fault of 1e-8 in any number of a robot.
TEST(Mjcf, planted_faults_are_noticed) {
  const std::string text = test::RandomMjcf(1, test::Inertias::principal).text();
  for (const char* key :
       {" mass=\"", "diaginertia=\"", "<body name=\"b2\" pos=\"", "axis=\"", "armature=\"", "gravity=\""}) {
    std::string faulty = text;
    const std::size_t at = faulty.find(key) + std::strlen(key), end = faulty.find_first_of(" \"", at);
    const double number = std::stod(faulty.substr(at, end - at));
    faulty.replace(at, end - at, fmt::format("{}", number * (1.0 + 1e-8) + 1e-9));
    testing::TestPartResultArray failures;
    {
      const testing::ScopedFakeTestPartResultReporter catcher(
          testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &failures);
      compare(text, faulty, 0.0, 3);
    }
    EXPECT_GT(failures.size(), 0) << key;
  }
}

// ---- what is written

TEST(Mjcf, mujoco_loads_what_is_written) {
  int loaded = 0;
  for (const std::string& name : test::bundled_trees()) {
    SCOPED_TRACE(name);
    Graph graph = load_graph(name);
    if (graph.allow_nonphysical) continue;  // MuJoCo refuses such bodies
    std::vector<std::string> notices;
    const std::string text = to_mjcf(tree_of(graph), notices);
    compare(text, text, 1e-6);
    ++loaded;
  }
  EXPECT_GT(loaded, 8);
}

TEST(Mjcf, mujoco_loads_random_robots_that_are_written) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    Graph graph =
        test::random_robot({.bodies = 6, .branched = true, .free_base = seed % 2 == 0, .passive = true}, seed);
    for (GraphJoint& joint : graph.joints) {
      if (has_pitch(joint.kind) || joint.kind == JointKind::free) joint.kind = JointKind::revolute;
      joint.pitch = 0.0;
    }
    std::vector<std::string> notices;
    const std::string text = to_mjcf(tree_of(graph), notices);
    compare(text, text, 1e-6, 3);
  }
}

TEST(Mjcf, keyframes_that_are_written_are_mujocos) {
  for (const std::string& name : test::catalogue()) {
    SCOPED_TRACE(name);
    const Graph graph = load_graph(name);
    const Model model = build(graph);
    std::vector<std::string> notices;
    const auto m = compiled(to_mjcf(graph, notices));
    ASSERT_NE(m, nullptr);
    ASSERT_EQ(m->nkey, std::ssize(model.postures()));
    for (int key = 0; key < m->nkey; ++key)
      for (int k = 0; k < m->nq; ++k)  // arms: one number for each joint, in the order of the chain
        EXPECT_EQ(m->key_qpos[key * m->nq + k],
                  model.postures()[static_cast<std::size_t>(key)].q[static_cast<std::size_t>(k)]);
  }
}

// ---- motors that joints share

/// MuJoCo has no such motors: there the rotors are bodies of their own, tied to the joints by tendons. Of its M, forces
/// and rows of constraint the equations of motion with multipliers are solved exactly, where its own solver is soft.
/// Written by hand, and as Ulna writes it.
TEST(Mjcf, shared_motors_are_rotors_tied_by_tendons) {
  const std::string arm = R"(<body name="yoke" pos="0 0 0.3"><joint name="pitch" axis="0 1 0"/>
      <inertial pos="0.02 0 0.05" mass="1.2" diaginertia="0.02 0.03 0.025"/>
      <body name="hand" pos="0.1 0 0.05"><joint name="roll" axis="1 0 0"/>
        <inertial pos="0.05 0.03 0.02" mass="0.8" diaginertia="0.01 0.02 0.022"/></body></body>)";
  const std::array<double, 2> inertia{2e-4, 1e-4}, viscous{1e-3, 2e-3};
  const std::array<std::array<double, 2>, 2> gears{{{20, 15}, {22, -18}}};
  std::string rotors, tendons, ties;
  for (std::size_t k = 0; k < 2; ++k) {
    rotors += fmt::format(
        R"(<body name="rotor{0}"><joint name="r{0}" armature="{1}" damping="{2}"/><inertial pos="0 0 0" mass="1" diaginertia="1e-14 1e-14 1e-14"/></body>)",
        k, inertia[k], viscous[k]);
    tendons += fmt::format(
        R"(<fixed name="own{0}"><joint joint="r{0}" coef="1"/></fixed><fixed name="sum{0}"><joint joint="pitch" coef="{1}"/><joint joint="roll" coef="{2}"/></fixed>)",
        k, gears[k][0], gears[k][1]);
    ties += fmt::format(R"(<tendon tendon1="own{0}" tendon2="sum{0}"/>)", k);
  }
  const std::string by_hand = fmt::format(
      R"(<mujoco><compiler boundinertia="1e-14"/><option jacobian="dense"/><worldbody>{}{}</worldbody><tendon>{}</tendon><equality>{}</equality></mujoco>)",
      arm, rotors, tendons, ties);
  Graph graph = parse_mjcf("<mujoco><worldbody>" + arm + "</worldbody></mujoco>", "arm.xml");
  graph.couplings.push_back({.name = "wrist", .joints = {"pitch", "roll"}});
  for (std::size_t k = 0; k < 2; ++k)
    graph.couplings[0].motors.push_back(
        {.gears = {gears[k][0], gears[k][1]}, .inertia = inertia[k], .viscous = viscous[k]});
  std::vector<std::string> notices;
  for (const std::string& text : {by_hand, to_mjcf(graph, notices)}) {
    const auto m = compiled(text);
    ASSERT_NE(m, nullptr) << text;
    ASSERT_EQ(m->nv, 4);
    const Model model = build(graph);
    const auto method = make_method<double>("auto", Quantity::forward_dynamics, model);
    const std::unique_ptr<mjData, DataDeleter> d(mj_makeData(m.get()));
    std::mt19937_64 generator(7);
    for (int round = 0; round < 20; ++round) {
      const Vector q = vector_of(random_position(model, generator)), v = vector_of(random_velocity(model, generator)),
                   tau = vector_of(random_velocity(model, generator, 3.0));
      for (std::size_t k = 0; k < 2; ++k) {
        const auto at = static_cast<Eigen::Index>(k);
        d->qpos[k] = q[at];
        d->qvel[k] = v[at];
        d->qfrc_applied[k] = tau[at];
        d->qpos[2 + k] = gears[k][0] * q[0] + gears[k][1] * q[1];
        d->qvel[2 + k] = gears[k][0] * v[0] + gears[k][1] * v[1];
      }
      mj_forward(m.get(), d.get());
      ASSERT_EQ(d->nefc, 2);
      Matrix all = Matrix::Zero(6, 6);
      std::vector<double> mass(16);
      mj_fullM(m.get(), mass.data(), d->qM);
      all.topLeftCorner(4, 4) = Eigen::Map<const Matrix>(mass.data(), 4, 4);
      const Matrix rows =
          Eigen::Map<const Eigen::Matrix<double, 2, 4, Eigen::RowMajor>>(d->efc_J);  // no state changes them
      all.bottomLeftCorner(2, 4) = rows;
      all.topRightCorner(4, 2) = rows.transpose();
      Vector force = Vector::Zero(6);
      for (Eigen::Index k = 0; k < 4; ++k) force[k] = d->qfrc_applied[k] + d->qfrc_passive[k] - d->qfrc_bias[k];
      const Vector expected = all.fullPivLu().solve(force);
      Vector a(2);
      method->forward_dynamics(in(q), in(v), in(tau), out(a));
      // Gears of twenty make the rows of the system differ in size by as much; 64 ε and their squares.
      EXPECT_LE((a - expected.head(2)).norm(), 64 * 2.3e-16 * 500 * (1.0 + expected.norm()));
    }
  }
}

// ---- equalities that are written

/// MuJoCo's own accelerations at rest, its constraints as soft as the file says. A row gives way by R of the force that
/// holds it, which is (1 − d)/d = 1e-4 of what MuJoCo estimates for J M⁻¹ Jᵀ; tenfold for rows that share a force.
void compare_as_written(Graph graph) {
  constexpr double allowed = 1e-3;
  std::mt19937_64 generator(20260023);
  const Model model = build(graph);
  const std::vector<double> q =
      model.loops().empty() ? random_position(model, generator) : test::random_closed_state(model, generator).q;
  graph.postures = {{"there", {}, {}}};
  for (const double x : q) graph.postures[0].q.push_back(x);
  std::vector<std::string> notices;
  const auto m = compiled(to_mjcf(graph, notices));
  ASSERT_NE(m, nullptr);
  ASSERT_GT(m->neq, 0);
  m->opt.disableflags |= mjDSBL_CONTACT | mjDSBL_LIMIT;
  const std::unique_ptr<mjData, DataDeleter> d(mj_makeData(m.get()));
  mj_resetDataKeyframe(m.get(), d.get(), 0);
  mj_forward(m.get(), d.get());
  const Vector rest = Vector::Zero(model.nv());
  Vector a(model.nv());
  if (model.loops().empty())
    make_method<double>("auto", Quantity::forward_dynamics, model)->forward_dynamics(q, in(rest), in(rest), out(a));
  else
    ConstrainedDynamics(model).forward_dynamics(q, in(rest), in(rest), out(a));
  for (const JointInfo& joint : model.joints()) {
    const int id = mj_name2id(m.get(), mjOBJ_JOINT, joint.name.c_str());
    ASSERT_GE(id, 0) << joint.name;
    const int v = model.bodies()[static_cast<std::size_t>(joint.body)].v_index;
    for (int k = 0; k < degrees_of(joint.kind); ++k)
      EXPECT_NEAR(d->qacc[m->jnt_dofadr[id] + k], a[v + k], allowed * a.norm()) << joint.name;
  }
}

TEST(Mjcf, loops_that_are_written_move_as_they_do_here) {
  for (const char* name : {"dual_arm", "stewart"}) {
    SCOPED_TRACE(name);
    compare_as_written(load_graph(name));
  }
}

TEST(Mjcf, followers_that_are_written_move_as_they_do_here) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE(seed);
    Graph graph = test::random_robot({.bodies = 7, .branched = true, .only_one_degree = true}, seed);
    for (GraphJoint& joint : graph.joints)
      if (has_pitch(joint.kind)) joint.kind = JointKind::revolute, joint.pitch = 0.0;
    test::let_follow(graph, seed);
    compare_as_written(graph);
  }
}

TEST(Mjcf, motors_that_joints_share_move_them_as_they_do_here) {
  Graph graph = load_graph("puma560");
  for (GraphJoint& joint : graph.joints) joint.passive.coulomb = 0.0;
  graph.couplings.push_back({.name = "wrist",
                             .joints = {"joint5", "joint6"},
                             .motors = {{.gears = {50, 50}, .inertia = 2e-5}, {.gears = {50, -50}, .inertia = 2e-5}}});
  compare_as_written(graph);
}

// ---- elastic joints

/// In MuJoCo an elastic joint is two hinges of one body: the motor's, with its armature and friction, and the spring.
TEST(Mjcf, elastic_joints_are_two_hinges_of_a_body) {
  const auto arm = [](bool elastic) {
    std::string text = "<mujoco><compiler angle=\"radian\"/><worldbody>";
    for (const auto& [name, place, axis] : {std::tuple{"shoulder", "0 0 0.3", "0 0 1"},
                                            {"elbow", "0.3 0.02 0.1", "0 1 0"},
                                            {"wrist", "0.25 0 0", "1 2 2"}}) {
      text += fmt::format(
          R"(<body name="{0}_link" pos="{1}"><inertial pos="0.1 0.02 0.03" mass="1.5" diaginertia="0.02 0.03 0.025"/>
        <joint name="{0}{2}" axis="{3}" armature="0.3" damping="0.7"/>)",
          name, place, elastic ? "_motor" : "", axis);
      if (elastic)
        text += fmt::format(R"(<joint name="{}_spring" axis="{}" stiffness="850" damping="0.2"/>)", name, axis);
    }
    return text + "</body></body></body></worldbody></mujoco>";
  };
  const auto m = compiled(arm(true));
  ASSERT_NE(m, nullptr);
  ASSERT_EQ(m->nv, 6);
  Graph graph = parse_mjcf(arm(false), "arm.xml");
  std::vector<GraphJoint> rigid;
  rigid.swap(graph.joints);
  for (GraphJoint& joint : rigid) {
    if (has_one_degree(joint.kind))
      add_elastic_joint(graph, std::move(joint), {.stiffness = 850.0, .damping = 0.2});
    else
      graph.joints.push_back(std::move(joint));
  }
  Pair(*m, graph).compare(rounding(*m), 20, 23);
}

// ---- loops

TEST(Mjcf, equalities_are_where_mujoco_has_them) {
  const std::string text = R"(<mujoco><worldbody>
    <body name="a" pos="0.1 0.2 0.3" euler="10 20 30"><joint name="ja" ref="15"/><geom size="0.1"/>
      <body name="b" pos="0.4 0 0"><joint name="jb" axis="1 2 3"/><geom size="0.1"/></body></body>
    <body name="c" pos="0.5 0.2 0.3" quat="1 2 3 4"><joint name="jc" axis="0 1 0"/><geom size="0.1"/></body></worldbody>
    <equality><connect body1="b" body2="c" anchor="0.1 0.2 0.3"/><weld body1="a" body2="c"/>
      <weld body1="b" body2="c" relpose="1 2 3 4 3 2 1"/><connect body1="c" anchor="1 0 0"/></equality></mujoco>)";
  const auto m = compiled(text);
  ASSERT_NE(m, nullptr);
  const Graph graph = parse_mjcf(text, "robot.xml");
  ASSERT_EQ(graph.loops.size(), 4u);
  const auto point = [&](int equality, int first) {
    const double* data = m->eq_data + mjNEQDATA * equality + first;
    return Vec3<double>{data[0], data[1], data[2]};
  };
  for (const int k : {0, 3}) {
    const GraphLoop& loop = graph.loops[static_cast<std::size_t>(k)];
    EXPECT_EQ(loop.kind, JointKind::spherical);
    EXPECT_LT(norm(loop.in_parent.p - point(k, 0)), 1e-15);
    EXPECT_LT(norm(loop.in_child.p - point(k, 3)), 1e-15);
  }
  for (const int k : {1, 2}) {
    const GraphLoop& loop = graph.loops[static_cast<std::size_t>(k)];
    EXPECT_EQ(loop.kind, JointKind::fixed);
    EXPECT_LT(norm(loop.in_parent.p - point(k, 3)), 1e-15);
    const double* q = m->eq_data + mjNEQDATA * k + 6;
    const double length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    const Mat3<double> R = rotation_of_quaternion(q[1] / length, q[2] / length, q[3] / length, q[0] / length);
    EXPECT_LT(norm(loop.in_parent.R.row_x() - R.row_x()) + norm(loop.in_parent.R.row_y() - R.row_y()), 1e-15);
  }
  EXPECT_EQ(graph.loops[3].child, "world");
}

}  // namespace
}  // namespace ulna
