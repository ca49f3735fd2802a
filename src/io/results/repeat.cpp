#include "ulna/io/results/repeat.hpp"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "base/text_file.hpp"
#include "io/report/run_head.hpp"
#include "run_files.hpp"
#include "ulna/base/error.hpp"
#include "ulna/io/robot/load.hpp"
#include "ulna/io/scenario/load.hpp"

namespace ulna {

namespace {

/// The texts of one run.json.
class RunText {
 public:
  explicit RunText(std::string path) : path_(std::move(path)) {
    std::ifstream file(path_);
    if (!file) fail("no such file; a folder is wanted that a simulation left");
    run_ = nlohmann::json::parse(file, nullptr, false);
  }
  [[noreturn]] void fail(const std::string& what) const { throw InputError(Source{path_, 0}, what); }
  const std::string& path() const { return path_; }
  std::string text(const char* key) const { return text_of(run_, key); }
  /// Empty where the run does not say it.
  std::string robot_hash() const { return run_.contains("robot") ? text_of(run_["robot"], "hash") : ""; }

 private:
  std::string text_of(const nlohmann::json& at, const char* key) const {
    if (!at.is_object() || !at.contains(key) || !at[key].is_string())
      fail(fmt::format("is not a run.json of Ulna: it has no text '{}'", key));
    return at[key].get<std::string>();
  }

  std::string path_;
  nlohmann::json run_;
};

}  // namespace

Scenario repeated_scenario(const std::string& folder) {
  const RunText run(folder + "/run.json");
  Scenario before = parse_scenario(run.text("scenario"), run.path());
  if (is_stream(before.robot))
    run.fail("the robot of that run came on standard input and was not kept; simulate it again");
  before.read_robot = {before.robot, std::make_shared<const Graph>(load_graph(before.robot))};
  const std::string hash = robot_hash(robot_of(before)), then = run.robot_hash();
  if (!then.empty() && then != hash) {
    run.fail(
        fmt::format("the robot '{}' has changed since that run or was made in code (hash {}, then {}); simulate it "
                    "as it is, from its scenario",
                    before.robot, hash, then));
  }
  if (run.text("tables_hash") != tables_hash(before))
    run.fail("a table that this run read has changed since; simulate it as it is, from its scenario");
  return before;
}

}  // namespace ulna
