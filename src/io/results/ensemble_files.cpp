#include "ensemble_files.hpp"

#include "hdf5_file.hpp"

namespace ulna {

void put_in_place(const OutputFolder& made, const std::string& folder, const EnsembleRecord& record,
                  std::string_view page) {
  const std::string run = ensemble_json(record);
  const std::string html = page.empty() ? "" : ensemble_html(record, page);
  Hdf5File hdf5(folder + "/ensemble.h5");
  write_ensemble(hdf5, record, run);
  hdf5.finish();
  std::vector<std::pair<const char*, std::string>> texts;
  if (!html.empty()) texts.emplace_back("report.html", html);
  texts.emplace_back("run.json", run);
  made.replace(texts, [&] { hdf5.put_in_place(); });
}

EnsembleFiles::EnsembleFiles(const std::string& folder, EnsembleIdentity identity, bool resume)
    : made_(folder, true), folder_(folder), journal_(folder_ + "/ensemble.partial", std::move(identity), resume) {}

void EnsembleFiles::commit(const EnsembleRecord& record, std::string_view page) {
  put_in_place(made_, folder_, record, page);
  if (record.status() != RunStatus::interrupted) journal_.remove();
}

}  // namespace ulna
