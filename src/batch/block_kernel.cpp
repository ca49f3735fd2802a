#include "block_kernel.hpp"

#include <array>
#include <stdexcept>
#include <utility>

#include "trace/call_arrays.hpp"
#include "ulna/base/error.hpp"
#include "ulna/dynamics/articulated_body/derivatives.hpp"
#include "ulna/dynamics/method.hpp"
#include "ulna/kinematics/kinematics.hpp"

namespace ulna::batch {

namespace {

KernelShape shape_of(const Model& model, Quantity quantity) {
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
    case Quantity::pose: return {{q}, {{"R", 9}, {"p", 3}}};
    case Quantity::jacobian: return {{q}, {{"J", 6 * nv}}};
    case Quantity::inverse_inertia: break;
  }
  throw std::logic_error("not a quantity of batches");
}

}  // namespace

KernelShape shape_of(const Model& model, const Task& task) {
  const ArrayShape q{"q", model.nq()}, v{"v", model.nv()};
  switch (task.kind) {
    case Task::Kind::quantity: return shape_of(model, task.quantity);
    case Task::Kind::with_wrenches: {
      KernelShape shape = shape_of(model, task.quantity);
      shape.inputs.push_back({"the list of wrenches", 6 * model.body_count()});
      return shape;
    }
    case Task::Kind::pose_matrix: return {{q}, {{"T", 16}}};
    case Task::Kind::velocity: return {{q, v}, {{"the velocity", 6}}};
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
  MethodKernel(const Model& model, const Task& task, const std::string& method)
      : BlockKernel<T>(shape_of(model, task)),
        model_(model),
        quantity_(task.quantity),
        method_(make_method<T>(method, task.quantity, model)),
        wrenches_(task.kind == Task::Kind::with_wrenches ? model.bodies().size() : 0, Force<T>::zero()) {}

  void evaluate() override {
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

template <Real T>
class InverseDerivatives final : public BlockKernel<T> {
 public:
  explicit InverseDerivatives(const Model& model)
      : BlockKernel<T>(shape_of(model, Quantity::inverse_derivatives)),
        model_(model),
        workspace_(model),
        inertia_(this->outputs[0].size(), T(0.0)) {}

  void evaluate() override {
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
      : BlockKernel<T>(shape_of(model, Quantity::forward_derivatives)), model_(model), workspace_(model) {}

  void evaluate() override {
    const auto& in = this->inputs;
    auto& out = this->outputs;
    articulated_body::forward_derivatives(model_, workspace_, in[0], in[1], in[2], out[0], square_view(model_, out[1]),
                                          square_view(model_, out[2]), square_view(model_, out[3]));
  }

 private:
  const Model& model_;
  articulated_body::DerivativeWorkspace<T> workspace_;
};

/// Of a frame, and what sums over the bodies.
template <Real T>
class KinematicsKernel final : public BlockKernel<T> {
 public:
  KinematicsKernel(const Model& model, const Task& task, const BatchOptions& options)
      : BlockKernel<T>(shape_of(model, task)),
        task_(task),
        frame_(options.frame ? *options.frame : model.tip()),
        reference_(options.reference),
        columns_(model.nv()),
        kinematics_(model) {}

  void evaluate() override {
    const auto& in = this->inputs;
    auto& out = this->outputs;
    kinematics_.update_positions(in[0]);
    if (in.size() > 1) kinematics_.update_velocities(in[1]);
    switch (task_.kind) {
      case Task::Kind::pose_matrix: return write_matrix(out[0]);
      case Task::Kind::velocity: return write_velocity(out[0]);
      case Task::Kind::com: return kinematics_.com().store(out[0].data());
      case Task::Kind::potential_energy:
        out[0][0] = kinematics_.gravity_energy() + kinematics_.spring_energy(in[0]);
        return;
      case Task::Kind::kinetic_energy: out[0][0] = kinematics_.kinetic_energy(in[1]); return;
      case Task::Kind::momentum: return write_momentum(out[0]);
      default: break;
    }
    if (task_.quantity == Quantity::pose) return write_pose(out[0], out[1]);
    kinematics_.jacobian(frame_, reference_, {out[0].data(), 6, columns_});
  }

 private:
  void write_pose(std::vector<T>& rotation, std::vector<T>& position) {
    const Pose<T> pose = kinematics_.pose(frame_);
    for (std::size_t k = 0; k < 3; ++k) column(pose.R, k).store(&rotation[3 * k]);
    pose.p.store(position.data());
  }

  void write_matrix(std::vector<T>& matrix) {
    const Pose<T> pose = kinematics_.pose(frame_);
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

  void write_velocity(std::vector<T>& velocity) {
    const Motion<T> motion = kinematics_.velocity(frame_, reference_);
    motion.angular.store(velocity.data());
    motion.linear.store(&velocity[3]);
  }

  static Vec3<T> column(const Mat3<T>& R, std::size_t k) {
    return k == 0 ? R.column_x() : k == 1 ? R.column_y() : R.column_z();
  }

  Task task_;
  Frame frame_;
  Reference reference_;
  int columns_;
  Kinematics<T> kinematics_;
};

template <Real T>
class CompiledKernel final : public BlockKernel<T> {
 public:
  CompiledKernel(const KernelShape& shape, const trace::LoadedKernel& loaded)
      : BlockKernel<T>(shape), object_(loaded.object), function_(loaded.function) {
    for (auto* arrays : {&this->inputs, &this->outputs})
      for (std::vector<T>& array : *arrays) arguments_.push_back(array.data());
    call_ = trace::call_of_arrays<T>(arguments_.size());
  }

  void evaluate() override { call_(function_, arguments_.data()); }

 private:
  trace::ArrayCall<T> call_ = nullptr;
  std::shared_ptr<trace::SharedObject> object_;
  void* function_;
  std::vector<T*> arguments_;
};

}  // namespace

template <Real T>
std::unique_ptr<BlockKernel<T>> make_generic_kernel(const Model& model, const Task& task, const BatchOptions& options) {
  if (task.kind != Task::Kind::quantity && task.kind != Task::Kind::with_wrenches)
    return std::make_unique<KinematicsKernel<T>>(model, task, options);
  switch (task.quantity) {
    case Quantity::inverse_derivatives: return std::make_unique<InverseDerivatives<T>>(model);
    case Quantity::forward_derivatives: return std::make_unique<ForwardDerivatives<T>>(model);
    case Quantity::pose:
    case Quantity::jacobian: return std::make_unique<KinematicsKernel<T>>(model, task, options);
    default: return std::make_unique<MethodKernel<T>>(model, task, options.method);
  }
}

template <Real T>
std::unique_ptr<BlockKernel<T>> make_compiled_kernel(const Model& model, Quantity quantity,
                                                     const trace::LoadedKernel& loaded) {
  return std::make_unique<CompiledKernel<T>>(shape_of(model, quantity), loaded);
}

#define ULNA_BLOCK_KERNELS(T)                                                                                      \
  template std::unique_ptr<BlockKernel<T>> make_generic_kernel<T>(const Model&, const Task&, const BatchOptions&); \
  template std::unique_ptr<BlockKernel<T>> make_compiled_kernel<T>(const Model&, Quantity, const trace::LoadedKernel&);
ULNA_BLOCK_KERNELS(DoubleLanes)
ULNA_BLOCK_KERNELS(FloatLanes)

}  // namespace ulna::batch
