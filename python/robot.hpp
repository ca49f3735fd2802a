// A robot as Python holds it: what its author wrote, the model, and idle workspaces.
#pragma once

#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "interrupt.hpp"
#include "ulna/batch/batch.hpp"
#include "ulna/batch/loop_batch.hpp"
#include "ulna/dynamics/articulated_body/derivatives.hpp"
#include "ulna/dynamics/method.hpp"
#include "ulna/kinematics/kinematics.hpp"
#include "ulna/loop/constrained_dynamics.hpp"

namespace ulna::python {

/// Workspaces that no call is using, by what they are for. It is only touched with the GIL held, which is the lock; a
/// call that computes without the GIL has a workspace of its own.
template <class Key, class Workspace>
class Pool {
 public:
  /// Goes back to its pool at the end.
  class Lease {
   public:
    Lease(std::vector<std::unique_ptr<Workspace>>& idle, std::unique_ptr<Workspace> workspace)
        : idle_(idle), workspace_(std::move(workspace)) {}
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    ~Lease() { idle_.push_back(std::move(workspace_)); }
    Workspace& operator*() const { return *workspace_; }
    Workspace* operator->() const { return workspace_.get(); }

   private:
    std::vector<std::unique_ptr<Workspace>>& idle_;
    std::unique_ptr<Workspace> workspace_;
  };

  template <class Make>
  Lease take(const Key& key, const Make& make) {
    std::vector<std::unique_ptr<Workspace>>& idle = idle_[key];
    if (idle.empty()) return Lease(idle, make());
    std::unique_ptr<Workspace> workspace = std::move(idle.back());
    idle.pop_back();
    return Lease(idle, std::move(workspace));
  }

 private:
  std::map<Key, std::vector<std::unique_ptr<Workspace>>> idle_;
};

struct BatchKey {
  std::string method;
  bool compiled;
  int threads;
  std::vector<const Frame*> frames{};  // of the model; none: none is asked for
  Reference reference{};
  const Frame* payload = nullptr;  // where states carry their own

  auto operator<=>(const BatchKey&) const = default;
};

struct Robot {
  /// Throws InputError.
  explicit Robot(Graph given);

  const std::shared_ptr<const Graph> graph;  // with its loops cut
  const std::shared_ptr<const Model> model;
  const std::shared_ptr<const Model> tree;  // the model itself where it has no loops

  struct {
    Pool<std::tuple<Quantity, std::string>, Method<double>> methods;
    Pool<BatchKey, Batch<double>> batches;
    Pool<BatchKey, Batch<float>> float_batches;
    Pool<int, Kinematics<double>> kinematics;
    Pool<int, newton_euler::Workspace<double>> newton_euler;
    Pool<int, newton_euler::DerivativeWorkspace<double>> inverse_derivatives;
    Pool<int, articulated_body::DerivativeWorkspace<double>> forward_derivatives;
    Pool<int, ConstrainedDynamics> constrained;
  } idle;

  /// Everything the graph holds, to the last bit: what pickles are made of and equality is about.
  std::string essence() const;

  bool has_loops() const { return !model->loops().empty(); }
  /// Throws InputError that names the frames there are near.
  const Frame& frame(const std::string& name) const;
  /// Of a joint with one degree of freedom; throws InputError.
  int velocity_index(const std::string& joint) const;
};

template <class S>
auto take_batch(Robot& robot, const BatchKey& key) {
  const auto make = [&] {
    BatchOptions options{.method = key.method,
                         .compiled = key.compiled,
                         .threads = key.threads,
                         .reference = key.reference,
                         .proceed = &no_signal_came};
    for (const Frame* frame : key.frames) options.frames.push_back(*frame);
    if (key.payload != nullptr) options.payload = *key.payload;
    return std::make_unique<Batch<S>>(*robot.tree, options);
  };
  if constexpr (std::is_same_v<S, float>)
    return robot.idle.float_batches.take(key, make);
  else
    return robot.idle.batches.take(key, make);
}

}  // namespace ulna::python
