// The studio's engine against the library that it calls, and what it does with requests that are wrong.
#include "studio/engine.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

#include "ulna/ulna.hpp"

namespace ulna::studio {
namespace {

using Json = nlohmann::json;

class EngineTest : public testing::Test {
 protected:
  Json ask(const Json& request) { return Json::parse(engine.answer(request.dump())); }
  std::vector<double> array(const Json& answer, const char* name) const {
    const auto place = answer.at("arrays").at(name).get<std::vector<std::size_t>>();
    const auto first = engine.numbers().begin() + static_cast<std::ptrdiff_t>(place[0]);
    return {first, first + static_cast<std::ptrdiff_t>(place[1] * place[2])};
  }

  Engine engine;
};

TEST_F(EngineTest, EveryBundledRobotIsThere) {
  const Json answer = ask({{"do", "robots"}});
  ASSERT_EQ(answer["robots"].size(), bundled_robots().size());
  for (const BundledRobot& robot : bundled_robots()) {
    if (robot.name.find(':') != std::string::npos) continue;  // a family: chain:N
    const Json loaded = ask({{"do", "load"}, {"robot", robot.name}});
    ASSERT_FALSE(loaded.contains("error")) << loaded["error"];
    EXPECT_EQ(loaded["robot"]["nv"], load(robot.name).nv());
    EXPECT_FALSE(loaded["text"].get<std::string>().empty());
    EXPECT_FALSE(ask({{"do", "state"}}).contains("error")) << robot.name;
  }
}

TEST_F(EngineTest, MatricesAreTheLibrarysRowByRow) {
  const Model model = load("panda_like");
  std::mt19937 generator(3);
  const std::vector<double> q = random_position(model, generator), v = random_velocity(model, generator);
  ASSERT_FALSE(ask({{"do", "load"}, {"robot", "panda_like"}}).contains("error"));
  const Json answer = ask({{"do", "state"}, {"q", q}, {"v", v}, {"tau", v}});
  std::vector<double> C(49), a(7);
  make_method<double>("auto", Quantity::coriolis_matrix, model)->coriolis_matrix(q, v, {C.data(), 7, 7});
  make_method<double>("auto", Quantity::forward_dynamics, model)->forward_dynamics(q, v, v, a);
  const std::vector<double> rows = array(answer, "C");
  for (std::size_t i = 0; i < 7; ++i)
    for (std::size_t j = 0; j < 7; ++j) EXPECT_EQ(rows[i * 7 + j], C[j * 7 + i]);
  EXPECT_EQ(array(answer, "fd"), a);
  Kinematics<double> kinematics(model);
  kinematics.update_positions(q);
  const Vec3<double> tip = kinematics.pose(model.tip()).p;
  EXPECT_EQ(array(answer, "tip")[0], tip.x);
  EXPECT_EQ(array(answer, "singular").size(), 6U);
}

TEST_F(EngineTest, FormulationsAgreeToRounding) {
  ask({{"do", "load"}, {"robot", "puma560"}});
  const Json answer = ask({{"do", "formulations"}, {"q", {0.1, 0.2, 0.3, 0.4, 0.5, 0.6}}, {"v", {1, 2, 3, 1, 2, 3}}});
  ASSERT_GE(answer["rows"].size(), 15U);
  const Json state = ask({{"do", "state"}, {"q", {0.1, 0.2, 0.3, 0.4, 0.5, 0.6}}});
  // Sums over the six joints round some times per joint; what is solved for grows by the condition of M.
  const double rounding = 64.0 * 6.0, condition = state["condition"].get<double>();
  for (const Json& row : answer["rows"])
    EXPECT_LT(row["apart"].get<double>(), rounding * (row["of"] == "fd" ? condition : 1.0)) << row;
}

TEST_F(EngineTest, WhatIsNotFiniteIsNotCalledEqual) {
  ask({{"do", "load"}, {"robot", "puma560"}});
  const Json answer = ask({{"do", "formulations"}, {"v", std::vector<double>(6, 1e200)}});
  // JSON has no infinity: it is null.
  for (const Json& row : answer["rows"])
    EXPECT_EQ(row["apart"].is_null(), row["of"] == "id" || row["of"] == "fd") << row;
}

TEST_F(EngineTest, ARobotFromATextAndBack) {
  const std::string arm =
      "dh = \"standard\"\n[[link]]\njoint = \"revolute\"\na = 1\nmass = 2\ncom = [-0.5, 0, 0]\ninertia = [0.1, 0.2, "
      "0.2]\n";
  const Json loaded = ask({{"do", "load"}, {"text", arm}, {"file", "arm.toml"}});
  ASSERT_FALSE(loaded.contains("error")) << loaded["error"];
  EXPECT_EQ(loaded["robot"]["name"], "arm");
  for (const char* form : {"toml", "dh", "urdf", "mjcf", "sdf"}) {
    const Json written = ask({{"do", "text"}, {"form", form}});
    ASSERT_FALSE(written.contains("error")) << form << written["error"];
    Engine other;
    const Json again = Json::parse(other.answer(
        Json{{"do", "load"}, {"text", written["text"]}, {"file", "arm" + written["ending"].get<std::string>()}}
            .dump()));
    EXPECT_FALSE(again.contains("error")) << form << again["error"];
    EXPECT_EQ(again["robot"]["nv"], 1) << form;
  }
}

TEST_F(EngineTest, AFindingHasTheLineOfItsText) {
  ask({{"do", "load"}, {"robot", "planar2r"}});
  const Json refused = ask({{"do", "load"},
                            {"text", "dh = \"standard\"\n[[link]]\njoint = \"revolute\"\na = 1\nmass = -2\n"},
                            {"file", "a.toml"}});
  ASSERT_TRUE(refused.contains("error"));
  EXPECT_FALSE(refused["findings"].empty());
  EXPECT_GT(refused["findings"][0]["line"], 0);
  // The robot before is still there.
  EXPECT_EQ(ask({{"do", "state"}}).count("error"), 0U);
}

TEST_F(EngineTest, TheTipReachesAPointAndSaysWhereItCannot) {
  ask({{"do", "load"}, {"robot", "planar2r"}});
  const Json far = ask({{"do", "reach"}, {"position", {100, 0, 0}}});
  EXPECT_FALSE(far["solved"]);
  EXPECT_FALSE(far["reason"].get<std::string>().empty());
  const Json here = ask({{"do", "state"}, {"q", {0.4, 0.9}}});
  const std::vector<double> tip = array(here, "tip");
  const Json near = ask({{"do", "reach"}, {"q", {0.1, 0.5}}, {"position", {tip[0], tip[1], tip[2]}}});
  EXPECT_TRUE(near["solved"]) << near;
  const Json there = ask({{"do", "state"}, {"q", array(near, "q")}});
  EXPECT_NEAR(array(there, "tip")[0], tip[0], 1e-6);
}

TEST_F(EngineTest, ARunIsTheLibrarysRun) {
  ask({{"do", "load"}, {"robot", "ur5_like"}});
  const std::string text = "robot = \"ur5_like\"\n[run]\nfor = 1\nevery = 0.1\n";
  const Json answer = ask({{"do", "simulate"}, {"scenario", text}});
  ASSERT_FALSE(answer.contains("error")) << answer["error"];
  EXPECT_EQ(answer["status"], "completed");
  const Record record = run(parse_scenario(text, "run.toml"));
  const std::vector<double> rows = array(answer, "rows");
  const std::span<const double> last = record.trajectory.row(record.trajectory.size() - 1);
  ASSERT_EQ(rows.size(), record.trajectory.size() * last.size());
  EXPECT_TRUE(std::equal(last.rbegin(), last.rend(), rows.rbegin()));
  EXPECT_TRUE(Json::parse(answer["run"].get<std::string>()).contains("scene"));
}

TEST_F(EngineTest, APullIsALoadOfTheScenario) {
  ask({{"do", "load"}, {"robot", "ur5_like"}});
  const std::string text =
      "robot = \"ur5_like\"\n[run]\nfor = 0.02\nevery = 0.02\n[start]\nq = [0, -1, 1, 0, 0, 0]\nv = [1, 0, 0, 0, 0, "
      "0]\n";
  const Json alone = ask({{"do", "advance"}, {"scenario", text}});
  ASSERT_FALSE(alone.contains("error")) << alone["error"];
  EXPECT_FALSE(alone.contains("load"));
  const std::vector<double> untouched = array(alone, "q");
  const Json pulled =
      ask({{"do", "advance"}, {"scenario", text}, {"pull", {{"body", 6}, {"at", {0, 0, 0.1}}, {"anchor", {1, 1, 1}}}}});
  ASSERT_FALSE(pulled.contains("error")) << pulled["error"];
  const std::vector<double> q = array(pulled, "q"), v = array(pulled, "v");
  double moved = 0.0;
  for (std::size_t k = 0; k < q.size(); ++k) moved = std::max(moved, std::abs(q[k] - untouched[k]));
  EXPECT_GT(moved, 1e-4);
  // The same by the scenario that the load is written into; its work is in the balance.
  const Json& load = pulled["load"];
  const std::string with_load = text + "[[load]]\nlink = " + load["link"].dump() + "\nforce = " + load["force"].dump() +
                                "\nmoment = " + load["moment"].dump() + "\nfrom = 0\nuntil = 0.02\n";
  const Json whole = ask({{"do", "simulate"}, {"scenario", with_load}});
  ASSERT_FALSE(whole.contains("error")) << whole["error"];
  const std::vector<double> rows = array(whole, "rows");
  const auto columns = whole["columns"].get<std::vector<std::string>>();
  const auto last = [&](const char* name) {
    const auto place = std::find(columns.begin(), columns.end(), name) - columns.begin();
    return rows[rows.size() - columns.size() + static_cast<std::size_t>(place)];
  };
  for (std::size_t k = 0; k < q.size(); ++k) EXPECT_NEAR(rows[rows.size() - columns.size() + 1 + k], q[k], 1e-9) << k;
  EXPECT_GT(std::abs(last("work_loads")), 1e-3);
  EXPECT_LT(std::abs(last("balance")), 1e-7 * std::abs(last("work_loads")));
}

TEST_F(EngineTest, TheReportIsThePageOfTheCommand) {
  ask({{"do", "load"}, {"robot", "planar2r"}});
  EXPECT_TRUE(ask({{"do", "report"}, {"page", "a/*ULNA_DATA*/b"}}).contains("error"));
  const Json shown = ask({{"do", "simulate"}, {"scenario", "robot = \"planar2r\"\n[run]\nfor = 1\n"}});
  const Json report = ask({{"do", "report"}, {"page", "a/*ULNA_DATA*/b"}});
  ASSERT_FALSE(report.contains("error")) << report["error"];
  const std::string html = report["html"].get<std::string>();
  ASSERT_TRUE(html.starts_with("a") && html.ends_with("b"));
  EXPECT_EQ(Json::parse(html.substr(1, html.size() - 2)), Json::parse(shown["run"].get<std::string>()));
}

TEST_F(EngineTest, ARunThatWasSavedIsShownAsItWas) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "ulna_engine_test_run";
  const Record record = run(parse_scenario("name = \"short\"\nrobot = \"puma560\"\n[run]\nfor = 0.5\n", "run.toml"));
  save(record, folder.string());
  std::ifstream file(folder / "run.json");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(ask({{"do", "named_robot"}, {"run", text}})["robot"], "puma560");
  ask({{"do", "load"}, {"robot", "puma560"}});
  const Json request{{"do", "result"}, {"run", text}, {"file", (folder / "trajectory.csv").string()}};
  const Json shown = ask(request);
  ASSERT_FALSE(shown.contains("error")) << shown["error"];
  EXPECT_EQ(shown["status"], "completed");
  const std::vector<double> rows = array(shown, "rows");
  const std::span<const double> last = record.trajectory.row(record.trajectory.size() - 1);
  ASSERT_EQ(rows.size(), record.trajectory.size() * last.size());
  EXPECT_TRUE(std::equal(last.rbegin(), last.rend(), rows.rbegin()));
  // Not for another robot, nor for a file that is none.
  ask({{"do", "load"}, {"robot", "ur5_like"}});
  EXPECT_NE(ask(request)["error"].get<std::string>().find("another robot"), std::string::npos);
  ask({{"do", "load"}, {"robot", "puma560"}});
  EXPECT_TRUE(ask({{"do", "result"}, {"run", text}, {"file", (folder / "run.json").string()}}).contains("error"));
  EXPECT_TRUE(ask({{"do", "result"}, {"run", "{}"}, {"file", ""}}).contains("error"));
  std::filesystem::remove_all(folder);
}

TEST_F(EngineTest, AMotionBeginsWhereItsFileDoes) {
  const std::filesystem::path path = std::filesystem::temp_directory_path() / "ulna_engine_test_motion.csv";
  std::ofstream(path) << "t,q1,q2\n0,0.5,1\n1,0.6,1.2\n2,0.7,1.1\n";
  ask({{"do", "load"}, {"robot", "planar2r"}});
  const Json answer = ask({{"do", "motion"},
                           {"scenario",
                            "robot = \"planar2r\"\n[drive]\nkind = \"playback\"\n[drive.motion]\nkind = "
                            "\"spline\"\nfile = \"" +
                                path.string() + "\"\n"}});
  ASSERT_FALSE(answer.contains("error")) << answer["error"];
  EXPECT_EQ(array(answer, "q"), (std::vector<double>{0.5, 1.0}));
  EXPECT_EQ(answer["end"], 2.0);
  std::filesystem::remove(path);
}

TEST_F(EngineTest, ThePapersStepsHaveTheirMatrices) {
  ask({{"do", "load"}, {"robot", "stanford"}});
  for (const char* method : {"denoc", "homogeneous", "spatial_operator", "constraint_force"}) {
    const Json answer = ask({{"do", "steps"}, {"method", method}});
    ASSERT_FALSE(answer.contains("error")) << answer["error"];
    EXPECT_GE(answer["steps"].size(), 6U) << method;
    for (const Json& step : answer["steps"]) {
      const std::string place = answer["paper"].get<std::string>() + " " + step["equations"].get<std::string>();
      const bool two_papers = std::string_view(method) == "denoc";
      EXPECT_EQ(answer["paper"].get<std::string>().empty(), two_papers) << method;
      EXPECT_TRUE(!two_papers || place.starts_with(" saha2001 ") || place.starts_with(" bhangale2004 ")) << place;
      EXPECT_FALSE(step["equations"].get<std::string>().empty()) << step["title"];
      for (const Json& matrix : step["matrices"]) EXPECT_TRUE(answer["arrays"].contains(matrix["array"])) << matrix;
    }
  }
  EXPECT_TRUE(ask({{"do", "steps"}, {"method", "newton_euler"}}).contains("error"));
  // The limit is one of links: a free base has six degrees of freedom.
  ask({{"do", "load"}, {"robot", "satellite_arm"}});
  const Json free = ask({{"do", "steps"}, {"method", "constraint_force"}});
  ASSERT_FALSE(free.contains("error")) << free["error"];
  ask({{"do", "load"}, {"robot", "chain:13"}});
  EXPECT_TRUE(ask({{"do", "steps"}, {"method", "denoc"}}).contains("error"));
}

TEST_F(EngineTest, LoopsAreClosed) {
  ask({{"do", "load"}, {"robot", "four_bar"}});
  const Json answer = ask({{"do", "close"}, {"q", std::vector<double>(3, 0.2)}, {"held", {0}}});
  ASSERT_FALSE(answer.contains("error")) << answer["error"];
  EXPECT_TRUE(answer["closed"]) << answer;
  EXPECT_EQ(array(answer, "q")[0], 0.2);
}

/// The motion that no motor makes needs none; any other needs what forward dynamics then makes it of.
TEST_F(EngineTest, TorquesKeepTheLoopsClosed) {
  for (const char* name : {"four_bar", "five_bar", "stewart"}) {
    SCOPED_TRACE(name);
    ask({{"do", "load"}, {"robot", name}});
    const Json free = ask({{"do", "state"}});
    ASSERT_FALSE(free.contains("error")) << free["error"];
    const std::vector<double> falling = array(free, "fd"), weight = array(free, "g"), holding = array(free, "id");
    double scale = 1.0;
    for (const double x : weight) scale = std::max(scale, std::abs(x));
    const Json still = ask({{"do", "state"}, {"a", falling}});
    EXPECT_LT(still["rates_moved"].get<double>(), 1e-9);
    for (const double torque : array(still, "id")) EXPECT_LT(std::abs(torque), 1e-9 * scale);
    const Json held = ask({{"do", "state"}, {"tau", holding}});
    for (const double a : array(held, "fd")) EXPECT_LT(std::abs(a), 1e-6) << "held against gravity";
    EXPECT_GT(free["freedoms"].get<int>(), 0);
  }
}

TEST_F(EngineTest, WrongRequestsComeBackAsAWord) {
  for (const char* request :
       {"", "{", "[]", "{}", "{\"do\": 3}", "{\"do\": \"nothing\"}", "{\"do\": \"state\"}", "{\"do\": \"load\"}",
        "{\"do\": \"load\", \"robot\": \"no_such\"}", "{\"do\": \"load\", \"text\": \"<robot\", \"file\": \"a.urdf\"}",
        "{\"do\": \"load\", \"robot\": \"/etc/passwd\"}"})
    EXPECT_TRUE(Json::parse(engine.answer(request)).contains("error")) << request;
  ask({{"do", "load"}, {"robot", "planar2r"}});
  for (const char* request : {"{\"do\": \"state\", \"q\": [1]}", "{\"do\": \"state\", \"q\": [1, null]}",
                              "{\"do\": \"reach\", \"position\": [1, 2]}", "{\"do\": \"text\", \"form\": \"pdf\"}",
                              "{\"do\": \"close\", \"held\": [77]}", "{\"do\": \"simulate\"}",
                              "{\"do\": \"simulate\", \"scenario\": \"robot = 'x'\\n[run]\\nfor = 1e9\\n\"}"})
    EXPECT_TRUE(Json::parse(engine.answer(request)).contains("error")) << request;
}

}  // namespace
}  // namespace ulna::studio
