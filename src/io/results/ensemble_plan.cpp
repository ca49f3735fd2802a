#include "ulna/io/results/ensemble_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/fnv.hpp"
#include "ensemble_files.hpp"
#include "ensemble_identity.hpp"
#include "runs_in_shards.hpp"
#include "summarise.hpp"
#include "ulna/io/results/page.hpp"

namespace ulna {

namespace {

constexpr const char* plan_title = "Ulna ensemble in chunks";

/// Runs in a chunk: enough chunks for many ranks, each long enough to be worth a file, and small enough for memory.
std::size_t usual_chunk(std::size_t runs, std::size_t bytes_per_run) {
  constexpr std::size_t usual_chunks = 256, fewest = 64, usual_most = 1024, most_chunks = 16384, most_bytes = 64 << 20;
  const auto parts = [&](std::size_t count) { return (runs + count - 1) / count; };
  const std::size_t wanted = std::clamp(parts(usual_chunks), fewest, std::max(usual_most, parts(most_chunks)));
  return std::clamp<std::size_t>(most_bytes / std::max<std::size_t>(1, bytes_per_run), 1, wanted);
}

}  // namespace

struct [[gnu::visibility("hidden")]] EnsemblePlan::Parts {
  Parts(std::shared_ptr<const PreparedEnsemble> given, std::string where, const PlanOptions& options)
      : prepared(std::move(given)),
        folder(std::move(where)),
        shards(folder),
        runner(prepared->model, setup_of(*prepared, {.compiled = options.compiled, .threads = options.threads})),
        frame(runner.frame()),
        cut{prepared->scenario.ensemble.runs, 1} {
    const Model& model = prepared->model;
    const std::size_t numbers = frame.times.size() * frame.columns.size() + prepared->varied.parameters().size() +
                                static_cast<std::size_t>(model.nq() + model.nv());
    const std::size_t size = options.chunk > 0 ? options.chunk : usual_chunk(cut.runs, sizeof(double) * numbers);
    cut.size = std::min(size, cut.runs);
    parts = identity_of(prepared->scenario, prepared->graph);
    parts.emplace_back("size of chunks", fmt::format("{}", cut.size));
    head = packed_identity(plan_title, parts, frame.method);
    identity = fnv1a(head);
  }

  void expect_head(const std::string& there) const {
    expect_method(expect_identity(there, plan_title, parts, shards.head_path()), frame.method, shards.head_path());
  }

  RunsInShards runs_in(std::size_t first, std::size_t step, std::size_t end) const {
    return RunsInShards(cut, shards, *prepared, frame, first, step, end);
  }
  /// Every `step`th from `first` on, if volumes are needed at all.
  void write_volumes(std::size_t first, std::size_t step) const;
  std::vector<ShardPlace> places() const;
  /// All files, in the folder.
  void write_results(const EnsembleSummary& summary, bool merge) const;

  const std::shared_ptr<const PreparedEnsemble> prepared;
  const std::string folder;
  const ShardFolder shards;
  EnsembleRunner runner;
  const EnsembleResult frame;  // without runs
  ChunkCut cut;
  EnsembleIdentity parts;
  std::string head;
  std::uint64_t identity = 0;
  std::optional<OutputFolder> made;  // of the process that began
};

void EnsemblePlan::Parts::write_volumes(std::size_t first, std::size_t step) const {
  const std::size_t each = cut.per_volume();
  if (each == 1) return;
  for (std::size_t volume = first; volume * each < cut.count(); volume += step) {
    const std::size_t begin = volume * each, end = std::min(begin + each, cut.count());
    const RunsInShards runs = runs_in(begin, 1, end);
    shards.write_volume(
        volume, [&](const Hdf5File& file) { write_shard(file, *prepared, frame, runs, cut.runs_of(begin, end)); });
    runs.expect_good();
  }
}

std::vector<ShardPlace> EnsemblePlan::Parts::places() const {
  std::vector<ShardPlace> places;
  const std::size_t each = cut.per_volume();
  places.reserve(cut.count() / each + 1);
  for (std::size_t begin = 0; begin < cut.count(); begin += each)
    places.push_back({each == 1 ? ShardFolder::name_of_shard(begin) : ShardFolder::name_of_volume(begin / each),
                      cut.at(begin).first, cut.runs_of(begin, std::min(begin + each, cut.count()))});
  return places;
}

EnsemblePlan::EnsemblePlan(std::shared_ptr<const PreparedEnsemble> prepared, std::string folder,
                           const PlanOptions& options)
    : parts_(std::make_unique<Parts>(std::move(prepared), std::move(folder), options)) {}
EnsemblePlan::~EnsemblePlan() = default;

std::size_t EnsemblePlan::runs() const { return parts_->cut.runs; }
std::size_t EnsemblePlan::chunk_size() const { return parts_->cut.size; }
std::size_t EnsemblePlan::chunks() const { return parts_->cut.count(); }
const std::string& EnsemblePlan::folder() const { return parts_->folder; }

EnsembleChunk EnsemblePlan::chunk(std::size_t index) const {
  if (index >= chunks()) throw std::out_of_range(fmt::format("there are {} chunks, and none {}", chunks(), index));
  return parts_->cut.at(index);
}

void EnsemblePlan::begin(bool resume) {
  Parts& own = *parts_;
  own.made.emplace(own.folder, ResultKind::chunks);
  const std::optional<std::string> there = own.shards.read_head();
  if (resume && !there)
    throw InputError(Source{own.shards.path(), 0},
                     "no shards: there is nothing to resume here; an ensemble in chunks leaves them");
  if (there && !resume)
    throw InputError(Source{own.shards.path(), 0},
                     "holds finished runs of an ensemble; resume it, or delete it to begin anew");
  if (there) own.expect_head(*there);
  if (own.made->replaces() && own.shards.has_volumes())
    throw InputError(Source{own.shards.path(), 0}, "is of a finished ensemble: there is nothing to resume here");
  own.shards.remove_leftovers();
  if (!there) own.shards.write_head(own.head);
}

bool EnsemblePlan::replaces() const { return parts_->made && parts_->made->replaces(); }

void EnsemblePlan::join() const {
  const std::optional<std::string> there = parts_->shards.read_head();
  if (!there)
    throw InputError(Source{parts_->shards.head_path(), 0},
                     "cannot be read; the folder must be one that all machines see");
  parts_->expect_head(*there);
}

bool EnsemblePlan::is_done(std::size_t index) const {
  return parts_->shards.holds(chunk(index).index, parts_->identity, true);
}

bool EnsemblePlan::run(std::size_t index, const std::function<bool(const EnsembleProgress&)>& proceed) {
  const EnsembleChunk own = chunk(index);
  const EnsembleResult part = parts_->runner.run(own.first, own.count, proceed);
  const bool whole = std::none_of(part.runs.begin(), part.runs.end(),
                                  [](const EnsembleRunResult& run) { return run.status == RunStatus::interrupted; });
  if (whole) {
    parts_->shards.write(index, parts_->identity, [&](const Hdf5File& file) {
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
  const Parts& own = *parts_;
  const auto rank = static_cast<std::size_t>(ranks.rank()), size = static_cast<std::size_t>(ranks.size());
  const bool writes = rank == 0;
  if (writes && !own.made) throw std::invalid_argument("collect() is for the process that called begin()");
  std::vector<std::int64_t> missing(1);
  for (std::size_t i = rank; i < chunks(); i += size)
    if (!own.shards.holds(i, own.identity, options.thorough)) ++missing[0];
  ranks.sum(missing);
  all_succeed(ranks, [&] {
    if (missing[0] == 0) return;
    throw InputError(
        Source{own.shards.path(), 0},
        fmt::format("{} of {} chunks are missing or damaged; resume, and they are computed", missing[0], chunks()));
  });
  EnsembleSummary about;
  about.prepared = own.prepared;
  about.frame = own.frame;
  about.frame.wall = options.wall;
  about.runs = own.cut.runs;
  if (writes) about.nominal = simulate_nominal(*own.prepared, options.proceed);
  const RunsInShards share = own.runs_in(rank, size, chunks());
  EnsembleSummary summary = summarise(std::move(about), share, ranks);
  all_succeed(ranks, [&] {
    share.expect_good();
    if (!options.merge) own.write_volumes(rank, size);
  });
  all_succeed(ranks, [&] {
    if (writes) own.write_results(summary, options.merge);
  });
  return summary;
}

void EnsemblePlan::Parts::write_results(const EnsembleSummary& summary, bool merge) const {
  const std::string run = ensemble_json(summary);
  Hdf5File hdf5(folder + "/ensemble.h5");
  if (merge) {
    const RunsInShards all = runs_in(0, 1, cut.count());
    write_ensemble(hdf5, summary, all, run);
    all.expect_good();
  } else {
    write_virtual_ensemble(hdf5, summary, places(), run);
  }
  hdf5.finish();
  put_in_place(*made, summary, run, report_page(), [&] { hdf5.put_in_place(); });
  if (merge)
    shards.remove();
  else if (cut.per_volume() > 1)
    shards.remove_shards();
}

bool has_open_shards(const std::string& folder) {
  std::error_code error;
  return ShardFolder(folder).read_head() && !std::filesystem::exists(folder + "/run.json", error);
}

}  // namespace ulna
