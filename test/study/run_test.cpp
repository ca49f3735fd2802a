// A scenario to its record and its folder, from a program: the same as from the command.
#include "ulna/study/run.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <sstream>

#include "ulna/io/results/ensemble_folder.hpp"
#include "ulna/io/results/page.hpp"
#include "ulna/io/results/save.hpp"
#include "ulna/io/robot/load.hpp"
#include "ulna/io/robot/write.hpp"
#include "ulna/io/scenario/load.hpp"
#include "ulna/loop/loop_equations.hpp"
#include "ulna/study/count.hpp"

namespace ulna {
namespace {

class Study : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "ulna_study_XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string read(const std::string& file) const {
    std::ifstream in(folder_ / file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
  }

  std::filesystem::path folder_;
};

Scenario short_run(const char* name) {
  Scenario scenario = load_scenario(name);
  scenario.duration = 0.2;
  return scenario;
}

/// A few falls from starts of their own.
Scenario falls() {
  return parse_scenario("robot = \"planar2r\"\n[run]\nfor = 0.2\n[ensemble]\nruns = 7\nvary = [\"q=normal:5deg\"]\n",
                        "falls.toml");
}

TEST_F(Study, a_saved_record_is_what_the_command_writes) {
  for (const char* name : {"kuka_pd", "planar3r_forced", "slider_crank_free"}) {
    const Record record = run(short_run(name));
    ASSERT_EQ(record.result.status, RunStatus::completed) << record.result.reason;
    EXPECT_EQ(static_cast<long>(record.trajectory.size()), record.result.samples);
    const std::string own = std::string(name) + "_own", theirs = std::string(name) + "_theirs";
    save(record, (folder_ / own).string());
    const std::string call = std::string(ULNA_COMMAND) + " simulate " + name + " --for 0.2 -o " +
                             (folder_ / theirs).string() + " > /dev/null";
    ASSERT_EQ(std::system(call.c_str()), 0) << call;
    EXPECT_EQ(read(own + "/trajectory.csv"), read(theirs + "/trajectory.csv")) << name;
    EXPECT_NE(read(own + "/run.json").find("\"status\": \"completed\""), std::string::npos);
    EXPECT_EQ(std::filesystem::exists(folder_ / own / "report.html"), !report_page().empty());
  }
}

TEST_F(Study, a_robot_that_is_in_no_file) {
  Scenario scenario = short_run("kuka_pd");
  const Record named = run(scenario);
  const Graph robot = load_graph(scenario.robot);
  scenario.robot = "nowhere.toml";
  Trajectory samples;
  const Record given = run(prepare(scenario, robot), samples);
  EXPECT_EQ(given.result.final_q, named.result.final_q);
  scenario.gravity = Vec3<double>{0, 0, 0};  // what the scenario changes about it holds too
  EXPECT_EQ(prepare(scenario, robot).model->gravity().z, 0.0);
  EXPECT_THROW(prepare(scenario), InputError);
  const Graph rods = load_graph("planar2r");
  Scenario unknown = falls();
  unknown.robot = "nowhere.toml";
  EXPECT_EQ(run_ensemble(std::make_shared<PreparedEnsemble>(unknown, rods)).result.runs[3].q,
            run_ensemble(falls()).result.runs[3].q);
}

/// The files name their columns, with units of the robot's own joints.
TEST_F(Study, files_say_what_their_columns_are) {
  save(run(short_run("stanford_forced")), (folder_ / "run").string());
  EXPECT_NE(read("run/run.json").find(R"("name": "q3",
      "label": "joint3",
      "unit": "m",
      "group": "position")"),
            std::string::npos);
  LoopSweep sweep{.robot = load_graph("slider_crank"), .driven = {{"crank_pin", 0.0, 1.0}}, .steps = 2};
  save(run(sweep), (folder_ / "loop").string());
  EXPECT_NE(read("loop/loop.json").find(R"("group": "reaction_force")"), std::string::npos);
}

TEST_F(Study, a_drive_that_was_made_in_code_is_asked_for) {
  Scenario scenario = short_run("kuka_pd");
  scenario.drive = {.kind = made_in_code};
  const Scenario again = parse_scenario(to_toml(scenario), "again.toml");
  EXPECT_EQ(again.drive.kind, made_in_code);
  EXPECT_THROW(prepare(again), InputError);
}

TEST_F(Study, a_count_ends_when_the_caller_says_so) {
  const Model model = load("planar2r");
  CountOptions options{.of = {Quantity::inverse_dynamics}};
  const CountRecord all = count_operations(model, options);
  int asked = 0;
  options.proceed = [&] { return ++asked < 3; };
  const CountRecord some = count_operations(model, options);
  EXPECT_EQ(asked, 3);
  ASSERT_EQ(some.rows.size(), 2u);
  EXPECT_LT(some.rows.size(), all.rows.size());
  EXPECT_EQ(some.rows[1].counts.multiplications, all.rows[1].counts.multiplications);
}

TEST_F(Study, ends_when_the_caller_says_so) {
  RunOptions options;
  options.proceed = [](const RunProgress& at) { return at.t < 0.1; };
  const Record record = run(short_run("kuka_pd"), options);
  EXPECT_EQ(record.result.status, RunStatus::interrupted);
  EXPECT_LT(record.result.time, 0.2);
}

TEST_F(Study, samples_that_went_elsewhere_are_not_saved_as_none) {
  Trajectory samples;
  const Record record = run(prepare(short_run("kuka_pd")), samples);
  EXPECT_GT(samples.size(), 0u);
  EXPECT_THROW(save(record, (folder_ / "none").string()), std::invalid_argument);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "none"));
}

TEST_F(Study, mechanisms_run_by_their_own_code) {
  Scenario scenario = short_run("slider_crank_free");
  const Record generic = run(scenario), compiled = run(scenario, {.compiled = true, .proceed = {}});
  EXPECT_EQ(generic.method, "schur");
  EXPECT_EQ(compiled.method, "compiled") << compiled.note;
  ASSERT_EQ(compiled.result.status, RunStatus::completed) << compiled.result.reason;
  for (std::size_t k = 0; k < compiled.result.final_q.size(); ++k)  // both within the tolerance of the run
    EXPECT_NEAR(compiled.result.final_q[k], generic.result.final_q[k], 100.0 * scenario.relative);
  scenario.baumgarte = 20.0;
  EXPECT_THROW(run(scenario, {.compiled = true, .proceed = {}}), InputError);
}

TEST_F(Study, an_ensemble_is_what_the_command_makes_of_it) {
  const EnsembleRecord record = run_ensemble(falls());
  ASSERT_EQ(record.status(), RunStatus::completed);
  ASSERT_EQ(record.result.runs.size(), 7u);
  EXPECT_NE(record.result.runs[0].q, record.result.runs[1].q);
  EXPECT_EQ(record.nominal.times.size() * 2, record.nominal.positions.size());
  save(record, (folder_ / "own").string());
  const std::string file = (folder_ / "falls.toml").string();
  std::ofstream(file) << to_toml(falls());
  const std::string call =
      std::string(ULNA_COMMAND) + " simulate " + file + " -o " + (folder_ / "theirs").string() + " > /dev/null";
  ASSERT_EQ(std::system(call.c_str()), 0) << call;
  const auto ends = [&](const std::string& folder) {  // percentiles of all runs, with every digit
    const std::string text = read(folder + "/run.json");
    const std::size_t from = text.find("\"final\""), until = text.find("\"files\"");
    return from < until && until != std::string::npos ? text.substr(from, until - from) : "";
  };
  EXPECT_GT(ends("own").size(), 100u);
  EXPECT_EQ(ends("own"), ends("theirs"));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "own" / "ensemble.h5"));
}

TEST_F(Study, an_ensemble_ends_when_the_caller_says_so) {
  Scenario many = falls();
  many.ensemble.runs = 2000;
  EnsembleOptions options{.threads = 1};
  options.proceed = [](const EnsembleProgress& at) { return at.finished < 20; };
  const EnsembleRecord record = run_ensemble(many, options);
  EXPECT_EQ(record.status(), RunStatus::interrupted);
  EXPECT_LT(record.count(RunStatus::completed), 2000u);
  EXPECT_TRUE(record.nominal.times.empty());
}

TEST_F(Study, an_ensemble_that_was_cut_off_goes_on_in_its_folder) {
  Scenario many = falls();
  many.ensemble.runs = 400;
  const auto prepared = std::make_shared<const PreparedEnsemble>(many);
  const EnsembleFolder whole{(folder_ / "whole").string()}, cut{(folder_ / "cut").string()};
  const KeptEnsemble in_one_go = run_ensemble(prepared, whole);
  EXPECT_EQ(in_one_go.summary.count(RunStatus::completed), 400u);
  EXPECT_EQ(in_one_go.summary.ends[0].count, 400u);
  EnsembleOptions options{.threads = 1};
  options.proceed = [](const EnsembleProgress& at) { return at.finished < 20; };
  EXPECT_EQ(run_ensemble(prepared, cut, options).summary.status(), RunStatus::interrupted);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "cut" / "ensemble.partial"));
  EXPECT_THROW(run_ensemble(prepared, cut), InputError);  // finished runs are not lost by a slip
  many.seed = 2;
  const auto other = std::make_shared<const PreparedEnsemble>(many);
  EXPECT_THROW(run_ensemble(other, {cut.path, true}), InputError);
  std::size_t recalled = 0;
  options.proceed = [&](const EnsembleProgress& at) {
    recalled = std::max(recalled, at.recalled);
    return true;
  };
  EXPECT_EQ(run_ensemble(prepared, {cut.path, true}, options).summary.status(), RunStatus::completed);
  EXPECT_GE(recalled, 20u);
  EXPECT_EQ(read("cut/ensemble.h5"), read("whole/ensemble.h5"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "cut" / "ensemble.partial"));
  EXPECT_THROW(run_ensemble(prepared, {cut.path, true}), InputError);  // nothing is left
}

TEST_F(Study, what_cannot_be_an_ensemble_is_refused) {
  EXPECT_THROW(run_ensemble(short_run("kuka_pd")), InputError);  // no runs
  Scenario bdf = falls();
  bdf.integrator = "bdf";
  EXPECT_THROW(run_ensemble(bdf, {.compiled = true}), InputError);
}

TEST_F(Study, a_sweep_of_a_mechanism_is_what_the_command_makes_of_it) {
  const LoopSweep turn{
      .robot = load_graph("slider_crank"), .driven = {{"crank_pin", 0.0, std::numbers::pi}}, .steps = 18, .time = 2.0};
  const LoopRecord record = run(turn);
  ASSERT_TRUE(record.result.complete) << record.result.reason;
  EXPECT_EQ(static_cast<long>(record.table.size()), record.result.rows);
  save(record, (folder_ / "own").string());
  const std::string call = std::string(ULNA_COMMAND) +
                           " loop slider_crank --drive crank_pin=0..180deg --steps 18 --for 2 -o " +
                           (folder_ / "theirs").string() + " > /dev/null";
  ASSERT_EQ(std::system(call.c_str()), 0) << call;
  EXPECT_GT(read("own/table.csv").size(), 1000u);
  EXPECT_EQ(read("own/table.csv"), read("theirs/table.csv"));
  EXPECT_EQ(std::filesystem::exists(folder_ / "own" / "report.html"), !report_page().empty());

  Trajectory rows;
  const LoopRecord elsewhere = run(prepare(turn), rows, [](double part) { return part < 0.5; });
  EXPECT_FALSE(elsewhere.result.complete);
  EXPECT_LT(rows.size(), record.table.size());
  EXPECT_THROW(save(elsewhere, (folder_ / "none").string()), std::invalid_argument);
}

TEST_F(Study, assembly_modes_are_positions_with_closed_loops) {
  LoopSweep sweep{.robot = load_graph("four_bar"), .driven = {{"crank_pivot", 0.5, 1.0}}};
  const PreparedLoopSweep prepared = prepare(sweep);
  const std::vector<std::vector<double>> modes = assembly_modes(prepared);
  ASSERT_EQ(modes.size(), 2u);
  LoopEquations equations(*prepared.model);
  for (const std::vector<double>& q : modes) {
    equations.update(q);
    for (const double r : equations.residual()) EXPECT_NEAR(r, 0.0, 1e-9);
  }
  sweep.mode = 2;
  EXPECT_EQ(prepare(sweep).setup.start, modes[1]);
  sweep.mode = 3;
  EXPECT_THROW(prepare(sweep), InputError);
  sweep.driven.push_back({"crank_pivot", 0.0, 1.0});
  EXPECT_THROW(prepare(sweep), InputError);
  EXPECT_THROW(prepare(LoopSweep{.robot = load_graph("puma560"), .driven = {{"joint1", 0.0, 1.0}}}), InputError);
}

TEST_F(Study, a_choice_of_arms_is_what_the_command_makes_of_it) {
  const selection::Selection choice{.robots = {"planar2r"}, .vary = {{"link1.a", 0.4, 0.6}}, .steps = 2};
  const selection::SelectRecord record = selection::run(choice);
  ASSERT_EQ(record.comparison.candidates.size(), 2u);
  save(record, (folder_ / "own").string());
  const std::string call = std::string(ULNA_COMMAND) + " select planar2r --vary link1.a=0.4..0.6 --steps 2 -o " +
                           (folder_ / "theirs").string() + " > /dev/null";
  ASSERT_EQ(std::system(call.c_str()), 0) << call;
  EXPECT_GT(read("own/select.json").size(), 1000u);
  EXPECT_EQ(read("own/select.json"), read("theirs/select.json"));
  EXPECT_EQ(read("own/report.html"), read("theirs/report.html"));
}

TEST_F(Study, arms_made_in_code_can_be_chosen_from) {
  Graph longer = load_graph("planar2r");
  longer.name = "named in code";
  const selection::SelectRecord record = selection::run({.robots = {"planar2r", longer}});
  ASSERT_EQ(record.comparison.candidates.size(), 2u);
  EXPECT_EQ(record.comparison.candidates[1].arm.name, "named in code");
  EXPECT_TRUE(record.comparison.candidates[1].cpu.has_value());
  EXPECT_THROW(selection::prepare({.robots = {longer}, .vary = {{"link1.a", 0.4, 0.6}}}), InputError);
  EXPECT_THROW(selection::prepare({.robots = {longer}, .ranges = {{"", "nobody", 0.0, 1.0}}}), InputError);
  EXPECT_THROW(selection::run(selection::Selection{.robots = {longer}}, {.proceed = [](auto...) { return false; }}),
               Interrupted);
  EXPECT_THROW(selection::run(selection::Selection{.robots = {longer}}, {.proceed = [](auto...) { return false; }}),
               std::exception);
}

/// A robot file that is run by itself is read when it is recognised, and not again.
TEST_F(Study, a_robot_file_is_read_once) {
  const std::string path = (folder_ / "arm.toml").string();
  std::ofstream(path) << to_toml(load_graph("planar2r"));
  Scenario scenario = load_scenario(path);
  std::filesystem::remove(path);
  scenario.duration = 0.1;
  EXPECT_EQ(run(scenario).result.status, RunStatus::completed);
  scenario.robot = "puma560";  // another name stands for another robot
  EXPECT_EQ(prepare(scenario).model->nv(), 6);
  scenario.robot = path + ".toml";
  EXPECT_THROW(prepare(scenario), InputError);
}

TEST_F(Study, words_and_numbers_that_are_none_are_refused_in_code_too) {
  const auto refused = [](const auto& change) {
    Scenario scenario = load_scenario("kuka_pd");
    change(scenario);
    EXPECT_THROW(prepare(scenario), InputError);
  };
  refused([](Scenario& s) { s.drive.kind = "constnt"; });
  refused([](Scenario& s) { s.drive.motion->kind = "cyclod"; });
  refused([](Scenario& s) { s.events = {ScenarioEvent{.joint = "joint1"}}; });
  refused([](Scenario& s) { s.events = {ScenarioEvent{.joint = "joint1", .position = 0.1, .velocity = 0.1}}; });
  refused([](Scenario& s) { s.payloads = {{.frame = "nobody", .mass = {.mass = 1.0}}}; });
  for (const double spread : {static_cast<double>(NAN), static_cast<double>(INFINITY), -1.0}) {
    Scenario scenario = falls();
    scenario.ensemble.vary = {Variation{.what = Variation::What::mass, .law = Variation::Law::normal, .high = spread}};
    EXPECT_THROW(run_ensemble(scenario), InputError) << spread;
  }
}

TEST_F(Study, a_choice_of_arms_with_impossible_numbers_is_refused) {
  using selection::Selection;
  for (const int steps : {-1, 0, 1})
    EXPECT_THROW(selection::prepare({.robots = {"planar2r"}, .vary = {{"link1.a", 0.4, 0.6}}, .steps = steps}),
                 InputError);
  Selection choice{.robots = {"planar2r"}};
  for (const double every : {0.0, -1.0, static_cast<double>(NAN)}) {
    choice.task.every = every;
    EXPECT_THROW(selection::prepare(choice), InputError) << every;
  }
  EXPECT_THROW(selection::prepare({.robots = {"planar2r"}, .ranges = {{"", "joint1", 0.0, INFINITY}}}), InputError);
}

TEST_F(Study, records_of_nothing_are_not_saved) {
  EXPECT_THROW(save(selection::SelectRecord{}, (folder_ / "none").string()), std::invalid_argument);
  EXPECT_THROW(save(EnsembleRecord{}, (folder_ / "none").string()), std::invalid_argument);
  EXPECT_THROW(save(LoopRecord{}, (folder_ / "none").string()), std::invalid_argument);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "none"));
}

}  // namespace
}  // namespace ulna
