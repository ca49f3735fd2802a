#include "ulna/io/results/ensemble_folder.hpp"

#include "ensemble_files.hpp"
#include "ensemble_journal.hpp"
#include "summarise.hpp"
#include "ulna/io/results/page.hpp"

namespace ulna {

KeptEnsemble run_ensemble(std::shared_ptr<const PreparedEnsemble> prepared, const EnsembleFolder& folder,
                          EnsembleOptions options) {
  check_options(*prepared, options);
  const OutputFolder made(folder.path, ResultKind::ensemble);  // first: it outlives the files in it
  JournalFile journal(folder.path + "/ensemble.partial", identity_of(prepared->scenario, prepared->graph),
                      folder.resume);
  options.journal = &journal;
  KeptEnsemble kept;
  kept.record = run_ensemble(std::move(prepared), options);
  kept.summary = summary_of(kept.record);
  put_in_place(made, folder.path, kept.record, kept.summary, report_page());
  if (kept.summary.status() != RunStatus::interrupted) journal.remove();  // else there are runs left to do
  kept.replaced = made.replaces();
  return kept;
}

}  // namespace ulna
