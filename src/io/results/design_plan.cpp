#include "ulna/io/results/design_plan.hpp"

#include "chunk_loop.hpp"
#include "design_files.hpp"
#include "hdf5_rows.hpp"
#include "ulna/base/error.hpp"

namespace ulna::selection {

namespace {

constexpr UsualChunks usual_chunks{.usual_chunks = 512, .fewest = 8, .most = 1024};

ChunkCut cut_of(const DesignSweep& sweep, std::size_t wanted) {
  const std::size_t arms = sweep.grid().size(), bytes = 2 * sizeof(double) * sweep.criteria().size();
  return {arms, std::min(arms, wanted > 0 ? wanted : usual_chunks.size(arms, bytes))};
}

/// What a shard has of each arm.
struct DesignDatasets {
  explicit DesignDatasets(std::size_t criteria)
      : values{"values", NumberKind::real, {criteria}}, errors{"errors", NumberKind::real, {criteria}} {}

  RowsInfo outcome{"outcome", NumberKind::whole}, reason{"reason", NumberKind::text}, values, errors;
};

void write_rows(const Hdf5File& file, const std::vector<DesignRow>& rows, std::size_t criteria) {
  const DesignDatasets datasets(criteria);
  RowWriter outcomes(file, datasets.outcome, rows.size(), RowLayout::plain);
  RowWriter reasons(file, datasets.reason, rows.size(), RowLayout::plain);
  RowWriter values(file, datasets.values, rows.size(), RowLayout::plain);
  RowWriter errors(file, datasets.errors, rows.size(), RowLayout::plain);
  for (const DesignRow& row : rows) {
    outcomes.add(static_cast<std::int64_t>(row.outcome));
    reasons.add(std::string_view(row.reason));
    values.add(std::span<const double>(row.values));
    errors.add(std::span<const double>(row.errors));
  }
  for (RowWriter* writer : {&outcomes, &reasons, &values, &errors}) writer->finish();
}

bool read_rows_of(hid_t file, std::size_t criteria, std::vector<DesignRow>& rows) {
  const DesignDatasets datasets(criteria);
  const std::size_t count = rows.size();
  std::vector<std::int64_t> outcomes(count);
  std::vector<std::string> reasons(count);
  std::vector<double> values(count * criteria), errors(count * criteria);
  if (!read_rows(file, datasets.outcome, count, outcomes.data()) || !read_texts(file, datasets.reason, reasons) ||
      !read_rows(file, datasets.values, count, values.data()) ||
      !read_rows(file, datasets.errors, count, errors.data()))
    return false;
  for (std::size_t k = 0; k < count; ++k) {
    const auto begin = static_cast<std::ptrdiff_t>(k * criteria), end = begin + static_cast<std::ptrdiff_t>(criteria);
    if (outcomes[k] < 0 || outcomes[k] > static_cast<std::int64_t>(DesignRow::Outcome::refused)) return false;
    rows[k] = {static_cast<DesignRow::Outcome>(outcomes[k]), std::move(reasons[k]),
               std::vector<double>(values.begin() + begin, values.begin() + end),
               std::vector<double>(errors.begin() + begin, errors.begin() + end)};
  }
  return true;
}

}  // namespace

struct [[gnu::visibility("hidden")]] DesignPlan::Parts {
  Parts(std::shared_ptr<const DesignSweep> given, std::string folder, const DesignPlanOptions& options)
      : sweep(std::move(given)),
        threads(options.threads),
        work(std::move(folder), design_shards, cut_of(*sweep, options.chunk), sweep->identity(), "") {}

  /// All rows in the order of arms. Throws InputError for a shard that cannot be read.
  void visit(const std::function<void(std::size_t arm, const DesignRow& row)>& see) const {
    std::vector<DesignRow> rows;
    for (std::size_t i = 0; i < work.cut().count(); ++i) {
      const Chunk chunk = work.cut().at(i);
      const std::string path = work.shards().path_of_shard(i);
      const Hdf5Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
      rows.assign(chunk.count, {});
      if (!file.good() || !read_rows_of(file.get(), sweep->criteria().size(), rows))
        throw InputError(Source{path, 0}, "cannot be read; resume, and it is computed again");
      for (std::size_t k = 0; k < chunk.count; ++k) see(chunk.first + k, rows[k]);
    }
  }

  const std::shared_ptr<const DesignSweep> sweep;
  const int threads;
  ChunkedShards work;
};

DesignPlan::DesignPlan(std::shared_ptr<const DesignSweep> sweep, std::string folder, const DesignPlanOptions& options)
    : parts_(std::make_unique<Parts>(std::move(sweep), std::move(folder), options)) {}
DesignPlan::~DesignPlan() = default;

const DesignSweep& DesignPlan::sweep() const { return *parts_->sweep; }
std::size_t DesignPlan::chunk_size() const { return parts_->work.cut().size; }
std::size_t DesignPlan::chunks() const { return parts_->work.cut().count(); }
Chunk DesignPlan::chunk(std::size_t index) const { return parts_->work.cut().at(index); }
const std::string& DesignPlan::folder() const { return parts_->work.folder(); }
void DesignPlan::begin(bool resume) { parts_->work.begin(resume); }
bool DesignPlan::replaces() const { return parts_->work.replaces(); }
void DesignPlan::join() const { parts_->work.join(); }
bool DesignPlan::is_done(std::size_t index) const { return parts_->work.holds(index, true); }

bool DesignPlan::run(std::size_t index, const std::function<bool()>& proceed) {
  const Chunk own = chunk(index);
  try {
    const std::vector<DesignRow> rows = sweep().evaluate(own.first, own.count, parts_->threads, proceed);
    parts_->work.write(index, [&](const Hdf5File& file) { write_rows(file, rows, sweep().criteria().size()); });
  } catch (const Interrupted&) {
    return false;
  }
  return true;
}

DesignSummary DesignPlan::collect(bool thorough) {
  const Parts& own = *parts_;
  const OutputFolder& made = own.work.begun();
  std::size_t missing = 0;
  for (std::size_t i = 0; i < chunks(); ++i)
    if (!own.work.holds(i, thorough)) ++missing;
  own.work.expect_none_missing(missing);
  const DesignRows rows = [&](const auto& see) { own.visit(see); };
  DesignSummary summary = summarise(*own.sweep, rows);
  put_in_place(made, own.work.folder(), *own.sweep, summary, rows);
  own.work.shards().remove();
  return summary;
}

bool has_open_design(const std::string& folder) { return ShardFolder(folder, design_shards).is_open(); }

ChunkedDesign run_design(std::shared_ptr<const DesignSweep> sweep, const ChunkedDesignOptions& options,
                         Communicator& ranks) {
  ranks.begin();
  std::optional<DesignPlan> plan;
  all_succeed(ranks, [&] {
    DesignPlanOptions how = options.plan;
    if (how.threads == 0) how.threads = share_of_cores(ranks);
    plan.emplace(std::move(sweep), options.folder, how);
  });
  const std::size_t arms = plan->sweep().grid().size();
  ChunkLoop loop{plan->parts_->work, options.resume};
  loop.run = [&](std::size_t index, const std::function<bool()>& proceed) { return plan->run(index, proceed); };
  loop.proceed = [&](const ChunksDone& done) {
    return !options.proceed || options.proceed({done.finished, arms, done.recalled, done.wall});
  };
  const ChunksDone done = take_chunks(loop, ranks);
  ChunkedDesign result{
      .interrupted = done.finished < arms, .replaced = plan->replaces(), .finished = done.finished, .wall = done.wall};
  if (result.interrupted) return result;
  all_succeed(ranks, [&] {
    if (ranks.rank() == 0) result.summary = plan->collect(false);
  });
  return result;
}

}  // namespace ulna::selection
