// Compiled quantities: the same numbers as the generic path, a cache that cannot mislead, and a way out
// when there is no compiler.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <thread>

#include "support/bundled.hpp"
#include "support/skew.hpp"
#include "support/tolerance.hpp"
#include "ulna/dynamics/joint_forces.hpp"
#include "ulna/io/robot/load.hpp"
#include "ulna/trace/compiled.hpp"
#include "ulna/trace/compiled_function.hpp"
#include "ulna/trace/generate.hpp"

namespace ulna {
namespace {

namespace fs = std::filesystem;

/// A cache of its own for every test.
class CompiledKernels : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "ulna_cache_XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = fs::path(name) / "cache";
    setenv("ULNA_CACHE", folder_.c_str(), 1);
    unsetenv("CC");
  }
  void TearDown() override {
    unsetenv("CC");
    chmod(folder_.c_str(), 0700);
    fs::remove_all(folder_.parent_path());
  }
  std::vector<fs::path> objects() const {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(folder_))
      if (entry.path().extension() == ".so") found.push_back(entry.path());
    return found;
  }
  fs::path folder_;
};

/// Results of two ways for the same inputs, to the rounding of the largest of each array and the condition of M.
void expect_same_arrays(const Model& model, CompiledFunction& one, CompiledFunction& other,
                        std::vector<std::vector<double>> in, const std::string& what) {
  if (in.size() < one.input_sizes().size()) in.push_back({0.3, -0.2, 0.5, 4.0, -7.0, 2.0});  // a wrench
  const std::vector<double> rest(static_cast<std::size_t>(model.nv()), 0.0);
  const test::StateScale scale = test::scale_of(model, in[0], rest, rest);
  const auto results = [&](CompiledFunction& function) {
    std::vector<std::vector<double>> out;
    for (const int size : function.output_sizes()) out.emplace_back(static_cast<std::size_t>(size));
    function(std::vector<VectorIn<double>>(in.begin(), in.end()),
             std::vector<VectorOut<double>>(out.begin(), out.end()));
    return out;
  };
  const auto a = results(one), b = results(other);
  for (std::size_t k = 0; k < b.size(); ++k) {
    const double limit = 64.0 * model.nv() * 2.3e-16 * scale.condition * test::largest(b[k]);
    for (std::size_t i = 0; i < b[k].size(); ++i) EXPECT_NEAR(a[k][i], b[k][i], limit) << what << " " << k << " " << i;
  }
}

/// The relative difference to the generic forward and inverse dynamics, scaled by the condition.
void expect_agreement(const Model& model) {
  const auto in = trace::random_inputs(model, Quantity::forward_dynamics, 11);
  const auto n = static_cast<std::size_t>(model.nv());
  std::vector<double> generic(n), compiled(n);
  const test::StateScale scale = test::scale_of(model, in[0], in[1], in[2]);
  for (const Quantity what : {Quantity::inverse_dynamics, Quantity::forward_dynamics}) {
    const Compiled<double> own = compile<double>(model, what);
    EXPECT_EQ(own.note, "") << model.name();
    const auto method = make_method<double>("auto", what, model);
    if (what == Quantity::inverse_dynamics) {
      method->inverse_dynamics(in[0], in[1], in[2], generic);
      own.method->inverse_dynamics(in[0], in[1], in[2], compiled);
    } else {
      method->forward_dynamics(in[0], in[1], in[2], generic);
      own.method->forward_dynamics(in[0], in[1], in[2], compiled);
    }
    const double limit = what == Quantity::inverse_dynamics
                             ? 1e-12 * (scale.torque + 1e-3)
                             : 1e-12 * (scale.torque + test::largest(in[2])) * scale.inverse;
    for (std::size_t k = 0; k < n; ++k) EXPECT_NEAR(compiled[k], generic[k], limit) << model.name() << " " << k;
  }
}

/// Trees whose M has an inverse.
std::vector<std::string> robots() {
  std::vector<std::string> names = test::bundled_trees();
  std::erase(names, "puma560_printed");
  return names;
}

/// All that generated code gives, beside a generic path that reads the same model.
void expect_same_dynamics(const Model& model, Method<double>& id, Method<double>& fd, Method<double>& gim) {
  const auto in = trace::random_inputs(model, Quantity::forward_dynamics, 5);
  const auto n = static_cast<std::size_t>(model.nv());
  const test::StateScale scale = test::scale_of(model, in[0], in[1], in[2]);
  std::vector<double> generic(n), compiled(n), M(n * n), own(n * n);
  make_method<double>("newton_euler", Quantity::inverse_dynamics, model)
      ->inverse_dynamics(in[0], in[1], in[2], generic);
  id.inverse_dynamics(in[0], in[1], in[2], compiled);
  for (std::size_t k = 0; k < n; ++k) EXPECT_NEAR(compiled[k], generic[k], 1e-12 * (scale.torque + 1e-3));
  make_method<double>("articulated_body", Quantity::forward_dynamics, model)
      ->forward_dynamics(in[0], in[1], in[2], generic);
  fd.forward_dynamics(in[0], in[1], in[2], compiled);
  const double limit = 1e-12 * (scale.torque + test::largest(in[2])) * scale.inverse;
  for (std::size_t k = 0; k < n; ++k) EXPECT_NEAR(compiled[k], generic[k], limit) << k;
  make_method<double>("composite_body", Quantity::mass_matrix, model)
      ->mass_matrix(in[0], {M.data(), model.nv(), model.nv()});
  gim.mass_matrix(in[0], {own.data(), model.nv(), model.nv()});
  for (std::size_t k = 0; k < n * n; ++k) EXPECT_NEAR(own[k], M[k], 1e-13 * (1.0 + test::largest(M)));
}

TEST_F(CompiledKernels, a_payload_is_an_input) {
  // Sliding bodies, whose origins regrouping moves, a tree with a free base, and bodies inside the chain.
  for (const char* robot : {"panda_like", "stanford", "rp", "satellite_arm"}) {
    SCOPED_TRACE(robot);
    Model model = build(load_graph(robot));
    for (const Frame& frame : {model.tip(), model.frames()[model.frames().size() / 2]}) {
      SCOPED_TRACE(frame.name);
      if (frame.body < 0) continue;
      const CompileOptions options{.payload = &frame};
      model.set_payload(frame, {7.0, {0.3, 0, 0}, {}});  // code does not hold what is carried when it is made
      const auto id = compile<double>(model, Quantity::inverse_dynamics, options),
                 fd = compile<double>(model, Quantity::forward_dynamics, options),
                 gim = compile<double>(model, Quantity::mass_matrix, options);
      EXPECT_TRUE(id.own && fd.own && gim.own);
      const std::size_t made = objects().size();
      for (const MassData& payload :
           {MassData{}, MassData{2.0, {0.05, -0.02, 0.1}, {0.02, 0.03, 0.04, 0.001, 0, 0.002}}}) {
        model.set_payload(frame, payload);
        expect_same_dynamics(model, *id.method, *fd.method, *gim.method);
      }
      EXPECT_EQ(objects().size(), made);  // nothing is compiled again
      model.set_payload(frame, {});
    }
  }
}

/// The controller's three, and gravity, from one object; what was not asked for is refused by its formulation.
TEST_F(CompiledKernels, several_quantities_share_one_object) {
  Model model = build(load_graph("panda_like"));
  const Frame tip = model.tip();
  const std::array what{Quantity::inverse_dynamics, Quantity::forward_dynamics, Quantity::mass_matrix,
                        Quantity::gravity};
  const Compiled<double> own = compile<double>(model, what, {.payload = &tip});
  EXPECT_TRUE(own.own) << own.note;
  EXPECT_EQ(objects().size(), 1U);
  model.set_payload(tip, {2.0, {0.05, -0.02, 0.1}, {0.02, 0.03, 0.04, 0.001, 0, 0.002}});
  expect_same_dynamics(model, *own.method, *own.method, *own.method);
  std::vector<double> q(7, 0.4), g(7), want(7), C(49);
  own.method->gravity(q, g);
  make_method<double>("auto", Quantity::gravity, model)->gravity(q, want);
  for (std::size_t k = 0; k < 7; ++k) EXPECT_NEAR(g[k], want[k], 1e-12 * (1.0 + test::largest(want)));
  EXPECT_THROW(own.method->coriolis_matrix(q, q, {C.data(), 7, 7}), std::exception);
  EXPECT_THROW(compile<double>(model, std::span<const Quantity>{}), std::invalid_argument);
}

TEST_F(CompiledKernels, derivatives_and_packs_take_a_payload) {
  Model model = build(load_graph("ur5_like"));
  const Frame tip = model.tip();
  const CompiledDerivatives derivatives = compile_derivatives(model, {.payload = &tip});
  const Compiled<PackDouble> pack = compile<PackDouble>(model, Quantity::inverse_dynamics, {.payload = &tip});
  model.set_payload(tip, {3.0, {0, 0.1, 0.05}, {0.01, 0.02, 0.015, 0, 0, 0}});
  const auto in = trace::random_inputs(model, Quantity::forward_derivatives, 3);
  const auto wanted = trace::generic_result(model, Quantity::forward_derivatives, in);
  std::vector<double> a(6), dq(36), dv(36), dtau(36);
  derivatives.evaluate(in[0], in[1], in[2], a, {dq.data(), 6, 6}, {dv.data(), 6, 6}, {dtau.data(), 6, 6});
  const double limit = 1e-10 * (1.0 + test::largest(wanted[1]) + test::largest(wanted[3]));
  for (std::size_t k = 0; k < 36; ++k) {
    EXPECT_NEAR(dq[k], wanted[1][k], limit);
    EXPECT_NEAR(dv[k], wanted[2][k], limit);
    EXPECT_NEAR(dtau[k], wanted[3][k], limit);
  }
  const auto packs = [](const std::vector<double>& x) { return std::vector<PackDouble>(x.begin(), x.end()); };
  std::vector<PackDouble> tau(6);
  pack.method->inverse_dynamics(packs(in[0]), packs(in[1]), packs(in[2]), tau);
  const auto one = trace::generic_result(model, Quantity::inverse_dynamics, in)[0];
  for (std::size_t k = 0; k < 6; ++k)
    EXPECT_NEAR(Lanes<PackDouble>::get(tau[k], 3), one[k], 1e-12 * (1.0 + test::largest(one)));
}

TEST_F(CompiledKernels, a_payload_needs_a_body_and_a_formulation_that_reads_inertias) {
  const Model model = build(load_graph("planar2r"));
  const Frame ground{"ground", -1, Pose<double>::identity()};
  EXPECT_THROW(compile<double>(model, Quantity::inverse_dynamics, {.payload = &ground}), InputError);
  EXPECT_THROW(trace::record(model, Quantity::inverse_dynamics, "homogeneous", {.payload = &model.tip()}), InputError);
  const trace::Recording recording =
      trace::record(model, Quantity::inverse_dynamics, "denoc", {.payload = &model.tip()});
  EXPECT_EQ(recording.inputs.back().name, "payload");
  EXPECT_EQ(recording.inputs.back().elements.size(), 10U);
}

TEST_F(CompiledKernels, inertia_matrices_agree) {
  for (const std::string& robot : robots()) {
    const Model model = load(robot);
    const auto n = static_cast<std::size_t>(model.nv());
    const Compiled<double> own = compile<double>(model, Quantity::mass_matrix);
    ASSERT_TRUE(own.own) << robot << own.note;
    const auto generic = make_method<double>("auto", Quantity::mass_matrix, model);
    const auto in = trace::random_inputs(model, Quantity::mass_matrix, 12);
    std::vector<double> got(n * n), want(n * n);
    own.method->mass_matrix(in[0], {got.data(), model.nv(), model.nv()});
    generic->mass_matrix(in[0], {want.data(), model.nv(), model.nv()});
    for (std::size_t k = 0; k < want.size(); ++k) EXPECT_NEAR(got[k], want[k], 1e-12 * test::largest(want)) << robot;
  }
}

TEST_F(CompiledKernels, refuse_a_quaternion_that_is_no_rotation) {
  const Model model = load("satellite_arm");
  const auto in = trace::random_inputs(model, Quantity::forward_dynamics, 11);
  std::vector<double> q = in[0], out(in[1].size()), M(out.size() * out.size());
  q[3] += 0.5;
  for (const Quantity what : {Quantity::inverse_dynamics, Quantity::forward_dynamics, Quantity::mass_matrix}) {
    const Compiled<double> own = compile<double>(model, what);
    ASSERT_TRUE(own.own) << own.note;
    const auto call = [&](const std::vector<double>& at) {
      if (what == Quantity::inverse_dynamics) own.method->inverse_dynamics(at, in[1], in[2], out);
      if (what == Quantity::forward_dynamics) own.method->forward_dynamics(at, in[1], in[2], out);
      if (what == Quantity::mass_matrix) own.method->mass_matrix(at, {M.data(), model.nv(), model.nv()});
    };
    EXPECT_NO_THROW(call(in[0]));
    EXPECT_THROW(call(q), std::invalid_argument);
  }
}

TEST_F(CompiledKernels, every_C_makes_a_skew_matrix) {
  for (const std::string& robot : robots()) {
    const Model model = load(robot);
    const auto in = trace::random_inputs(model, Quantity::coriolis_matrix, 12);
    std::vector<double> C(in[1].size() * in[1].size());
    for (const Quantity what : {Quantity::coriolis_matrix, Quantity::mass_matrix}) {
      const Compiled<double> own = compile<double>(model, what);
      ASSERT_TRUE(own.own) << robot << own.note;
      own.method->coriolis_matrix(in[0], in[1], {C.data(), model.nv(), model.nv()});
      const test::StateScale scale = test::scale_of(model, in[0], in[1], in[1]);
      EXPECT_LT(test::skew_defect(model, in[0], in[1], C), test::torque_tolerance(model, scale, 2.3e-16)) << robot;
    }
  }
}

TEST_F(CompiledKernels, forces_of_speed_and_gravity_agree) {
  for (const char* robot : {"panda_like", "stanford", "satellite_arm"}) {
    const Model model = load(robot);
    const auto in = trace::random_inputs(model, Quantity::coriolis_matrix, 4);
    const auto n = in[1].size();
    const auto generic = make_method<double>("newton_euler", Quantity::inverse_dynamics, model);
    std::vector<double> g(n), own_g(n), C(n * n), rest(n), h(n);
    const Compiled<double> gravity = compile<double>(model, Quantity::gravity);
    const Compiled<double> mci = compile<double>(model, Quantity::convective_inertia);
    ASSERT_TRUE(gravity.own && mci.own) << gravity.note << mci.note;
    gravity.method->gravity(in[0], own_g);
    mci.method->convective_inertia(in[0], in[1], {C.data(), model.nv(), model.nv()});
    generic->inverse_dynamics(in[0], rest, rest, g, {});  // no springs here
    generic->inverse_dynamics(in[0], in[1], rest, h, {});
    const test::StateScale scale = test::scale_of(model, in[0], in[1], in[1]);
    const double limit = test::torque_tolerance(model, scale, std::numeric_limits<double>::epsilon());
    for (std::size_t r = 0; r < n; ++r) {
      EXPECT_NEAR(own_g[r], g[r], limit) << robot;
      double product = friction(model, r, in[1][r]);
      for (std::size_t c = 0; c < n; ++c) product += C[c * n + r] * in[1][c];
      EXPECT_NEAR(product, h[r] - g[r], limit) << robot;
    }
  }
}

/// Every quantity as a function of arrays; what the library computes itself is compared with other engines elsewhere.
TEST_F(CompiledKernels, functions_of_arrays_agree) {
  using enum Quantity;
  for (const char* robot : {"panda_like", "stanford", "satellite_arm"}) {
    const Model model = load(robot);
    const Frame& elbow = *model.find_frame(model.joints()[model.joints().size() / 2].child);
    for (const std::string& word : quantity_words()) {
      const Quantity quantity = quantity_named(word);
      const FunctionOptions options{.frame = &elbow, .wrench = trace::has_wrench(quantity) ? &elbow : nullptr};
      CompiledFunction own = compile_function(model, quantity, options);
      ASSERT_EQ(own.note(), "") << robot << word;
      setenv("CC", "/nowhere/cc", 1);
      setenv("ULNA_CACHE", (folder_ / "none").c_str(), 1);
      CompiledFunction generic = compile_function(model, quantity, options);
      unsetenv("CC");
      setenv("ULNA_CACHE", folder_.c_str(), 1);
      EXPECT_NE(generic.note(), "");
      expect_same_arrays(model, own, generic, trace::random_inputs(model, quantity, 6), robot + (" " + word));
    }
  }
  const Model model = load("planar2r");
  std::vector<double> q{0.1, 0.2}, J(12);
  EXPECT_THROW(compile_function(model, jacobian)({q, q}, {J}), std::invalid_argument);
  EXPECT_THROW(compile_function(model, jacobian)({q}, {q}), std::invalid_argument);
}

TEST_F(CompiledKernels, agree_with_the_generic_path) {
  for (const std::string& robot : robots()) expect_agreement(load(robot));
}

/// Four states at once, one of them beyond the fast sine's reach.
TEST_F(CompiledKernels, joints_that_follow_others_turn_by_multiples) {
  Graph graph = load_graph("panda_like");
  graph.name = "follower";
  graph.joints[3].mimic = {graph.joints[1].name, -0.7, 0.3};
  graph.joints[5].mimic = {graph.joints[4].name, 2.0, 0.0};
  expect_agreement(build(graph));
}

TEST_F(CompiledKernels, packs_agree_lane_by_lane) {
  for (const std::string& robot : robots()) {
    const Model model = load(robot);
    const auto n = static_cast<std::size_t>(model.nv());
    if (model.nq() != model.nv()) continue;  // large angles are for joints that have angles
    const Compiled<PackDouble> own = compile<PackDouble>(model, Quantity::forward_dynamics);
    ASSERT_EQ(own.note, "") << robot;
    const auto generic = make_method<double>("auto", Quantity::forward_dynamics, model);
    std::vector<PackDouble> q(n), v(n), tau(n), a(n);
    std::vector<std::vector<std::vector<double>>> states;
    for (int lane = 0; lane < 4; ++lane) {
      states.push_back(trace::random_inputs(model, Quantity::forward_dynamics, 20 + static_cast<unsigned>(lane)));
      if (lane == 2 && model.bodies()[0].kind == JointKind::revolute) states.back()[0][0] += 2e5;
      for (std::size_t k = 0; k < n; ++k) {
        q[k].set(lane, states.back()[0][k]);
        v[k].set(lane, states.back()[1][k]);
        tau[k].set(lane, states.back()[2][k]);
      }
    }
    own.method->forward_dynamics(q, v, tau, a, {});
    for (int lane = 0; lane < 4; ++lane) {
      const auto& s = states[static_cast<std::size_t>(lane)];
      const test::StateScale scale = test::scale_of(model, s[0], s[1], s[2]);
      std::vector<double> want(n);
      generic->forward_dynamics(s[0], s[1], s[2], want);
      const double limit = 1e-12 * (scale.torque + test::largest(s[2])) * scale.inverse;
      for (std::size_t k = 0; k < n; ++k) EXPECT_NEAR(a[k][lane], want[k], limit) << robot;
    }
  }
}

TEST_F(CompiledKernels, packs_by_clang) {
  if (std::system("command -v clang > /dev/null") != 0) GTEST_SKIP() << "clang is not here";
  setenv("CC", "clang", 1);
  const Model model = load("planar2r");
  const Compiled<PackDouble> own = compile<PackDouble>(model, Quantity::forward_dynamics);
  EXPECT_TRUE(own.own) << own.note;
}

TEST_F(CompiledKernels, compile_one_quantity_and_no_other) {
  const Model model = load("planar2r");
  const Compiled<double> own = compile<double>(model, Quantity::inverse_dynamics);
  ASSERT_TRUE(own.own) << own.note;
  const auto generic = make_method<double>("auto", Quantity::inverse_dynamics, model);
  std::vector<double> x{0.1, 0.2}, a(2), g(2), want(2), M(4);
  EXPECT_ANY_THROW(generic->forward_dynamics(x, x, x, a));
  EXPECT_ANY_THROW(own.method->forward_dynamics(x, x, x, a));
  EXPECT_ANY_THROW(own.method->mass_matrix(x, {M.data(), 2, 2}));
  generic->gravity(x, want);
  own.method->gravity(x, g);
  EXPECT_EQ(g, want);
}

TEST_F(CompiledKernels, long_robots_are_left_to_the_generic_path) {
  const Model model = load("chain:300");
  const Compiled<double> own = compile<double>(model, Quantity::forward_dynamics);
  EXPECT_FALSE(own.own);
  EXPECT_NE(own.note.find("too large to be compiled"), std::string::npos) << own.note;
}

TEST_F(CompiledKernels, odd_files_in_the_cache_do_no_harm) {
  const Model model = load("rp");
  ASSERT_TRUE(compile<double>(model, Quantity::inverse_dynamics).own);
  const fs::path object = objects().at(0), sum = fs::path(object).replace_extension(".sum");
  fs::remove(sum);
  fs::create_directory(sum);
  EXPECT_TRUE(compile<double>(model, Quantity::inverse_dynamics).own);
  fs::remove(object);
  fs::create_symlink("/dev/zero", object);
  EXPECT_TRUE(compile<double>(model, Quantity::inverse_dynamics).own);
}

TEST_F(CompiledKernels, derivatives_agree) {
  for (const char* robot : {"puma560", "stanford", "satellite_arm"}) {
    const Model model = load(robot);
    const auto in = trace::random_inputs(model, Quantity::forward_derivatives, 6);
    const auto want = trace::generic_result(model, Quantity::forward_derivatives, in);
    const CompiledDerivatives own = compile_derivatives(model);
    EXPECT_EQ(own.note, "");
    auto got = want;
    for (auto& array : got) std::fill(array.begin(), array.end(), NAN);
    const auto view = [&](std::vector<double>& m) { return MatrixView<double>{m.data(), model.nv(), model.nv()}; };
    own.evaluate(in[0], in[1], in[2], got[0], view(got[1]), view(got[2]), view(got[3]));
    const test::StateScale scale = test::scale_of(model, in[0], in[1], want[0]);
    for (std::size_t i = 0; i < want.size(); ++i) {
      for (std::size_t k = 0; k < want[i].size(); ++k)
        EXPECT_NEAR(got[i][k], want[i][k], 1e-12 * scale.condition * (1.0 + test::largest(want[i]))) << robot << i;
    }
  }
}

TEST_F(CompiledKernels, external_wrenches_go_to_the_generic_path) {
  const Model model = load("puma560");
  const auto in = trace::random_inputs(model, Quantity::inverse_dynamics, 4);
  std::vector<Force<double>> wrench(6, Force<double>{{1, 0, 0}, {0, 2, 0}});
  std::vector<double> a(6), b(6);
  compile<double>(model, Quantity::inverse_dynamics).method->inverse_dynamics(in[0], in[1], in[2], a, wrench);
  make_method<double>("auto", Quantity::inverse_dynamics, model)->inverse_dynamics(in[0], in[1], in[2], b, wrench);
  EXPECT_EQ(a, b);
}

TEST_F(CompiledKernels, cache_is_private_and_used) {
  const Model model = load("planar2r");
  EXPECT_EQ(compile<double>(model, Quantity::inverse_dynamics).note, "");
  struct stat status {};
  ASSERT_EQ(stat(folder_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700u);
  ASSERT_EQ(objects().size(), 1u);
  const auto written = fs::last_write_time(objects()[0]);
  EXPECT_EQ(compile<double>(model, Quantity::inverse_dynamics).note, "");
  EXPECT_EQ(fs::last_write_time(objects()[0]), written);
}

TEST_F(CompiledKernels, a_damaged_file_is_compiled_again) {
  const Model model = load("planar2r");
  compile<double>(model, Quantity::inverse_dynamics);
  const fs::path object = objects().at(0);
  const auto size = fs::file_size(object);
  fs::resize_file(object, size / 2);
  expect_agreement(model);
  EXPECT_EQ(fs::file_size(object), size);
}

TEST_F(CompiledKernels, another_robot_is_another_kernel) {
  const Model first = load("planar2r"), second = load("rp");
  compile<double>(first, Quantity::inverse_dynamics);
  compile<double>(second, Quantity::inverse_dynamics);
  EXPECT_EQ(objects().size(), 2u);
}

TEST_F(CompiledKernels, without_a_compiler_the_generic_path) {
  setenv("CC", "/nowhere/cc", 1);
  const Model model = load("planar2r");
  const Compiled<double> own = compile<double>(model, Quantity::inverse_dynamics);
  EXPECT_NE(own.note.find("no C compiler"), std::string::npos) << own.note;
  setenv("CC", "/bin/false", 1);
  const Compiled<double> failing = compile<double>(model, Quantity::inverse_dynamics);
  EXPECT_NE(failing.note.find("did not compile"), std::string::npos) << failing.note;
  std::vector<double> zero(2, 0.0), a(2), b(2);
  failing.method->inverse_dynamics(zero, zero, zero, a, {});
  make_method<double>("auto", Quantity::inverse_dynamics, model)->inverse_dynamics(zero, zero, zero, b);
  EXPECT_EQ(a, b);
}

TEST_F(CompiledKernels, a_cache_open_to_others_is_not_used) {
  fs::create_directories(folder_);
  chmod(folder_.c_str(), 0777);
  const Model model = load("planar2r");
  const Compiled<double> own = compile<double>(model, Quantity::inverse_dynamics);
  EXPECT_NE(own.note.find("not kept"), std::string::npos) << own.note;
  EXPECT_TRUE(objects().empty());
}

TEST_F(CompiledKernels, many_at_once) {
  const Model model = load("rp");
  std::vector<std::thread> threads;
  std::vector<std::string> notes(4);
  for (std::size_t k = 0; k < 4; ++k)
    threads.emplace_back([&, k] { notes[k] = compile<double>(model, Quantity::forward_dynamics).note; });
  for (std::thread& thread : threads) thread.join();
  for (const std::string& note : notes) EXPECT_EQ(note, "");
  EXPECT_EQ(objects().size(), 1u);
}

}  // namespace
}  // namespace ulna
