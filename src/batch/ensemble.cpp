#include "ulna/batch/ensemble.hpp"

#include <fmt/format.h>
#ifdef ULNA_THREADS
#include <tbb/global_control.h>
#endif

#include <algorithm>
#include <cmath>
#include <thread>

#include "batch/ensemble_work.hpp"
#include "batch/pack_worker.hpp"
#include "batch/varied_forward.hpp"
#include "dynamics/threads.hpp"
#include "ulna/trace/compiled.hpp"

namespace ulna {

namespace {

/// A compiler takes 0.15 s for an arm of six joints, which compiled packs save in 1200 simulated seconds of free fall
/// (bench_ensemble).
constexpr double seconds_worth_compiling = 2000.0;
/// And runs that would go each on its own become six times as fast.
constexpr double seconds_worth_packs = 200.0;
/// The compiler takes a second for so many, and ten for forty.
constexpr std::size_t most_varied_bodies = 12;

std::string alone(std::string_view why) { return fmt::format("each run goes on its own: {}", why); }

bool is_compilable(const EnsembleSetup& setup) {
  return setup.nominal.method == "auto" && setup.nominal.actions.held.loads.empty() &&
         setup.nominal.actions.frame_loads.empty();
}

/// Energies and the like are those of one robot.
bool keeps_more_than_motion(const Model& model, const EnsembleSetup& ensemble) {
  const std::vector<Column> columns =
      trajectory_columns(model, reference_of(ensemble.nominal.actions.drive) != nullptr);
  const auto motion = static_cast<std::ptrdiff_t>(1 + model.nq() + model.nv());
  return std::ranges::any_of(ensemble.keep, [&](const std::string& name) {
    return std::find_if(columns.begin(), columns.end(), [&](const Column& c) { return c.name == name; }) -
               columns.begin() >=
           motion;
  });
}

}  // namespace

class [[gnu::visibility("hidden")]] EnsembleRunner::Workers {
 public:
  Workers(const Model& model, EnsembleSetup setup) : work_(model, std::move(setup)) {
    EnsembleResult& frame = work_.frame();
    frame.note = pack_refusal(model, work_.setup());
    frame.packed = frame.note.empty();
    const std::string& method = work_.nominal().method;
    frame.method = model.loops().empty() ? std::string(resolve_method(method, Quantity::forward_dynamics, model).name)
                                         : std::string(name_of(loop_method(method)));
    if (work_.setup().own_robots && frame.packed) load_varied();
    frame.threads = threads_for(work_.setup().runs);
  }

  const EnsembleResult& frame() {
    make_packs();
    return work_.frame();
  }

  EnsembleResult run(std::size_t first, std::size_t count, const EnsembleProceed& proceed) {
    work_.expect_memory(count);
    make_packs();
    work_.begin(first, count, proceed);
    EnsembleResult& part = work_.part();
    part.threads = threads_for(count);
    work_.recall(part.method);
#ifdef ULNA_THREADS
    const tbb::global_control most(tbb::global_control::max_allowed_parallelism,
                                   static_cast<std::size_t>(part.threads));
#endif
    Arena arena(part.threads);
    arena.execute([&] { Threads{1}(part.threads, [&](std::ptrdiff_t i) { work(static_cast<std::size_t>(i)); }); });
    part.wall = work_.wall();
    return std::move(part);
  }

 private:
  int threads_for(std::size_t runs) {
    const int given = work_.setup().threads;
    const auto wanted =
        given > 0 ? static_cast<std::size_t>(given) : std::max<std::size_t>(1, std::thread::hardware_concurrency());
    const std::size_t portion = work_.frame().packed ? PackDouble::lanes : 1;
    return static_cast<int>(std::clamp<std::size_t>((runs + portion - 1) / portion, 1, wanted));
  }

  void make_packs() {
    if (!work_.frame().packed || !packs_.empty()) return;
    for (int i = 0; i < work_.frame().threads; ++i) packs_.push_back(make_pack());
  }

  std::unique_ptr<PackWorker> make_pack() {
    if (varied_.function == nullptr) return std::make_unique<PackWorker>(work_, forward_dynamics());
    return std::make_unique<PackWorker>(
        work_, std::make_unique<VariedForward>(work_.model(), work_.setup().varied_bodies, varied_));
  }

  /// Robots that differ go in packs by code that takes the difference as inputs, or each on its own.
  void load_varied() {
    EnsembleResult& frame = work_.frame();
    if (wants_compiled()) varied_ = load_varied_forward(work_.model(), work_.setup().varied_bodies);
    frame.packed = varied_.function != nullptr;
    if (frame.packed)
      frame.method = "compiled";
    else if (varied_.note.empty())
      frame.note = alone("their robots differ, and are too few to compile code for");
    else
      frame.note = alone("their robots differ; " + varied_.note);
  }

  bool wants_compiled() const {
    const EnsembleSetup& setup = work_.setup();
    if (!is_compilable(setup) || setup.code == EnsembleCode::generic) return false;
    return setup.code == EnsembleCode::compiled ||
           static_cast<double>(setup.runs) * setup.nominal.duration >=
               (setup.own_robots ? seconds_worth_packs : seconds_worth_compiling);
  }

  std::unique_ptr<Method<PackDouble>> forward_dynamics() {
    const Model& model = work_.model();
    EnsembleResult& frame = work_.frame();
    if (!wants_compiled() || !frame.note.empty())
      return make_method<PackDouble>(work_.nominal().method, Quantity::forward_dynamics, model);
    Compiled<PackDouble> compiled = compile<PackDouble>(model, Quantity::forward_dynamics);
    if (!compiled.own) {
      frame.note = compiled.note;
      return std::move(compiled.method);
    }
    frame.method = "compiled";
    return std::move(compiled.method);
  }

  void work(std::size_t i) {
    try {
      work_.frame().packed ? (*packs_[i])() : run_alone();
    } catch (...) {
      work_.stop();  // nobody will see what the others find
      throw;
    }
  }

  void run_alone() {
    while (const std::optional<std::size_t> k = work_.take()) {
      const EnsembleRun run = work_.run(*k);
      if (!work_.deal_with(*k, run)) work_.run_alone(*k, run);
    }
  }

  EnsembleWork work_;
  trace::LoadedKernel varied_;  // of robots that differ
  std::vector<std::unique_ptr<PackWorker>> packs_;
};

EnsembleRunner::EnsembleRunner(const Model& model, EnsembleSetup setup)
    : workers_(std::make_unique<Workers>(model, std::move(setup))) {}
EnsembleRunner::~EnsembleRunner() = default;

const EnsembleResult& EnsembleRunner::frame() { return workers_->frame(); }

EnsembleResult EnsembleRunner::run(std::size_t first, std::size_t count, const EnsembleProceed& proceed) {
  return workers_->run(first, count, proceed);
}

std::string pack_refusal(const Model& model, const EnsembleSetup& ensemble) {
  const SimulationSetup& setup = ensemble.nominal;
  const bool stops =
      setup.at_limits == EventAction::stop || std::any_of(setup.watched.begin(), setup.watched.end(),
                                                          [](const auto& w) { return w.action == EventAction::stop; });
  const bool differ =
      ensemble.own_robots &&
      (ensemble.varied_bodies.empty() || ensemble.varied_bodies.size() > most_varied_bodies ||
       ensemble.code == EnsembleCode::generic || !is_compilable(ensemble) || keeps_more_than_motion(model, ensemble));
  const char* why = differ                       ? "their robots differ (doc/ensembles.md says which may share packs)"
                    : !model.loops().empty()     ? "the robot has closed loops"
                    : model.has_general_joints() ? "the robot has joints of several degrees"
                    : explicit_tableau(setup.integrator) == nullptr          ? "the integrator is none for packs"
                    : std::holds_alternative<UserDrive>(setup.actions.drive) ? "the drive is a user's own code"
                    : !setup.actions.user_loads.empty()                      ? "a load is a user's own code"
                    : setup.forward                                          ? "the forward dynamics is a user's own"
                    : stops                                                  ? "runs may be stopped by events"
                                                                             : nullptr;
  return why == nullptr ? "" : alone(why);
}

EnsembleResult simulate_ensemble(const Model& model, const EnsembleSetup& setup, const EnsembleProceed& proceed) {
  return EnsembleRunner(model, setup).run(0, setup.runs, proceed);
}

}  // namespace ulna
