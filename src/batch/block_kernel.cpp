#include "block_kernel.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <stdexcept>
#include <utility>

#include "trace/call_arrays.hpp"
#include "ulna/base/error.hpp"
#include "ulna/dynamics/articulated_body/derivatives.hpp"
#include "ulna/dynamics/method.hpp"
#include "ulna/kinematics/kinematics.hpp"
#include "ulna/real/lanes.hpp"
#include "ulna/trace/generate.hpp"

namespace ulna::batch {

namespace {

constexpr int payload_numbers = 10;

KernelShape shape_of(const Model& model, Quantity quantity, int frames) {
  const int nv = model.nv(), square = nv * nv;
  const ArrayShape q{"q", model.nq()}, v{"v", nv}, a{"a", nv}, tau{"tau", nv};
  switch (quantity) {
    case Quantity::mass_matrix: return {{q}, {{"M", square}}};
    case Quantity::inverse_mass_matrix: return {{q}, {{"the inverse", square}}};
    case Quantity::coriolis_matrix: return {{q, v}, {{"C", square}}};
    case Quantity::convective_inertia: return {{q, v}, {{"MCI", square}}};
    case Quantity::inverse_dynamics: return {{q, v, a}, {tau}};
    case Quantity::forward_dynamics: return {{q, v, tau}, {a}};
    case Quantity::gravity: return {{q}, {{"g", nv}}};
    case Quantity::inverse_derivatives: return {{q, v, a}, {{"dq", square}, {"dv", square}}};
    case Quantity::forward_derivatives: return {{q, v, tau}, {a, {"dq", square}, {"dv", square}, {"dtau", square}}};
    case Quantity::pose: return {{q}, {{"R", 9 * frames}, {"p", 3 * frames}}};
    case Quantity::jacobian: return {{q}, {{"J", 6 * nv * frames}}};
    case Quantity::inverse_inertia: break;
  }
  throw std::logic_error("not a quantity of batches");
}

}  // namespace

std::vector<Frame> frames_of(const Model& model, const BatchOptions& options) {
  return options.frames.empty() ? std::vector{model.tip()} : options.frames;
}

KernelShape shape_of(const Model& model, const Task& task, const BatchOptions& options) {
  const ArrayShape q{"q", model.nq()}, v{"v", model.nv()};
  const auto frames = static_cast<int>(frames_of(model, options).size());
  switch (task.kind) {
    case Task::Kind::quantity: {
      KernelShape shape = shape_of(model, task.quantity, frames);
      if (task.wrenches) shape.inputs.push_back({"the list of wrenches", 6 * model.body_count()});
      if (task.payload) shape.inputs.push_back({"the payload", payload_numbers});
      return shape;
    }
    case Task::Kind::pose_matrix: return {{q}, {{"T", 16 * frames}}};
    case Task::Kind::velocity: return {{q, v}, {{"the velocity", 6 * frames}}};
    case Task::Kind::com: return {{q}, {{"the mass centre", 3}}};
    case Task::Kind::potential_energy: return {{q}, {{"the energy", 1}}};
    case Task::Kind::kinetic_energy: return {{q, v}, {{"the energy", 1}}};
    case Task::Kind::momentum: return {{q, v}, {{"the momentum", 6}}};
  }
  throw std::logic_error("a task without a shape");
}

namespace {

template <Real T>
MatrixView<T> square_view(const Model& model, std::vector<T>& m) {
  return {m.data(), model.nv(), model.nv()};
}

/// What a formulation of the registry gives.
template <Real T>
class MethodKernel final : public BlockKernel<T> {
 public:
  MethodKernel(const Model& model, const Task& task, const BatchOptions& options)
      : BlockKernel<T>(shape_of(model, task, options)),
        model_(model),
        quantity_(task.quantity),
        method_(make_method<T>(options.method, task.quantity, model)),
        wrenches_(task.wrenches ? model.bodies().size() : 0, Force<T>::zero()) {}

  void evaluate(std::size_t /*packs*/) override {
    const auto& in = this->inputs;
    auto& out = this->outputs[0];
    switch (quantity_) {
      case Quantity::mass_matrix: return method_->mass_matrix(in[0], square_view(model_, out));
      case Quantity::inverse_mass_matrix: return method_->inverse_mass_matrix(in[0], square_view(model_, out));
      case Quantity::coriolis_matrix: return method_->coriolis_matrix(in[0], in[1], square_view(model_, out));
      case Quantity::convective_inertia: return method_->convective_inertia(in[0], in[1], square_view(model_, out));
      case Quantity::inverse_dynamics: return method_->inverse_dynamics(in[0], in[1], in[2], out, wrenches());
      case Quantity::gravity: return method_->gravity(in[0], out);
      default: return method_->forward_dynamics(in[0], in[1], in[2], out, wrenches());
    }
  }

 private:
  Wrenches<T> wrenches() {
    for (std::size_t body = 0; body < wrenches_.size(); ++body) {
      const T* given = &this->inputs.back()[6 * body];
      wrenches_[body] = {Vec3<T>::load(given), Vec3<T>::load(given + 3)};
    }
    return wrenches_;
  }

  const Model& model_;
  Quantity quantity_;
  std::unique_ptr<Method<T>> method_;
  std::vector<Force<T>> wrenches_;  // by body, or none
};

/// States with payloads of their own, one after the other: the robot is another for each.
template <Real T>
class PayloadKernel final : public BlockKernel<T> {
 public:
  PayloadKernel(const Model& model, const Task& task, const BatchOptions& options)
      : BlockKernel<T>(shape_of(model, task, options)),
        task_(task),
        frame_(*options.payload),
        bare_(without_payload(model, frame_)),
        loaded_(bare_),
        method_(make_method<double>(options.method, task.quantity, loaded_)),
        chain_(bare_),
        wrenches_(task.wrenches ? model.bodies().size() : 0, Force<double>::zero()),
        result_(this->outputs[0].size()) {
    for (const std::vector<T>& array : this->inputs) state_.emplace_back(array.size());
  }

  void evaluate(std::size_t /*packs*/) override {
    for (int lane = 0; lane < Lanes<T>::count; ++lane) {
      for (std::size_t k = 0; k < state_.size(); ++k)
        for (std::size_t i = 0; i < state_[k].size(); ++i) state_[k][i] = Lanes<T>::get(this->inputs[k][i], lane);
      const std::vector<double>& x = state_.back();
      const bool good = x[0] >= 0.0 && std::ranges::all_of(x, [](double number) { return std::isfinite(number); });
      if (good) {
        loaded_.set_payload(frame_, {x[0], {x[1], x[2], x[3]}, {x[4], x[5], x[6], x[7], x[8], x[9]}});
        evaluate_one();
      } else {
        std::ranges::fill(result_, std::numeric_limits<double>::quiet_NaN());
      }
      for (std::size_t i = 0; i < result_.size(); ++i) Lanes<T>::set(this->outputs[0][i], lane, result_[i]);
    }
  }

 private:
  static Model without_payload(Model model, const Frame& frame) {
    model.set_payload(frame, {});
    return model;
  }

  void evaluate_one() {
    switch (task_.quantity) {
      case Quantity::mass_matrix: return method_->mass_matrix(state_[0], square_view(loaded_, result_));
      case Quantity::gravity: return method_->gravity(state_[0], result_);
      case Quantity::inverse_dynamics:
        return method_->inverse_dynamics(state_[0], state_[1], state_[2], result_, wrenches());
      default: return method_->forward_dynamics(state_[0], state_[1], state_[2], result_, wrenches());
    }
  }

  Wrenches<double> wrenches() {
    if (wrenches_.empty()) return {};
    for (std::size_t body = 0; body < wrenches_.size(); ++body) {
      const double* given = &state_[3][6 * body];
      wrenches_[body] = {Vec3<double>::load(given), Vec3<double>::load(given + 3)};
    }
    chain_.update_positions(state_[0]);
    trace::move_wrenches(bare_, loaded_, chain_, wrenches_);
    return wrenches_;
  }

  Task task_;
  Frame frame_;
  Model bare_, loaded_;
  std::unique_ptr<Method<double>> method_;
  Kinematics<double> chain_;
  std::vector<std::vector<double>> state_;
  std::vector<Force<double>> wrenches_;
  std::vector<double> result_;
};

template <Real T>
class InverseDerivatives final : public BlockKernel<T> {
 public:
  explicit InverseDerivatives(const Model& model)
      : BlockKernel<T>(shape_of(model, Quantity::inverse_derivatives, 0)),
        model_(model),
        workspace_(model),
        inertia_(this->outputs[0].size(), T(0.0)) {}

  void evaluate(std::size_t /*packs*/) override {
    const auto& in = this->inputs;
    newton_euler::inverse_derivatives(model_, workspace_, in[0], in[1], in[2], square_view(model_, this->outputs[0]),
                                      square_view(model_, this->outputs[1]), square_view(model_, inertia_));
  }

 private:
  const Model& model_;
  newton_euler::DerivativeWorkspace<T> workspace_;
  std::vector<T> inertia_;  // comes with them
};

template <Real T>
class ForwardDerivatives final : public BlockKernel<T> {
 public:
  explicit ForwardDerivatives(const Model& model)
      : BlockKernel<T>(shape_of(model, Quantity::forward_derivatives, 0)), model_(model), workspace_(model) {}

  void evaluate(std::size_t /*packs*/) override {
    const auto& in = this->inputs;
    auto& out = this->outputs;
    articulated_body::forward_derivatives(model_, workspace_, in[0], in[1], in[2], out[0], square_view(model_, out[1]),
                                          square_view(model_, out[2]), square_view(model_, out[3]));
  }

 private:
  const Model& model_;
  articulated_body::DerivativeWorkspace<T> workspace_;
};

/// Of frames, and what sums over the bodies.
template <Real T>
class KinematicsKernel final : public BlockKernel<T> {
 public:
  KinematicsKernel(const Model& model, const Task& task, const BatchOptions& options)
      : BlockKernel<T>(shape_of(model, task, options)),
        task_(task),
        frames_(frames_of(model, options)),
        reference_(options.reference),
        columns_(model.nv()),
        kinematics_(model) {}

  void evaluate(std::size_t /*packs*/) override {
    const auto& in = this->inputs;
    auto& out = this->outputs;
    kinematics_.update_positions(in[0]);
    if (in.size() > 1) kinematics_.update_velocities(in[1]);
    switch (task_.kind) {
      case Task::Kind::com: return kinematics_.com().store(out[0].data());
      case Task::Kind::potential_energy:
        out[0][0] = kinematics_.gravity_energy() + kinematics_.spring_energy(in[0]);
        return;
      case Task::Kind::kinetic_energy: out[0][0] = kinematics_.kinetic_energy(in[1]); return;
      case Task::Kind::momentum: return write_momentum(out[0]);
      default: break;
    }
    for (std::size_t k = 0; k < frames_.size(); ++k) write_frame(frames_[k], k);
  }

 private:
  /// Frame number k into its part of the results.
  void write_frame(const Frame& frame, std::size_t k) {
    auto& out = this->outputs;
    T* first = &out[0][out[0].size() / frames_.size() * k];
    if (task_.kind == Task::Kind::pose_matrix) return write_matrix(kinematics_.pose(frame), first);
    if (task_.kind == Task::Kind::velocity) return write_velocity(kinematics_.velocity(frame, reference_), first);
    if (task_.quantity == Quantity::pose) return write_pose(kinematics_.pose(frame), first, &out[1][3 * k]);
    kinematics_.jacobian(frame, reference_, {first, 6, columns_});
  }

  static void write_pose(const Pose<T>& pose, T* rotation, T* position) {
    for (std::size_t k = 0; k < 3; ++k) column(pose.R, k).store(&rotation[3 * k]);
    pose.p.store(position);
  }

  static void write_matrix(const Pose<T>& pose, T* matrix) {
    for (std::size_t k = 0; k < 4; ++k) {
      (k < 3 ? column(pose.R, k) : pose.p).store(&matrix[4 * k]);
      matrix[4 * k + 3] = T(k < 3 ? 0.0 : 1.0);
    }
  }

  void write_momentum(std::vector<T>& momentum) {
    const Force<T> sum = kinematics_.momentum();
    sum.moment.store(momentum.data());
    sum.force.store(&momentum[3]);
  }

  static void write_velocity(const Motion<T>& motion, T* velocity) {
    motion.angular.store(velocity);
    motion.linear.store(velocity + 3);
  }

  static Vec3<T> column(const Mat3<T>& R, std::size_t k) {
    return k == 0 ? R.column_x() : k == 1 ? R.column_y() : R.column_z();
  }

  Task task_;
  std::vector<Frame> frames_;
  Reference reference_;
  int columns_;
  Kinematics<T> kinematics_;
};

/// As many packs as stay in the core's first cache with what is computed of them: each array is laid out in one call,
/// and the kernel's calls follow one another.
template <Real T>
std::size_t packs_of(const KernelShape& shape) {
  constexpr std::size_t most = 8, most_bytes = 16384;
  std::size_t bytes = 1;  // of a robot that cannot move
  for (const auto* arrays : {&shape.inputs, &shape.outputs})
    for (const ArrayShape& array : *arrays) bytes += static_cast<std::size_t>(array.rows) * sizeof(T);
  return std::clamp<std::size_t>(most_bytes / bytes, 1, most);
}

template <Real T>
class CompiledKernel final : public BlockKernel<T> {
 public:
  CompiledKernel(const KernelShape& shape, bool payload, const trace::LoadedKernel& loaded)
      : BlockKernel<T>(shape, packs_of<T>(shape)),
        object_(loaded.object),
        function_(loaded.function),
        payload_(payload) {
    for (auto* arrays : {&this->inputs, &this->outputs})
      for (std::vector<T>& array : *arrays) arrays_.push_back(array);
    arguments_.resize(arrays_.size());
    call_ = trace::call_of_arrays<T>(arguments_.size());
  }

  void evaluate(std::size_t packs) override {
    for (std::size_t pack = 0; pack < packs; ++pack) {
      for (std::size_t k = 0; k < arrays_.size(); ++k) arguments_[k] = arrays_[k].data() + rows(k) * pack;
      if (payload_)
        evaluate_loaded();
      else
        call_(function_, arguments_.data());
    }
  }

 private:
  /// Numbers of one pack.
  std::size_t rows(std::size_t array) const { return arrays_[array].size() / this->most_packs; }

  void evaluate_loaded() {
    const std::size_t first_result = this->inputs.size();
    const T one = to_code(arguments_[first_result - 1]);
    call_(function_, arguments_.data());
    for (std::size_t k = first_result; k < arrays_.size(); ++k)
      for (T& x : std::span(arguments_[k], rows(k))) x = x * one;
  }

  /// From a mass, its centre and the inertia about it to the numbers that code takes. 1, or NaN where no body has them.
  static T to_code(T* x) {
    T one = select(x[0] < T(0.0), T(std::numeric_limits<double>::quiet_NaN()), T(1.0));
    for (int k = 0; k < payload_numbers; ++k) one = one + T(0.0) * x[k];
    const auto [m, h, I] =
        RigidInertia<T>::from_centre(x[0], Vec3<T>::load(x + 1), {x[4], x[5], x[6], x[7], x[8], x[9]});
    const std::array<T, payload_numbers> numbers{m, h.x, h.y, h.z, I.xx, I.yy, I.zz, I.xy, I.xz, I.yz};
    std::copy(numbers.begin(), numbers.end(), x);
    return one;
  }

  trace::ArrayCall<T> call_ = nullptr;
  std::shared_ptr<trace::SharedObject> object_;
  void* function_;
  bool payload_;                      // is the last input
  std::vector<std::span<T>> arrays_;  // inputs and outputs
  std::vector<T*> arguments_;         // of one pack
};

}  // namespace

template <Real T>
std::unique_ptr<BlockKernel<T>> make_generic_kernel(const Model& model, const Task& task, const BatchOptions& options) {
  if (task.kind != Task::Kind::quantity) return std::make_unique<KinematicsKernel<T>>(model, task, options);
  if (task.payload) return std::make_unique<PayloadKernel<T>>(model, task, options);
  switch (task.quantity) {
    case Quantity::inverse_derivatives: return std::make_unique<InverseDerivatives<T>>(model);
    case Quantity::forward_derivatives: return std::make_unique<ForwardDerivatives<T>>(model);
    case Quantity::pose:
    case Quantity::jacobian: return std::make_unique<KinematicsKernel<T>>(model, task, options);
    default: return std::make_unique<MethodKernel<T>>(model, task, options);
  }
}

template <Real T>
std::unique_ptr<BlockKernel<T>> make_compiled_kernel(const Model& model, const Task& task, const BatchOptions& options,
                                                     const trace::LoadedKernel& loaded) {
  return std::make_unique<CompiledKernel<T>>(shape_of(model, task, options), task.payload, loaded);
}

#define ULNA_BLOCK_KERNELS(T)                                                                                      \
  template std::unique_ptr<BlockKernel<T>> make_generic_kernel<T>(const Model&, const Task&, const BatchOptions&); \
  template std::unique_ptr<BlockKernel<T>> make_compiled_kernel<T>(const Model&, const Task&, const BatchOptions&, \
                                                                   const trace::LoadedKernel&);
ULNA_BLOCK_KERNELS(DoubleLanes)
ULNA_BLOCK_KERNELS(FloatLanes)

}  // namespace ulna::batch
