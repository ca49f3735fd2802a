#include "ulna/batch/ensemble.hpp"

#include <fmt/format.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "batch/ensemble_work.hpp"
#include "batch/pack_worker.hpp"
#include "dynamics/threads.hpp"
#include "ulna/trace/compiled.hpp"

namespace ulna {

namespace {

/// A compiler takes 0.15 s for an arm of six joints, which compiled packs save in 1200 simulated seconds of free fall
/// (bench_ensemble).
constexpr double seconds_worth_compiling = 2000.0;

class Ensemble {
 public:
  Ensemble(const Model& model, const EnsembleSetup& setup, const std::function<bool(const EnsembleProgress&)>& proceed)
      : setup_(setup), work_(model, setup, proceed), result_(work_.all()) {
    result_.note = pack_refusal(model, setup);
    result_.packed = result_.note.empty();
    result_.method = model.loops().empty()
                         ? std::string(resolve_method(setup.nominal.method, Quantity::forward_dynamics, model).name)
                         : std::string(name_of(loop_method(setup.nominal.method)));
    result_.threads = threads();
  }

  EnsembleResult run() {
    if (result_.packed) {
      for (int i = 0; i < result_.threads; ++i)
        packs_.push_back(std::make_unique<PackWorker>(work_, forward_dynamics()));
    }
    work_.recall(result_.method);
    const tbb::global_control most(tbb::global_control::max_allowed_parallelism,
                                   static_cast<std::size_t>(result_.threads));
    tbb::task_arena arena(result_.threads);
    arena.execute([&] { Threads{1}(result_.threads, [&](std::ptrdiff_t i) { work(static_cast<std::size_t>(i)); }); });
    result_.wall = work_.wall();
    return std::move(result_);
  }

 private:
  int threads() const {
    const auto wanted = setup_.threads > 0 ? static_cast<std::size_t>(setup_.threads)
                                           : std::max<std::size_t>(1, std::thread::hardware_concurrency());
    const std::size_t portion = result_.packed ? PackDouble::lanes : 1;
    return static_cast<int>(std::clamp<std::size_t>((setup_.runs + portion - 1) / portion, 1, wanted));
  }

  bool wants_compiled() const {
    const bool can = setup_.nominal.method == "auto" && setup_.nominal.actions.held.loads.empty() &&
                     setup_.nominal.actions.frame_loads.empty();
    if (!can || setup_.code == EnsembleCode::generic) return false;
    return setup_.code == EnsembleCode::compiled ||
           static_cast<double>(setup_.runs) * setup_.nominal.duration >= seconds_worth_compiling;
  }

  std::unique_ptr<Method<PackDouble>> forward_dynamics() {
    const Model& model = work_.model();
    if (!wants_compiled() || !result_.note.empty())
      return make_method<PackDouble>(setup_.nominal.method, Quantity::forward_dynamics, model);
    Compiled<PackDouble> compiled = compile<PackDouble>(model, Quantity::forward_dynamics);
    if (!compiled.own) {
      result_.note = compiled.note;
      return std::move(compiled.method);
    }
    result_.method = "compiled";
    return std::move(compiled.method);
  }

  void work(std::size_t i) {
    try {
      result_.packed ? (*packs_[i])() : run_alone();
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

  const EnsembleSetup& setup_;
  EnsembleWork work_;
  EnsembleResult& result_;
  std::vector<std::unique_ptr<PackWorker>> packs_;
};

}  // namespace

std::string pack_refusal(const Model& model, const EnsembleSetup& ensemble) {
  const SimulationSetup& setup = ensemble.nominal;
  const bool stops =
      setup.at_limits == EventAction::stop || std::any_of(setup.watched.begin(), setup.watched.end(),
                                                          [](const auto& w) { return w.action == EventAction::stop; });
  const char* why = ensemble.own_robots                                      ? "their robots differ"
                    : !model.loops().empty()                                 ? "the robot has closed loops"
                    : model.has_general_joints()                             ? "the robot has joints of several degrees"
                    : explicit_tableau(setup.integrator) == nullptr          ? "the integrator is none for packs"
                    : std::holds_alternative<UserDrive>(setup.actions.drive) ? "the drive is a user's own code"
                    : !setup.actions.user_loads.empty()                      ? "a load is a user's own code"
                    : setup.forward                                          ? "the forward dynamics is a user's own"
                    : stops                                                  ? "runs may be stopped by events"
                                                                             : nullptr;
  return why == nullptr ? "" : fmt::format("each run goes on its own: {}", why);
}

EnsembleResult simulate_ensemble(const Model& model, const EnsembleSetup& setup,
                                 const std::function<bool(const EnsembleProgress&)>& proceed) {
  return Ensemble(model, setup, proceed).run();
}

}  // namespace ulna
