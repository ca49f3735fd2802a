// The summary of an ensemble from its runs, wherever they are.
#pragma once

#include "io/results/ensemble_runs.hpp"
#include "ulna/io/results/ensemble_summary.hpp"
#include "ulna/study/communicator.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

/// `about` has what is known without the runs: prepared, frame, runs, nominal. The same numbers to the bit for runs in
/// memory, in files, and spread over ranks, each of which has its share in `runs`; called by all of them together.
EnsembleSummary summarise(EnsembleSummary about, const EnsembleRuns& runs, Communicator& ranks);
EnsembleSummary summary_of(const EnsembleRecord& record);

}  // namespace ulna
#pragma GCC visibility pop
