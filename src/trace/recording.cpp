#include "ulna/trace/recording.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <stdexcept>

#include "kernel_words.hpp"
#include "quantity_names.hpp"
#include "ulna/base/error.hpp"
#include "ulna/dynamics/articulated_body/derivatives.hpp"
#include "ulna/kinematics/kinematics.hpp"
#include "ulna/model/transform.hpp"

namespace ulna::trace {

namespace {

constexpr const char* no_derivatives = "derivatives are for robots whose joints have one degree of freedom";

struct KernelName {
  Kernel kernel;
  std::string_view name;
};
constexpr std::array names{KernelName{Kernel::inertia_matrix, "gim"},
                           KernelName{Kernel::coriolis_matrix, "c"},
                           KernelName{Kernel::convective_inertia, "mci"},
                           KernelName{Kernel::inverse_dynamics, "id"},
                           KernelName{Kernel::forward_dynamics, "fd"},
                           KernelName{Kernel::inverse_inertia, "phi"},
                           KernelName{Kernel::inverse_derivatives, "did"},
                           KernelName{Kernel::forward_derivatives, "dfd"},
                           KernelName{Kernel::pose, "fk"},
                           KernelName{Kernel::jacobian, "jacobian"},
                           KernelName{Kernel::gravity, "gravity"}};

/// Makes inputs and keeps the outputs of one recording.
class Recorder {
 public:
  explicit Recorder(const Model& model) : model_(model) { recording_.graph = std::make_unique<OpGraph>(); }

  std::vector<Trace> input(const std::string& name, int n) {
    std::vector<Trace> values;
    Array array{name, {}};
    for (int k = 0; k < n; ++k) {
      values.push_back(recording_.graph->input(fmt::format("{}[{}]", name, k)));
      array.elements.push_back(recording_.graph->ref(values.back()));
    }
    recording_.inputs.push_back(std::move(array));
    inputs_.push_back(values);
    return values;
  }

  void output(const std::string& name, const std::vector<Trace>& values) {
    Array array{name, {}};
    for (const Trace& value : values) array.elements.push_back(recording_.graph->ref(value));
    recording_.outputs.push_back(std::move(array));
  }

  std::vector<Trace> square() const {
    return std::vector<Trace>(static_cast<std::size_t>(model_.nv()) * static_cast<std::size_t>(model_.nv()));
  }

  void dynamics(Kernel kernel, std::string_view method);
  void derivatives(Kernel kernel);
  void kinematics(Kernel kernel);
  /// After dynamics(): gives its quantities their names.
  void name_quantities(Kernel kernel, std::string_view method) {
    const std::string_view used = resolve_method(method, quantity_of(kernel), model_).name;
    recording_.names = quantity_names(model_, kernel, used, inputs_);
  }

  Recording take() { return std::move(recording_); }

 private:
  const Model& model_;
  Recording recording_;
  std::vector<std::vector<Trace>> inputs_;
};

void Recorder::dynamics(Kernel kernel, std::string_view method) {
  const int nv = model_.nv();
  const std::vector<Trace> q = input("q", model_.nq());
  const std::unique_ptr<Method<Trace>> formulation = make_method<Trace>(method, quantity_of(kernel), model_);
  const bool is_matrix = kernel == Kernel::inertia_matrix || !is_unique(kernel);
  std::vector<Trace> result(static_cast<std::size_t>(nv)), matrix = is_matrix ? square() : std::vector<Trace>{};
  switch (kernel) {
    case Kernel::inertia_matrix: formulation->mass_matrix(q, {matrix.data(), nv, nv}); return output("M", matrix);
    case Kernel::coriolis_matrix:
      formulation->coriolis_matrix(q, input("v", nv), {matrix.data(), nv, nv});
      return output("C", matrix);
    case Kernel::convective_inertia:
      formulation->convective_inertia(q, input("v", nv), {matrix.data(), nv, nv});
      return output("MCI", matrix);
    case Kernel::inverse_dynamics: {
      const std::vector<Trace> v = input("v", nv);
      formulation->inverse_dynamics(q, v, input("a", nv), result);
      return output("tau", result);
    }
    case Kernel::gravity: formulation->gravity(q, result); return output("g", result);
    case Kernel::inverse_inertia: {
      const std::vector<Trace> rest(static_cast<std::size_t>(nv), Trace(0.0));
      formulation->forward_dynamics(q, rest, input("phi", nv), result);
      return output("a", result);
    }
    default: {
      const std::vector<Trace> v = input("v", nv);
      formulation->forward_dynamics(q, v, input("tau", nv), result);
      return output("a", result);
    }
  }
}

void Recorder::derivatives(Kernel kernel) {
  const int nv = model_.nv();
  const auto view = [&](std::vector<Trace>& m) { return MatrixView<Trace>{m.data(), nv, nv}; };
  const std::vector<Trace> q = input("q", model_.nq()), v = input("v", nv);
  std::vector<Trace> dq = square(), dv = square(), third = square();
  if (kernel == Kernel::inverse_derivatives) {
    newton_euler::DerivativeWorkspace<Trace> ws(model_);
    const std::vector<Trace> a = input("a", nv);
    newton_euler::inverse_derivatives<Trace>(model_, ws, q, v, a, view(dq), view(dv), view(third));
    output("dtau_dq", dq);
    return output("dtau_dv", dv);
  }
  articulated_body::DerivativeWorkspace<Trace> ws(model_);
  const std::vector<Trace> tau = input("tau", nv);
  std::vector<Trace> a(tau.size());
  articulated_body::forward_derivatives<Trace>(model_, ws, q, v, tau, a, view(dq), view(dv), view(third));
  output("a", a);
  output("da_dq", dq);
  output("da_dv", dv);
  output("da_dtau", third);
}

void Recorder::kinematics(Kernel kernel) {
  Kinematics<Trace> chain(model_);
  chain.update_positions(input("q", model_.nq()));
  if (kernel == Kernel::pose) {
    const Pose<Trace> tip = chain.pose(model_.tip());
    const Mat3<Trace>& R = tip.R;
    output("R", {R.xx, R.yx, R.zx, R.xy, R.yy, R.zy, R.xz, R.yz, R.zz});
    return output("p", {tip.p.x, tip.p.y, tip.p.z});
  }
  std::vector<Trace> J(6 * static_cast<std::size_t>(model_.nv()));
  chain.jacobian(model_.tip(), Reference::world_axes, {J.data(), 6, model_.nv()});
  output("J", J);
}

}  // namespace

std::string_view name_of(Kernel kernel) {
  for (const KernelName& row : names)
    if (row.kernel == kernel) return row.name;
  return "";
}

std::vector<std::string> kernel_words() {
  std::vector<std::string> words;
  words.reserve(std::size(names));
  for (const KernelName& row : names) words.emplace_back(row.name);
  return words;
}

Quantity quantity_of(Kernel kernel) {
  switch (kernel) {
    case Kernel::inertia_matrix: return Quantity::mass_matrix;
    case Kernel::coriolis_matrix: return Quantity::coriolis_matrix;
    case Kernel::convective_inertia: return Quantity::convective_inertia;
    case Kernel::inverse_dynamics: return Quantity::inverse_dynamics;
    case Kernel::gravity: return Quantity::gravity;
    default: return Quantity::forward_dynamics;
  }
}

bool is_unique(Kernel kernel) { return kernel != Kernel::coriolis_matrix && kernel != Kernel::convective_inertia; }

Kernel kernel_named(std::string_view name) {
  std::vector<std::string_view> known;
  for (const KernelName& row : names) {
    if (row.name == name) return row.kernel;
    known.push_back(row.name);
  }
  throw InputError(fmt::format("unknown quantity '{}'; known: {}", name, fmt::join(known, ", ")));
}

std::vector<Kernel> kernels_named(const std::string& list) {
  std::vector<Kernel> kernels;
  std::istringstream words(list);
  for (std::string word; std::getline(words, word, ',');) {
    const Kernel kernel = kernel_named(word);
    if (std::find(kernels.begin(), kernels.end(), kernel) != kernels.end())
      throw InputError(fmt::format("quantity '{}' is asked for twice", word));
    kernels.push_back(kernel);
  }
  if (kernels.empty()) throw InputError("no quantity is asked for; name some, as in id,fd");
  return kernels;
}

bool has_own_way(Kernel kernel) {
  return kernel == Kernel::pose || kernel == Kernel::jacobian || kernel == Kernel::inverse_derivatives ||
         kernel == Kernel::forward_derivatives;
}

std::vector<Ref> Recording::results() const {
  std::vector<Ref> all;
  for (const Array& array : outputs) all.insert(all.end(), array.elements.begin(), array.elements.end());
  return all;
}

bool can_record(const MethodInfo& method, Kernel kernel, const Model& model) {
  if (has_own_way(kernel)) return false;
  return method.can(quantity_of(kernel)) && method.refusal(model).empty();
}

void expect_recordable(const Model& model, Kernel kernel, std::string_view method) {
  resolve_method(method, quantity_of(kernel), model);
}

std::string cheapest_method(const Model& model, Kernel kernel) {
  std::string best;
  int least = 0;
  for (const MethodInfo& info : methods()) {
    if (!can_record(info, kernel, model)) continue;
    const std::optional<Recording> recording = record_if_small(model, kernel, info.name);
    if (!recording) continue;
    const int size = recording->counts().arithmetic();
    if (best.empty() || size < least) {
      best = info.name;
      least = size;
    }
  }
  if (best.empty())
    throw InputError(fmt::format("'{}' cannot be traced: no method gives '{}' for it within the limit of {} operations",
                                 model.name(), name_of(kernel), OpGraph::default_limit));
  return best;
}

std::optional<Recording> record_if_small(const Model& model, Kernel kernel, std::string_view method) {
  constexpr int most_degrees = 2000;  // some formulations hold matrices of that size
  if (model.nv() > most_degrees) return std::nullopt;
  try {
    if (kernel == Kernel::inverse_inertia) {
      const Model inertia_alone = with_inertia_alone(model);
      Recorder recorder(inertia_alone);
      recorder.dynamics(kernel, method);
      return simplified(recorder.take());
    }
    Recorder recorder(model);
    if (kernel == Kernel::inverse_derivatives || kernel == Kernel::forward_derivatives) {
      if (model.has_general_joints()) throw InputError(no_derivatives);
      recorder.derivatives(kernel);
    } else if (has_own_way(kernel)) {
      recorder.kinematics(kernel);
    } else {
      recorder.dynamics(kernel, method);
      recorder.name_quantities(kernel, method);
    }
    return simplified(recorder.take());
  } catch (const std::length_error&) {
    return std::nullopt;
  }
}

Recording record(const Model& model, Kernel kernel, std::string_view method) {
  if (std::optional<Recording> recording = record_if_small(model, kernel, method)) return std::move(*recording);
  throw InputError(fmt::format("'{}' cannot be traced: it needs more than {} operations, which is the limit",
                               model.name(), OpGraph::default_limit));
}

}  // namespace ulna::trace
