#include "study_identity.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/packed_bytes.hpp"
#include "io/report/run_head.hpp"
#include "run_files.hpp"
#include "ulna/base/error.hpp"
#include "ulna/batch/instruction_set.hpp"
#include "ulna/io/scenario/load.hpp"
#include "ulna/version.hpp"

namespace ulna {

StudyIdentity identity_of(const Scenario& scenario, const Graph& graph) {
  std::vector<std::string> variations;
  variations.reserve(scenario.ensemble.vary.size());
  for (const Variation& variation : scenario.ensemble.vary) variations.push_back(variation.text);
  return {{"version of Ulna", version},
          {"instruction set", std::string(instruction_set())},
          {"robot", robot_hash(graph)},
          {"set of tables", tables_hash(scenario)},
          {"seed", fmt::format("{}", scenario.seed)},
          {"number of runs", fmt::format("{}", scenario.ensemble.runs)},
          {"set of variations", fmt::format("{}", fmt::join(variations, ", "))},
          {"scenario", to_toml(scenario)}};
}

std::string packed_identity(std::string_view title, const StudyIdentity& identity, std::string_view method) {
  Packer head;
  head.text(title);
  for (const auto& [name, value] : identity) head.text(value);
  head.text(method);
  return head.take();
}

std::string expect_identity(std::string_view packed, std::string_view title, const StudyIdentity& identity,
                            const std::string& file, std::string_view work) {
  Unpacker head(packed);
  if (head.text() != title) throw InputError(Source{file, 0}, fmt::format("is no unfinished {} of Ulna", work));
  for (const auto& [name, value] : identity) {
    if (head.text() != value) {
      throw InputError(
          Source{file, 0},
          fmt::format(
              "is of another {}: the {} differs; resume with what it was begun with, or delete it to begin anew", work,
              name));
    }
  }
  return std::string(head.text());
}

void expect_method(std::string_view before, std::string_view now, const std::string& file) {
  if (before == now) return;
  throw InputError(Source{file, 0},
                   fmt::format("its runs were computed by '{}' and would now be by '{}'; resume as it was begun, or "
                               "delete it to begin anew",
                               before, now));
}

}  // namespace ulna
