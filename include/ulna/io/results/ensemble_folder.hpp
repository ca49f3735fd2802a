// An ensemble and the folder that it leaves: every run is kept there as it ends, so that an ensemble that was cut off
// goes on where it was.
#pragma once

#include "ulna/io/results/ensemble_summary.hpp"
#include "ulna/study/ensemble.hpp"

namespace ulna {

struct EnsembleFolder {
  std::string path{};
  bool resume = false;  // go on with the ensemble that was interrupted or killed there
};

struct KeptEnsemble {
  EnsembleRecord record{};
  EnsembleSummary summary{};
  bool replaced = false;  // an earlier result
};

/// Runs the ensemble and leaves ensemble.h5, run.json and report.html (where this build has its page) in the folder,
/// and until all runs are done ensemble.partial, from which it is resumed. Throws InputError: the folder holds what is
/// not Ulna's, finished runs and `resume` was not said, nothing to resume, or another ensemble.
KeptEnsemble run_ensemble(std::shared_ptr<const PreparedEnsemble> prepared, const EnsembleFolder& folder,
                          EnsembleOptions options = {});

/// run.json as text.
std::string ensemble_json(const EnsembleSummary& summary);

}  // namespace ulna
