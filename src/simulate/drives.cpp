#include <fmt/format.h>

#include <array>
#include <cmath>

#include "ulna/base/error.hpp"
#include "ulna/real/lanes.hpp"
#include "ulna/simulate/drive.hpp"

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

/// One number in every lane, or in one of them.
template <Real T>
void set_lane(std::vector<T>& list, int lane, std::span<const double> values) {
  for (std::size_t k = 0; k < list.size(); ++k) Lanes<T>::set(list[k], lane, values[k]);
}
template <Real T>
std::vector<T> in_all_lanes(std::span<const double> values) {
  std::vector<T> list;
  for (const double x : values) list.emplace_back(x);
  return list;
}

/// A reference over a scalar: the numbers of each lane's own motion at its own time.
template <Real T>
class ReferenceState {
 public:
  ReferenceState(const ReferencePointer& motion, std::size_t n)
      : one_(3 * n), q_(n, T(0.0)), v_(n, T(0.0)), a_(n, T(0.0)) {
    motions_.fill(motion);
  }

  void set(int lane, const ReferencePointer& motion) { motions_[static_cast<std::size_t>(lane)] = motion; }
  void enter(int lane, double from, double until) {
    inside_[static_cast<std::size_t>(lane)] = std::isfinite(until) ? 0.5 * (from + until) : from + 1.0;
  }
  void update(const T& t) {
    const std::span<double> all(one_);
    const std::size_t n = q_.size();
    for (int lane = 0; lane < Lanes<T>::count; ++lane) {
      const auto own = static_cast<std::size_t>(lane);
      motions_[own]->at(Lanes<T>::get(t, lane), inside_[own], all.first(n), all.subspan(n, n), all.last(n));
      set_lane(q_, lane, all.first(n));
      set_lane(v_, lane, all.subspan(n, n));
      set_lane(a_, lane, all.last(n));
    }
  }
  std::span<const T> q() const { return q_; }
  std::span<const T> v() const { return v_; }
  std::span<const T> a() const { return a_; }

 private:
  static constexpr auto lanes = static_cast<std::size_t>(Lanes<T>::count);
  std::array<ReferencePointer, lanes> motions_;
  std::array<double, lanes> inside_{};
  std::vector<double> one_;
  std::vector<T> q_, v_, a_;
};

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
        inverse_(make_method<T>("auto", Quantity::inverse_dynamics, model)),
        torque_(static_cast<std::size_t>(model.nv())) {}
  void set(int lane, const DriveSpec& spec) override { reference_.set(lane, std::get<PlaybackDrive>(spec).reference); }
  void enter(int lane, double from, double until) override { reference_.enter(lane, from, until); }
  void add(const T& t, std::span<const T>, std::span<const T>, std::span<T> tau) override {
    reference_.update(t);
    inverse_->inverse_dynamics(reference_.q(), reference_.v(), reference_.a(), torque_);
    for (std::size_t k = 0; k < tau.size(); ++k) tau[k] += torque_[k];
  }

 private:
  ReferenceState<T> reference_;
  std::unique_ptr<Method<T>> inverse_;
  std::vector<T> torque_;
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
