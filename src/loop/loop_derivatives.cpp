#include "ulna/loop/loop_derivatives.hpp"

#include <algorithm>

#include "loop_matrix_impl.hpp"

namespace ulna {

namespace {

void take_values(std::span<const Dual4> from, std::vector<double>& to) {
  to.resize(from.size());
  std::transform(from.begin(), from.end(), to.begin(), [](const Dual4& x) { return x.x; });
}

Vec3<double> value_of(const Vec3<Dual4>& a) { return {a.x.x, a.y.x, a.z.x}; }

/// Where forward dynamics is evaluated.
struct LoopState {
  std::vector<double> q, v, tau, external;
  bool operator==(const LoopState&) const = default;
};

class LoopDerivatives final : public Method<Dual4> {
 public:
  explicit LoopDerivatives(const Model& model)
      : tree_(model.tree()),
        dynamics_(model),
        loops_(model),
        inverse_(make_method<Dual4>("newton_euler", Quantity::inverse_dynamics, tree_)),
        a_(static_cast<std::size_t>(model.nv())),
        constant_(a_.size()),
        missing_(a_.size()),
        force_(a_.size()),
        change_(a_.size()),
        opening_(static_cast<std::size_t>(model.constraint_count())) {}

  void forward_dynamics(VectorIn<Dual4> q, VectorIn<Dual4> v, VectorIn<Dual4> tau, VectorOut<Dual4> a,
                        Wrenches<Dual4> external) override {
    expect_size("a", a.size(), tree_.nv());
    take_state(q, v, tau, external);
    inverse_->inverse_dynamics(q, v, constant_, missing_, external);
    loops_.update(q);
    loops_.update_rest(v, constant_);
    add_reactions();
    for (std::size_t k = 0; k < a.size(); ++k) a[k] = constant_[k];
    for (std::size_t direction = 0; direction < 4; ++direction) {
      for (std::size_t k = 0; k < a.size(); ++k) force_[k] = tau[k].d[direction] - missing_[k].d[direction];
      for (std::size_t i = 0; i < opening_.size(); ++i) opening_[i] = loops_.b()[i].d[direction];
      dynamics_.respond(force_, opening_, change_);
      for (std::size_t k = 0; k < a.size(); ++k) a[k].d[direction] = change_[k];
    }
  }

 private:
  /// The accelerations and λ, unless they are those of the last call, whose directions were others.
  void take_state(VectorIn<Dual4> q, VectorIn<Dual4> v, VectorIn<Dual4> tau, Wrenches<Dual4> external) {
    take_values(q, next_.q);
    take_values(v, next_.v);
    take_values(tau, next_.tau);
    next_.external.clear();
    wrenches_.clear();
    for (const Force<Dual4>& f : external) {
      wrenches_.push_back({value_of(f.moment), value_of(f.force)});
      for (const Vec3<double>& part : {wrenches_.back().moment, wrenches_.back().force})
        next_.external.insert(next_.external.end(), {part.x, part.y, part.z});
    }
    if (next_ == at_) return;
    at_.q.clear();  // nowhere, if this throws
    dynamics_.forward_dynamics(next_.q, next_.v, next_.tau, a_, wrenches_);
    lambda_.assign(dynamics_.lambda().begin(), dynamics_.lambda().end());
    for (std::size_t k = 0; k < a_.size(); ++k) constant_[k] = Dual4(a_[k]);
    std::swap(at_, next_);
  }

  /// What the equations of motion miss besides: −Aᵀλ.
  void add_reactions() {
    const MatrixView<const Dual4> A = loops_.matrix();
    for (int k = 0; k < A.cols; ++k)
      for (int i = 0; i < A.rows; ++i)
        missing_[static_cast<std::size_t>(k)] -= A(i, k) * Dual4(lambda_[static_cast<std::size_t>(i)]);
  }

  Model tree_;
  ConstrainedDynamics dynamics_;
  LoopMatrix<Dual4> loops_;
  std::unique_ptr<Method<Dual4>> inverse_;
  LoopState at_, next_;
  std::vector<Force<double>> wrenches_;
  std::vector<double> a_, lambda_;
  std::vector<Dual4> constant_, missing_;  // constant_: a_
  std::vector<double> force_, change_, opening_;
};

}  // namespace

std::unique_ptr<Method<Dual4>> make_loop_derivatives(const Model& model) {
  return std::make_unique<LoopDerivatives>(model);
}

}  // namespace ulna
