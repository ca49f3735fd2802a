// The files of an ensemble: ensemble.h5, run.json, report.html.
#pragma once

#include "io/results/output_folder.hpp"
#include "ulna/io/results/ensemble_folder.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

/// Changes whenever something in ensemble.h5 is renamed or means something else.
inline constexpr int ensemble_schema = 1;

/// The page with the ensemble's bands.
std::string ensemble_html(const EnsembleSummary& summary, std::string_view page);

/// run.json and report.html (where there is a `page`), and what puts ensemble.h5 in place. Each appears whole or not at
/// all.
void put_in_place(const OutputFolder& made, const EnsembleSummary& summary, const std::string& run,
                  std::string_view page, const std::function<void()>& put_hdf5);
/// All three, of runs in memory.
void put_in_place(const OutputFolder& made, const std::string& folder, const EnsembleRecord& record,
                  const EnsembleSummary& summary, std::string_view page);

}  // namespace ulna
#pragma GCC visibility pop
