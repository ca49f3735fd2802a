#include "ensemble_files.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

#include "hdf5_file.hpp"

namespace ulna {

std::span<const RunStatus> run_statuses() {
  static constexpr std::array all{RunStatus::completed,  RunStatus::stopped_by_event, RunStatus::step_too_small,
                                  RunStatus::not_finite, RunStatus::not_converged,    RunStatus::diverged,
                                  RunStatus::too_stiff,  RunStatus::interrupted};
  return all;
}

std::size_t EnsembleRecord::count(RunStatus status) const {
  return static_cast<std::size_t>(std::count_if(result.runs.begin(), result.runs.end(),
                                                [&](const EnsembleRunResult& run) { return run.status == status; }));
}

RunStatus EnsembleRecord::status() const {
  if (count(RunStatus::interrupted) > 0) return RunStatus::interrupted;
  for (const RunStatus status : run_statuses().subspan(1))
    if (count(status) > 0) return status;
  return RunStatus::completed;
}

std::vector<std::size_t> EnsembleRecord::failed(std::size_t most) const {
  std::vector<std::size_t> list;
  for (std::size_t k = 0; k < result.runs.size() && list.size() < most; ++k) {
    const RunStatus own = result.runs[k].status;
    if (own != RunStatus::completed && own != RunStatus::interrupted) list.push_back(k);
  }
  return list;
}

EnsembleFiles::EnsembleFiles(const std::string& folder, EnsembleIdentity identity, bool resume)
    : made_(folder, true), folder_(folder + "/"), journal_(folder_ + "ensemble.partial", std::move(identity), resume) {}

void EnsembleFiles::commit(const EnsembleRecord& record, std::string_view page) {
  const std::string run = ensemble_json(record);
  const std::string html = page.empty() ? "" : ensemble_html(record, page);
  Hdf5File hdf5(folder_ + "ensemble.h5");
  write_ensemble(hdf5, record, run);
  hdf5.finish();
  std::vector<std::pair<const char*, std::string>> texts;
  if (!html.empty()) texts.emplace_back("report.html", html);
  texts.emplace_back("run.json", run);
  made_.replace(texts, [&] { hdf5.put_in_place(); });
  if (record.status() != RunStatus::interrupted) journal_.remove();
}

}  // namespace ulna
