#include "ulna/io/results/ensemble_plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "chunk_loop.hpp"
#include "ensemble_files.hpp"
#include "runs_in_shards.hpp"
#include "summarise.hpp"
#include "ulna/io/results/page.hpp"

namespace ulna {

namespace {

constexpr UsualChunks usual_chunks{.usual_chunks = 256, .fewest = 64, .most = 1024};

ChunkCut cut_of(const PreparedEnsemble& prepared, const EnsembleResult& frame, std::size_t wanted) {
  const std::size_t runs = prepared.scenario.ensemble.runs;
  const std::size_t numbers = frame.times.size() * frame.columns.size() + prepared.varied.parameters().size() +
                              static_cast<std::size_t>(prepared.model.nq() + prepared.model.nv());
  return {runs, std::min(runs, wanted > 0 ? wanted : usual_chunks.size(runs, sizeof(double) * numbers))};
}

}  // namespace

struct [[gnu::visibility("hidden")]] EnsemblePlan::Parts {
  Parts(std::shared_ptr<const PreparedEnsemble> given, std::string folder, const PlanOptions& options)
      : prepared(std::move(given)),
        runner(prepared->model, setup_of(*prepared, {.compiled = options.compiled, .threads = options.threads})),
        frame(runner.frame()),
        work(std::move(folder), ensemble_shards, cut_of(*prepared, frame, options.chunk),
             identity_of(prepared->scenario, prepared->graph), frame.method) {}

  const ChunkCut& cut() const { return work.cut(); }
  RunsInShards runs_in(std::size_t first, std::size_t step, std::size_t end) const {
    return RunsInShards(cut(), work.shards(), *prepared, frame, first, step, end);
  }
  /// Every `step`th from `first` on, if volumes are needed at all.
  void write_volumes(std::size_t first, std::size_t step) const;
  std::vector<ShardPlace> places() const;
  /// All files, in the folder.
  void write_results(const EnsembleSummary& summary, bool merge) const;

  const std::shared_ptr<const PreparedEnsemble> prepared;
  EnsembleRunner runner;
  const EnsembleResult frame;  // without runs
  ChunkedShards work;
};

void EnsemblePlan::Parts::write_volumes(std::size_t first, std::size_t step) const {
  const std::size_t each = shards_per_volume(cut());
  if (each == 1) return;
  for (std::size_t volume = first; volume * each < cut().count(); volume += step) {
    const std::size_t begin = volume * each, end = std::min(begin + each, cut().count());
    const RunsInShards runs = runs_in(begin, 1, end);
    work.shards().write_volume(
        volume, [&](const Hdf5File& file) { write_shard(file, *prepared, frame, runs, cut().items_of(begin, end)); });
  }
}

std::vector<ShardPlace> EnsemblePlan::Parts::places() const {
  std::vector<ShardPlace> places;
  const std::size_t each = shards_per_volume(cut());
  places.reserve(cut().count() / each + 1);
  for (std::size_t begin = 0; begin < cut().count(); begin += each)
    places.push_back({each == 1 ? work.shards().name_of_shard(begin) : work.shards().name_of_volume(begin / each),
                      cut().at(begin).first, cut().items_of(begin, std::min(begin + each, cut().count()))});
  return places;
}

EnsemblePlan::EnsemblePlan(std::shared_ptr<const PreparedEnsemble> prepared, std::string folder,
                           const PlanOptions& options)
    : parts_(std::make_unique<Parts>(std::move(prepared), std::move(folder), options)) {}
EnsemblePlan::~EnsemblePlan() = default;

std::size_t EnsemblePlan::runs() const { return parts_->cut().items; }
std::size_t EnsemblePlan::chunk_size() const { return parts_->cut().size; }
std::size_t EnsemblePlan::chunks() const { return parts_->cut().count(); }
const std::string& EnsemblePlan::folder() const { return parts_->work.folder(); }
Chunk EnsemblePlan::chunk(std::size_t index) const { return parts_->cut().at(index); }
void EnsemblePlan::begin(bool resume) { parts_->work.begin(resume); }
bool EnsemblePlan::replaces() const { return parts_->work.replaces(); }
void EnsemblePlan::join() const { parts_->work.join(); }
bool EnsemblePlan::is_done(std::size_t index) const { return parts_->work.holds(index, true); }

bool EnsemblePlan::run(std::size_t index, const std::function<bool(const EnsembleProgress&)>& proceed) {
  const Chunk own = chunk(index);
  const EnsembleResult part = parts_->runner.run(own.first, own.count, proceed);
  const bool whole = std::none_of(part.runs.begin(), part.runs.end(),
                                  [](const EnsembleRunResult& run) { return run.status == RunStatus::interrupted; });
  if (whole) {
    parts_->work.write(index, [&](const Hdf5File& file) {
      write_shard(file, *parts_->prepared, part, RunsInMemory(part, own.first), own.count);
    });
  }
  return whole;
}

EnsembleSummary EnsemblePlan::collect(const CollectOptions& options) {
  AloneCommunicator alone;
  return collect(options, alone);
}

EnsembleSummary EnsemblePlan::collect(const CollectOptions& options, Communicator& ranks) {
  EnsembleSummary summary;
  all_succeed_together(ranks, [&](Communicator& together) { summary = collect_together(options, together); });
  return summary;
}

EnsembleSummary EnsemblePlan::collect_together(const CollectOptions& options, Communicator& ranks) {
  const Parts& own = *parts_;
  const auto rank = static_cast<std::size_t>(ranks.rank()), size = static_cast<std::size_t>(ranks.size());
  const bool writes = rank == 0;
  if (writes) own.work.begun();
  std::vector<std::int64_t> missing(1);
  for (std::size_t i = rank; i < chunks(); i += size)
    if (!own.work.holds(i, options.thorough)) ++missing[0];
  ranks.sum(missing);
  own.work.expect_none_missing(static_cast<std::size_t>(missing[0]));
  EnsembleSummary about;
  about.prepared = own.prepared;
  about.frame = own.frame;
  about.frame.wall = options.wall;
  about.runs = own.cut().items;
  if (writes) about.nominal = simulate_nominal(*own.prepared, options.proceed);
  EnsembleSummary summary = summarise(std::move(about), own.runs_in(rank, size, chunks()), ranks);
  if (!options.merge) own.write_volumes(rank, size);
  ranks.sum(missing);  // all volumes are there
  if (writes) own.write_results(summary, options.merge);
  return summary;
}

void EnsemblePlan::Parts::write_results(const EnsembleSummary& summary, bool merge) const {
  const std::string run = ensemble_json(summary);
  Hdf5File hdf5(work.folder() + "/ensemble.h5");
  if (merge)
    write_ensemble(hdf5, summary, runs_in(0, 1, cut().count()), run);
  else
    write_virtual_ensemble(hdf5, summary, places(), run);
  hdf5.finish();
  put_in_place(work.begun(), summary, run, report_page(), [&] { hdf5.put_in_place(); });
  if (merge)
    work.shards().remove();
  else if (shards_per_volume(cut()) > 1)
    work.shards().remove_shards();
}

ChunkedEnsemble run_ensemble(std::shared_ptr<const PreparedEnsemble> prepared, const ChunkedOptions& options,
                             Communicator& ranks) {
  ranks.begin();
  std::optional<EnsemblePlan> plan;
  all_succeed(ranks, [&] {
    PlanOptions how = options.plan;
    if (how.threads == 0) how.threads = share_of_cores(ranks);
    plan.emplace(std::move(prepared), options.folder, how);
  });
  ChunkLoop loop{plan->parts_->work, options.resume};
  loop.run = [&](std::size_t index, const std::function<bool()>& proceed) {
    return plan->run(index, [&](const EnsembleProgress&) { return proceed(); });
  };
  loop.proceed = [&](const ChunksDone& done) {
    return !options.proceed || options.proceed({done.finished, plan->runs(), done.recalled, done.wall});
  };
  const ChunksDone done = take_chunks(loop, ranks);
  ChunkedEnsemble result;
  result.finished = done.finished;
  result.replaced = plan->replaces();
  result.interrupted = done.finished < plan->runs();
  if (result.interrupted) return result;
  result.summary = plan->collect({.merge = options.merge, .thorough = false, .wall = done.wall, .proceed = {}}, ranks);
  return result;
}

bool has_open_shards(const std::string& folder) { return ShardFolder(folder, ensemble_shards).is_open(); }

}  // namespace ulna
