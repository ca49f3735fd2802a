#include "tree_factor.hpp"

#include <algorithm>

#include "composite_half.hpp"
#include "ulna/dynamics/articulated_body/articulated_body.hpp"
#include "ulna/dynamics/composite_body/composite_body.hpp"

namespace ulna {

namespace {

/// M = Lᵀ D L: H = L⁻ᵀ.
class CompositeFactor final : public TreeFactor {
 public:
  explicit CompositeFactor(const Model& tree) : tree_(tree), ws_(tree), inverse_(static_cast<std::size_t>(tree.nv())) {}

  void forward_dynamics(std::span<const double> q, std::span<const double> v, std::span<const double> tau,
                        std::span<double> a, Wrenches<double> external) override {
    composite_body::forward_dynamics(tree_, ws_, q, v, tau, a, external);
    for (std::size_t k = 0; k < inverse_.size(); ++k) inverse_[k] = 1.0 / ws_.M[k * inverse_.size() + k];
  }

  void half(const LoopPath& path, const HalfColumns<double>& columns) override {
    composite_half<double>(tree_, {ws_.M.data(), tree_.nv(), tree_.nv()}, inverse_, path, columns);
  }

  void response(std::span<const double> f, std::span<double> x) override {
    std::copy(f.begin(), f.end(), x.begin());
    composite_body::solve<double>(tree_, {ws_.M.data(), tree_.nv(), tree_.nv()}, x);
  }

 private:
  const Model& tree_;
  composite_body::Workspace<double> ws_;
  std::vector<double> inverse_;  // D⁻¹
};

class ArticulatedFactor final : public TreeFactor {
 public:
  explicit ArticulatedFactor(const Model& tree)
      : tree_(tree), ws_(tree), f_(static_cast<std::size_t>(tree.nv())), u_(f_), y_(f_) {}

  void forward_dynamics(std::span<const double> q, std::span<const double> v, std::span<const double> tau,
                        std::span<double> a, Wrenches<double> external) override {
    articulated_body::forward_dynamics(tree_, ws_, q, v, tau, a, external);
  }

  void half(const LoopPath& path, const HalfColumns<double>& columns) override {
    for (int c = 0; c < columns.count; ++c) {
      const auto at = [&](int k) { return static_cast<std::size_t>(k) * columns.stride + static_cast<std::size_t>(c); };
      for (const int k : path.degrees) f_[static_cast<std::size_t>(k)] = columns.U[at(k)];
      articulated_body::half_response(tree_, ws_, path.bodies, f_, u_, y_);
      for (const int k : path.degrees) {
        columns.U[at(k)] = u_[static_cast<std::size_t>(k)];
        columns.Y[at(k)] = y_[static_cast<std::size_t>(k)];
      }
    }
  }

  void response(std::span<const double> f, std::span<double> x) override {
    articulated_body::response(tree_, ws_, f, x);
  }

 private:
  const Model& tree_;
  articulated_body::Workspace<double> ws_;
  std::vector<double> f_, u_, y_;
};

int depth(const Model& tree) {
  int deepest = 0;
  std::vector<int> depths(static_cast<std::size_t>(tree.nv()));
  for (std::size_t k = 0; k < depths.size(); ++k) {
    const int parent = tree.parent_of_v()[k];
    depths[k] = parent < 0 ? 1 : depths[static_cast<std::size_t>(parent)] + 1;
    deepest = std::max(deepest, depths[k]);
  }
  return deepest;
}

}  // namespace

bool has_common_size(const Model& tree) {
  constexpr int common_depth = 18;  // measured: both take 3 µs on a chain of so many links that a ball holds
  return depth(tree) <= common_depth || tree.has_coupled_joints();
}

std::unique_ptr<TreeFactor> make_tree_factor(const Model& tree) {
  if (has_common_size(tree)) return std::make_unique<CompositeFactor>(tree);
  return std::make_unique<ArticulatedFactor>(tree);
}

}  // namespace ulna
