#include "ulna/io/results/ensemble_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/fnv.hpp"
#include "ensemble_files.hpp"
#include "ensemble_hdf5.hpp"
#include "ensemble_identity.hpp"
#include "shard_folder.hpp"
#include "summarise.hpp"
#include "ulna/base/error.hpp"
#include "ulna/io/results/page.hpp"

namespace ulna {

namespace {

constexpr const char* plan_title = "Ulna ensemble in chunks";

/// Readers of virtual datasets hold all files open that they come by, and see NaN where they may not open more: usual
/// limits are 1024.
constexpr std::size_t most_virtual_shards = 500;

/// Runs in a chunk: enough chunks for many ranks, each long enough to be worth a file, and small enough for memory.
std::size_t usual_chunk(std::size_t runs, std::size_t bytes_per_run) {
  constexpr std::size_t usual_chunks = 256, fewest = 64, usual_most = 1024, most_chunks = 16384, most_bytes = 64 << 20;
  const auto parts = [&](std::size_t count) { return (runs + count - 1) / count; };
  const std::size_t wanted = std::clamp(parts(usual_chunks), fewest, std::max(usual_most, parts(most_chunks)));
  return std::clamp<std::size_t>(most_bytes / std::max<std::size_t>(1, bytes_per_run), 1, wanted);
}

/// Shards one after the other; those of a rank: every so many of them. What cannot be read ends the pass, and is told
/// later, so that ranks which sum over all of them do not wait for one that gave up.
class RunsInShards final : public EnsembleRuns {
 public:
  RunsInShards(const EnsemblePlan& plan, const ShardFolder& shards, const PreparedEnsemble& prepared,
               const EnsembleResult& frame, std::size_t first = 0, std::size_t step = 1)
      : plan_(plan), shards_(shards), prepared_(prepared), frame_(frame), first_(first), step_(step) {}

  void visit(const RunParts& parts, const std::function<void(const RunBlock&)>& see) const override {
    const std::size_t columns = frame_.columns.size();
    for (std::size_t i = first_; i < plan_.chunks() && failed_.empty(); i += step_) {
      const EnsembleChunk chunk = plan_.chunk(i);
      const std::string path = shards_.path_of_shard(i);
      const Hdf5Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
      if (!file.good() || !read_shard(file.get(), prepared_, frame_, chunk.count, parts, runs_, samples_)) {
        failed_ = path;
        return;
      }
      see({chunk.first, chunk.count, runs_, samples_.data(), parts.times.count * columns, columns});
    }
  }
  /// The path of a shard that could not be read; empty: none.
  const std::string& failed() const { return failed_; }
  void expect_good() const {
    if (!failed_.empty()) throw InputError(Source{failed_, 0}, "cannot be read; resume, and it is computed again");
  }

 private:
  const EnsemblePlan& plan_;
  const ShardFolder& shards_;
  const PreparedEnsemble& prepared_;
  const EnsembleResult& frame_;
  std::size_t first_, step_;
  mutable std::string failed_;
  mutable std::vector<EnsembleRunResult> runs_;
  mutable std::vector<double> samples_;
};

}  // namespace

struct EnsemblePlan::Parts {
  Parts(std::shared_ptr<const PreparedEnsemble> given, std::string where, const PlanOptions& options)
      : prepared(std::move(given)),
        folder(std::move(where)),
        shards(folder),
        runner(prepared->model, setup_of(*prepared, {.compiled = options.compiled, .threads = options.threads})),
        frame(runner.frame()),
        runs(prepared->scenario.ensemble.runs) {
    const Model& model = prepared->model;
    const std::size_t numbers = frame.times.size() * frame.columns.size() + prepared->varied.parameters().size() +
                                static_cast<std::size_t>(model.nq() + model.nv());
    chunk = options.chunk > 0 ? options.chunk : usual_chunk(runs, sizeof(double) * numbers);
    chunk = std::min(chunk, runs);
    parts = identity_of(prepared->scenario, prepared->graph);
    parts.emplace_back("size of chunks", fmt::format("{}", chunk));
    head = packed_identity(plan_title, parts, frame.method);
    identity = fnv1a(head);
  }

  void expect_head(const std::string& there) const {
    expect_method(expect_identity(there, plan_title, parts, shards.head_path()), frame.method, shards.head_path());
  }

  const std::shared_ptr<const PreparedEnsemble> prepared;
  const std::string folder;
  const ShardFolder shards;
  EnsembleRunner runner;
  const EnsembleResult frame;  // without runs
  const std::size_t runs;
  std::size_t chunk = 0;
  EnsembleIdentity parts;
  std::string head;
  std::uint64_t identity = 0;
  std::optional<OutputFolder> made;  // of the process that began
};

EnsemblePlan::EnsemblePlan(std::shared_ptr<const PreparedEnsemble> prepared, std::string folder,
                           const PlanOptions& options)
    : parts_(std::make_unique<Parts>(std::move(prepared), std::move(folder), options)) {}
EnsemblePlan::~EnsemblePlan() = default;

std::size_t EnsemblePlan::runs() const { return parts_->runs; }
std::size_t EnsemblePlan::chunk_size() const { return parts_->chunk; }
std::size_t EnsemblePlan::chunks() const { return (parts_->runs + parts_->chunk - 1) / parts_->chunk; }
const std::string& EnsemblePlan::folder() const { return parts_->folder; }

EnsembleChunk EnsemblePlan::chunk(std::size_t index) const {
  if (index >= chunks()) throw std::out_of_range(fmt::format("there are {} chunks, and none {}", chunks(), index));
  const std::size_t first = index * parts_->chunk;
  return {index, first, std::min(parts_->chunk, parts_->runs - first)};
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
  if (whole) parts_->shards.write(index, parts_->identity, *parts_->prepared, part, own.first);
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
  if (missing[0] > 0)
    throw InputError(
        Source{own.shards.path(), 0},
        fmt::format("{} of {} chunks are missing or damaged; resume, and they are computed", missing[0], chunks()));
  EnsembleSummary about;
  about.prepared = own.prepared;
  about.frame = own.frame;
  about.frame.wall = options.wall;
  about.runs = own.runs;
  if (writes) about.nominal = simulate_nominal(*own.prepared, options.proceed);
  const RunsInShards share(*this, own.shards, *own.prepared, own.frame, rank, size);
  EnsembleSummary summary = summarise(std::move(about), share, ranks);
  share.expect_good();
  if (!writes) return summary;
  const std::string run = ensemble_json(summary);
  Hdf5File hdf5(own.folder + "/ensemble.h5");
  const bool merge = options.merge || chunks() > most_virtual_shards;
  if (merge) {
    const RunsInShards all(*this, own.shards, *own.prepared, own.frame);
    write_ensemble(hdf5, summary, all, run);
    all.expect_good();
  } else {
    std::vector<ShardPlace> places;
    places.reserve(chunks());
    for (std::size_t i = 0; i < chunks(); ++i)
      places.push_back({ShardFolder::name_of_shard(i), chunk(i).first, chunk(i).count});
    write_virtual_ensemble(hdf5, summary, places, run);
  }
  hdf5.finish();
  put_in_place(*own.made, summary, run, report_page(), [&] { hdf5.put_in_place(); });
  if (merge) own.shards.remove();
  return summary;
}

bool has_open_shards(const std::string& folder) {
  std::error_code error;
  return ShardFolder(folder).read_head() && !std::filesystem::exists(folder + "/run.json", error);
}

}  // namespace ulna
