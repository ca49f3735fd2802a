#include <fmt/format.h>

#include "impedance.hpp"
#include "reference_state.hpp"
#include "ulna/base/error.hpp"

namespace ulna {

namespace {

void expect_list(const std::vector<double>& list, std::size_t wanted, const char* what) {
  if (list.size() != wanted)
    throw InputError(fmt::format("{} has {} numbers, this robot wants {}", what, list.size(), wanted));
}

void expect_reference(const ReferencePointer& reference, const Model& model) {
  if (reference == nullptr) throw InputError("this drive needs a reference motion");
  if (reference->size() != static_cast<std::size_t>(model.nv()))
    throw InputError(fmt::format("the reference motion has {} numbers per time, this robot wants {}", reference->size(),
                                 model.nv()));
}

/// Inverse dynamics along a reference needs one for every degree of freedom.
void expect_all_driven(const Model& model, const char* what) {
  if (std::any_of(model.joints().begin(), model.joints().end(),
                  [](const JointInfo& joint) { return has_quaternion(joint.kind); }))
    throw InputError(fmt::format(
        "{} needs a drive in every joint; free and spherical joints have none: use pd for the others", what));
}

template <Real T>
class Free final : public Drive<T> {
 public:
  void add(const T&, std::span<const T>, std::span<const T>, std::span<T>) override {}
};

template <Real T>
class Constant final : public Drive<T> {
 public:
  explicit Constant(const ConstantDrive& spec) : torque_(in_all_lanes<T>(spec.torque)) {}
  void set(int lane, const DriveSpec& spec) override { set_lane(torque_, lane, std::get<ConstantDrive>(spec).torque); }
  void add(const T&, std::span<const T>, std::span<const T>, std::span<T> tau) override {
    for (std::size_t k = 0; k < tau.size(); ++k) tau[k] += torque_[k];
  }

 private:
  std::vector<T> torque_;
};

template <Real T>
class TorqueSpline final : public Drive<T> {
 public:
  explicit TorqueSpline(const SplineDrive& spec) : row_(spec.torque->width()) { splines_.fill(spec.torque); }
  void set(int lane, const DriveSpec& spec) override {
    splines_[static_cast<std::size_t>(lane)] = std::get<SplineDrive>(spec).torque;
  }
  void add(const T& t, std::span<const T>, std::span<const T>, std::span<T> tau) override {
    for (int lane = 0; lane < Lanes<T>::count; ++lane) {
      const CubicSpline& spline = *splines_[static_cast<std::size_t>(lane)];
      const double time = Lanes<T>::get(t, lane);
      spline.at(time, spline.piece(time), row_, {}, {});
      for (std::size_t k = 0; k < tau.size(); ++k) Lanes<T>::set(tau[k], lane, Lanes<T>::get(tau[k], lane) + row_[k]);
    }
  }

 private:
  std::array<std::shared_ptr<const CubicSpline>, static_cast<std::size_t>(Lanes<T>::count)> splines_;
  std::vector<double> row_;
};

template <Real T>
class Playback final : public Drive<T> {
 public:
  Playback(const PlaybackDrive& spec, const Model& model)
      : reference_(spec.reference, static_cast<std::size_t>(model.nv())),
        inverse_(make_method<OfTime<T>>("auto", Quantity::inverse_dynamics, model)),
        torque_(static_cast<std::size_t>(model.nv())) {}
  void set(int lane, const DriveSpec& spec) override { reference_.set(lane, std::get<PlaybackDrive>(spec).reference); }
  void enter(int lane, double from, double until) override { reference_.enter(lane, from, until); }
  void add(const T& t, std::span<const T>, std::span<const T>, std::span<T> tau) override {
    reference_.update(time_of(t));
    inverse_->inverse_dynamics(reference_.q(), reference_.v(), reference_.a(), torque_);
    for (std::size_t k = 0; k < tau.size(); ++k) tau[k] += T(torque_[k]);
  }

 private:
  ReferenceState<OfTime<T>> reference_;
  std::unique_ptr<Method<OfTime<T>>> inverse_;
  std::vector<OfTime<T>> torque_;
};

template <Real T>
class Pd final : public Drive<T> {
 public:
  Pd(const PdDrive& spec, const Model& model)
      : reference_(spec.reference, static_cast<std::size_t>(model.nv())),
        kp_(in_all_lanes<T>(spec.kp)),
        kd_(in_all_lanes<T>(spec.kd)),
        q_of_v_(model.q_of_v()),
        weight_(static_cast<std::size_t>(model.nv()), T(0.0)) {
    if (spec.gravity) gravity_ = make_method<T>("auto", Quantity::gravity, model);
  }
  void set(int lane, const DriveSpec& spec) override {
    const auto& own = std::get<PdDrive>(spec);
    reference_.set(lane, own.reference);
    set_lane(kp_, lane, own.kp);
    set_lane(kd_, lane, own.kd);
  }
  void enter(int lane, double from, double until) override { reference_.enter(lane, from, until); }
  void add(const T& t, std::span<const T> q, std::span<const T> v, std::span<T> tau) override {
    reference_.update(t);
    if (gravity_) gravity_->gravity(q, weight_);
    for (std::size_t k = 0; k < tau.size(); ++k) {
      if (q_of_v_[k] < 0) continue;  // no drive in free and spherical joints
      const T position = reference_.q()[k] - q[static_cast<std::size_t>(q_of_v_[k])];
      tau[k] += kp_[k] * position + kd_[k] * (reference_.v()[k] - v[k]) + weight_[k];
    }
  }

 private:
  ReferenceState<T> reference_;
  std::vector<T> kp_, kd_;
  std::span<const int> q_of_v_;
  std::unique_ptr<Method<T>> gravity_;
  std::vector<T> weight_;
};

template <Real T>
class ComputedTorque final : public Drive<T> {
 public:
  ComputedTorque(const ComputedTorqueDrive& spec, const Model& model)
      : reference_(spec.reference, static_cast<std::size_t>(model.nv())),
        kp_(in_all_lanes<T>(spec.kp)),
        kd_(in_all_lanes<T>(spec.kd)),
        inverse_(make_method<T>("auto", Quantity::inverse_dynamics, model)),
        wanted_(kp_.size()),
        torque_(kp_.size()) {}
  void set(int lane, const DriveSpec& spec) override {
    const auto& own = std::get<ComputedTorqueDrive>(spec);
    reference_.set(lane, own.reference);
    set_lane(kp_, lane, own.kp);
    set_lane(kd_, lane, own.kd);
  }
  void enter(int lane, double from, double until) override { reference_.enter(lane, from, until); }
  void add(const T& t, std::span<const T> q, std::span<const T> v, std::span<T> tau) override {
    reference_.update(t);
    for (std::size_t k = 0; k < tau.size(); ++k)
      wanted_[k] = reference_.a()[k] + kd_[k] * (reference_.v()[k] - v[k]) + kp_[k] * (reference_.q()[k] - q[k]);
    inverse_->inverse_dynamics(q, v, wanted_, torque_);
    for (std::size_t k = 0; k < tau.size(); ++k) tau[k] += torque_[k];
  }

 private:
  ReferenceState<T> reference_;
  std::vector<T> kp_, kd_;
  std::unique_ptr<Method<T>> inverse_;
  std::vector<T> wanted_, torque_;
};

template <Real T>
class StateFeedback final : public Drive<T> {
 public:
  StateFeedback(const StateFeedbackDrive& spec, const Model& model)
      : playback_({spec.reference}, model),
        reference_(spec.reference, static_cast<std::size_t>(model.nv())),
        gains_(in_all_lanes<T>(spec.gains)) {}
  void set(int lane, const DriveSpec& spec) override {
    const auto& own = std::get<StateFeedbackDrive>(spec);
    playback_.set(lane, PlaybackDrive{own.reference});
    reference_.set(lane, own.reference);
    set_lane(gains_, lane, own.gains);
  }
  void enter(int lane, double from, double until) override {
    playback_.enter(lane, from, until);
    reference_.enter(lane, from, until);
  }
  void add(const T& t, std::span<const T> q, std::span<const T> v, std::span<T> tau) override {
    playback_.add(t, q, v, tau);
    reference_.update(t);
    const std::size_t n = tau.size();
    for (std::size_t k = 0; k < n; ++k) {
      const T position = reference_.q()[k] - q[k], velocity = reference_.v()[k] - v[k];
      for (std::size_t i = 0; i < n; ++i) tau[i] += gains_[k * n + i] * position + gains_[(n + k) * n + i] * velocity;
    }
  }

 private:
  Playback<T> playback_;
  ReferenceState<T> reference_;
  std::vector<T> gains_;
};

class User final : public Drive<double> {
 public:
  explicit User(UserDrive::Function function) : function_(std::move(function)) {}
  void add(const double& t, std::span<const double> q, std::span<const double> v, std::span<double> tau) override {
    function_(t, q, v, tau);
  }

 private:
  UserDrive::Function function_;
};

/// Whether the numbers fit the robot.
struct Checker {
  const Model& model;
  std::size_t n = static_cast<std::size_t>(model.nv());

  void operator()(const FreeDrive&) const {}
  void operator()(const UserDrive& spec) const {
    if (!spec.function) throw InputError("a drive of your own needs a function");
  }
  void operator()(const ConstantDrive& spec) const { expect_list(spec.torque, n, "the constant torque"); }
  void operator()(const SplineDrive& spec) const {
    if (spec.torque == nullptr) throw InputError("a drive by a torque table needs the table");
    if (spec.torque->width() != n)
      throw InputError(
          fmt::format("the torque table has {} columns after t, this robot wants {}", spec.torque->width(), n));
  }
  void operator()(const PlaybackDrive& spec) const {
    expect_all_driven(model, "playback of inverse dynamics");
    expect_reference(spec.reference, model);
  }
  void operator()(const PdDrive& spec) const {
    expect_reference(spec.reference, model);
    expect_gains(spec.kp, spec.kd);
  }
  void operator()(const ComputedTorqueDrive& spec) const {
    expect_all_driven(model, "computed torque");
    expect_reference(spec.reference, model);
    expect_gains(spec.kp, spec.kd);
  }
  void operator()(const StateFeedbackDrive& spec) const {
    expect_all_driven(model, "state feedback");
    expect_reference(spec.reference, model);
    expect_list(spec.gains, 2 * n * n, "the matrix of gains");
  }
  void operator()(const ImpedanceDrive& spec) const {
    expect_all_driven(model, "impedance");
    expect_reference(spec.reference, model);
    expect_gains(spec.kp, spec.kd);
  }

 private:
  void expect_gains(const std::vector<double>& kp, const std::vector<double>& kd) const {
    expect_list(kp, n, "kp");
    expect_list(kd, n, "kd");
  }
};

template <Real T>
struct Maker {
  const Model& model;
  using Result = std::unique_ptr<Drive<T>>;

  Result operator()(const FreeDrive&) const { return std::make_unique<Free<T>>(); }
  Result operator()(const ConstantDrive& spec) const { return std::make_unique<Constant<T>>(spec); }
  Result operator()(const SplineDrive& spec) const { return std::make_unique<TorqueSpline<T>>(spec); }
  Result operator()(const PlaybackDrive& spec) const { return std::make_unique<Playback<T>>(spec, model); }
  Result operator()(const PdDrive& spec) const { return std::make_unique<Pd<T>>(spec, model); }
  Result operator()(const ComputedTorqueDrive& spec) const { return std::make_unique<ComputedTorque<T>>(spec, model); }
  Result operator()(const StateFeedbackDrive& spec) const { return std::make_unique<StateFeedback<T>>(spec, model); }
  Result operator()(const ImpedanceDrive& spec) const { return std::make_unique<Impedance<T>>(spec, model); }
  Result operator()(const UserDrive& spec) const {
    if constexpr (std::is_same_v<T, double>) return std::make_unique<User>(spec.function);
    return nullptr;
  }
};

}  // namespace

ReferencePointer reference_of(const DriveSpec& spec) {
  return std::visit(
      [](const auto& drive) -> ReferencePointer {
        if constexpr (requires { drive.reference; }) return drive.reference;
        return nullptr;
      },
      spec);
}

void expect_drive(const DriveSpec& spec, const Model& model) { std::visit(Checker{model}, spec); }

template <Real T>
std::unique_ptr<Drive<T>> make_drive(const DriveSpec& spec, const Model& model) {
  expect_drive(spec, model);
  return std::visit(Maker<T>{model}, spec);
}

template std::unique_ptr<Drive<double>> make_drive<double>(const DriveSpec&, const Model&);
template std::unique_ptr<Drive<Dual4>> make_drive<Dual4>(const DriveSpec&, const Model&);
template std::unique_ptr<Drive<PackDouble>> make_drive<PackDouble>(const DriveSpec&, const Model&);

}  // namespace ulna
