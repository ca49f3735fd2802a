#include "ensemble_files.hpp"

#include "ensemble_hdf5.hpp"

namespace ulna {

void put_in_place(const OutputFolder& made, const EnsembleSummary& summary, const std::string& run,
                  std::string_view page, const std::function<void()>& put_hdf5) {
  std::vector<std::pair<const char*, std::string>> texts;
  if (!page.empty()) texts.emplace_back("report.html", ensemble_html(summary, page));
  texts.emplace_back("run.json", run);
  made.replace(texts, put_hdf5);
}

void put_in_place(const OutputFolder& made, const std::string& folder, const EnsembleRecord& record,
                  const EnsembleSummary& summary, std::string_view page) {
  const std::string run = ensemble_json(summary);
  Hdf5File hdf5(folder + "/ensemble.h5");
  write_ensemble(hdf5, summary, RunsInMemory(record.result), run);
  hdf5.finish();
  put_in_place(made, summary, run, page, [&] { hdf5.put_in_place(); });
}

}  // namespace ulna
