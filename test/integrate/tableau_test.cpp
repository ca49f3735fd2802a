// Every order that a tableau claims, proved from its numbers: HNW II.2, theorem 2.13. A method has order p
// when Σ bᵢ Φᵢ(τ) = 1/γ(τ) for all rooted trees τ of at most p nodes.
#include "ulna/integrate/tableau.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "integrate/explicit_tableaux.hpp"

namespace ulna {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

/// A rooted tree: the trees that hang on its root, by their numbers in the list of all trees.
struct Tree {
  std::vector<std::size_t> branches;
  int nodes;
  double gamma;  // |τ| Π γ(branch)
};

/// All trees with at most so many nodes, each once: branches are taken in falling order.
class Trees {
 public:
  explicit Trees(int most) {
    for (int nodes = 1; nodes <= most; ++nodes) grow({}, all.size(), nodes - 1, nodes);
  }
  std::vector<Tree> all;

 private:
  void grow(std::vector<std::size_t> branches, std::size_t largest, int left, int nodes) {
    if (left == 0) {
      double gamma = nodes;
      for (std::size_t b : branches) gamma *= all[b].gamma;
      finished_.push_back({branches, nodes, gamma});
    }
    for (std::size_t b = 0; b < largest; ++b) {
      if (all[b].nodes > left) continue;
      branches.push_back(b);
      grow(branches, b + 1, left - all[b].nodes, nodes);
      branches.pop_back();
    }
    if (left == nodes - 1) {  // the outermost call
      all.insert(all.end(), finished_.begin(), finished_.end());
      finished_.clear();
    }
  }
  std::vector<Tree> finished_;
};

TEST(RootedTrees, AreAsManyAsTheBookSays) {  // HNW II.2, table 2.2
  const std::map<int, int> known{{1, 1}, {2, 1}, {3, 2}, {4, 4}, {5, 9}, {6, 20}, {7, 48}, {8, 115}, {9, 286}};
  std::map<int, int> count;
  for (const Tree& tree : Trees(9).all) ++count[tree.nodes];
  EXPECT_EQ(count, known);
}

/// Φᵢ(τ) = Π over the branches of Σⱼ aᵢⱼ Φⱼ(branch), for every stage i and tree; with |a| for bounds of rounding.
std::vector<std::vector<double>> weights(const Tableau& t, std::size_t stages, const std::vector<Tree>& trees,
                                         bool absolute) {
  std::vector<std::vector<double>> phi;
  for (const Tree& tree : trees) {
    std::vector<double> own(stages, 1.0);
    for (std::size_t i = 0; i < stages; ++i) {
      for (std::size_t b : tree.branches) {
        double sum = 0.0;
        for (std::size_t j = 0; j < i; ++j) sum += (absolute ? std::fabs(t.row(i)[j]) : t.row(i)[j]) * phi[b][j];
        own[i] *= sum;
      }
    }
    phi.push_back(own);
  }
  return phi;
}

struct Conditions {
  const Tableau& tableau;
  std::size_t stages;
  std::vector<Tree> trees;
  std::vector<std::vector<double>> phi, magnitude;

  Conditions(const Tableau& t, std::size_t s, int most)
      : tableau(t),
        stages(s),
        trees(Trees(most).all),
        phi(weights(t, s, trees, false)),
        magnitude(weights(t, s, trees, true)) {}

  /// The first number of nodes at which Σ bᵢ Φᵢ(τ) = θ^|τ|/γ(τ) fails, minus one. A coefficient is
  /// rounded once and a product of m of them and their sum another 2m times. `size_of_b` is Σ |terms| of b
  /// where that is a sum itself.
  int order(const std::vector<double>& b, const std::vector<double>& size_of_b, double theta = 1.0) const {
    for (std::size_t k = 0; k < trees.size(); ++k) {
      double sum = 0.0, size = 0.0;
      for (std::size_t i = 0; i < stages; ++i) {
        sum += b[i] * phi[k][i];
        size += std::fabs(size_of_b[i]) * magnitude[k][i];
      }
      const double rounding = 3.0 * trees[k].nodes * eps * size;
      if (std::fabs(sum - std::pow(theta, trees[k].nodes) / trees[k].gamma) > rounding) return trees[k].nodes - 1;
    }
    return trees.back().nodes;
  }
};

std::vector<double> padded(std::span<const double> b, std::size_t size) {
  std::vector<double> r(b.begin(), b.end());
  r.resize(size, 0.0);
  return r;
}

class Explicit : public ::testing::TestWithParam<const Tableau*> {};

TEST_P(Explicit, HasItsOrdersAndNoMore) {
  const Tableau& t = *GetParam();
  const Conditions conditions(t, t.stages, t.order + 1);
  const std::vector<double> b = padded(t.b, t.stages);
  EXPECT_EQ(conditions.order(b, b), t.order);
  if (t.embedded_order == 0) return;
  const auto sizes = [&](std::span<const double> error) {
    std::vector<double> r = b;
    for (std::size_t i = 0; i < r.size(); ++i) r[i] = std::fabs(b[i]) + std::fabs(error[i]);
    return r;
  };
  std::vector<double> embedded = b;
  for (std::size_t i = 0; i < t.error.size(); ++i) embedded[i] -= t.error[i];
  EXPECT_EQ(conditions.order(embedded, sizes(t.error)), t.embedded_order);
  if (t.second_error.empty()) return;
  embedded = b;
  for (std::size_t i = 0; i < t.second_error.size(); ++i) embedded[i] -= t.second_error[i];
  EXPECT_EQ(conditions.order(embedded, sizes(t.second_error)), 3);
}

TEST_P(Explicit, SumsOfRowsAreTheTimesOfStages) {  // HNW II.1, (1.9)
  const Tableau& t = *GetParam();
  for (std::size_t i = 0; i < t.c.size(); ++i) {
    double sum = 0.0, size = 1.0;
    for (std::size_t j = 0; j < i; ++j) {
      sum += t.row(i)[j];
      size += std::fabs(t.row(i)[j]);
    }
    EXPECT_NEAR(sum, t.c[i], 2.0 * eps * size) << t.name << " stage " << i + 1;
  }
}

TEST_P(Explicit, ReusesTheLastSlopeWhereItSaysSo) {
  const Tableau& t = *GetParam();
  if (!t.fsal) return;
  for (std::size_t j = 0; j + 1 < t.stages; ++j) EXPECT_EQ(t.row(t.stages - 1)[j], t.b[j]);
  EXPECT_EQ(t.c[t.stages - 1], 1.0);
}

/// bᵢ(θ) of the dense output, from its nested form (runge_kutta_impl.hpp).
std::vector<double> dense_weights(const Tableau& t, double theta, bool absolute) {
  const std::size_t n = t.slopes();
  const std::vector<double> b = padded(t.b, n);
  std::vector<std::vector<double>> rows{b, b, b};
  for (std::size_t i = 0; i < n; ++i) {
    const double first = i == 0, last = i == t.end();
    rows[1][i] = first - b[i];
    rows[2][i] = b[i] - last - rows[1][i];
  }
  for (std::size_t r = 0; r < t.dense_rows(); ++r) {
    const auto row = t.dense.subspan(r * n, n);
    rows.emplace_back(row.begin(), row.end());
  }
  std::vector<double> sum(n, 0.0);
  for (std::size_t r = rows.size(); r-- > 0;) {
    for (std::size_t i = 0; i < n; ++i) {
      const double coefficient = absolute ? std::fabs(rows[r][i]) : rows[r][i];
      sum[i] = (r % 2 == 0 ? theta : 1.0 - theta) * (coefficient + sum[i]);
    }
  }
  return sum;
}

TEST_P(Explicit, DenseOutputHasItsOrder) {
  const Tableau& t = *GetParam();
  if (t.dense_order == 0) return;
  const Conditions conditions(t, t.slopes(), t.dense_order + 1);
  for (double theta : {0.0, 0.1, 0.3, 0.5, 0.77, 0.9, 1.0}) {
    const int order = conditions.order(dense_weights(t, theta, false), dense_weights(t, theta, true), theta);
    EXPECT_GE(order, t.dense_order) << theta;
    if (0.0 < theta && theta < 1.0) {
      EXPECT_EQ(order, t.dense_order) << theta;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Tableaux, Explicit, ::testing::ValuesIn(test::explicit_tableaux()),
                         [](const auto& tableau) { return std::string(tableau.param->name); });

/// HW IV.5: Gauss methods satisfy B(2s), C(s) and D(s), which give order 2s.
class Gauss : public ::testing::TestWithParam<const CollocationTableau*> {
 protected:
  double a(std::size_t i, std::size_t j) const { return t.a[i * s + j] + t.a_rest[i * s + j]; }
  double b(std::size_t i) const { return t.b[i] + t.b_rest[i]; }
  const CollocationTableau& t = *GetParam();
  const std::size_t s = t.stages;
  const double rounding = 4.0 * static_cast<double>(s) * eps;  // sums of s numbers below one
};

TEST_P(Gauss, SatisfiesTheSimplifyingAssumptions) {
  const auto stages = static_cast<int>(s);
  for (int k = 1; k <= 2 * stages; ++k) {
    double sum = 0.0;
    for (std::size_t i = 0; i < s; ++i) sum += b(i) * std::pow(t.c[i], k - 1);
    EXPECT_NEAR(sum, 1.0 / k, rounding) << "B " << k;
  }
  for (int k = 1; k <= stages; ++k) {
    for (std::size_t i = 0; i < s; ++i) {
      double row = 0.0, column = 0.0;
      for (std::size_t j = 0; j < s; ++j) {
        row += a(i, j) * std::pow(t.c[j], k - 1);
        column += b(j) * std::pow(t.c[j], k - 1) * a(j, i);
      }
      EXPECT_NEAR(row, std::pow(t.c[i], k) / k, rounding) << "C " << k;
      EXPECT_NEAR(column, b(i) / k * (1.0 - std::pow(t.c[i], k)), rounding) << "D " << k;
    }
  }
  EXPECT_EQ(t.order, 2 * stages);
}

TEST_P(Gauss, IsSymplectic) {  // HLW VI.4, theorem 4.3: bᵢaᵢⱼ + bⱼaⱼᵢ = bᵢbⱼ
  for (std::size_t i = 0; i < s; ++i)
    for (std::size_t j = 0; j < s; ++j) EXPECT_NEAR(b(i) * a(i, j) + b(j) * a(j, i), b(i) * b(j), 2.0 * eps);
}

TEST_P(Gauss, CoefficientsAreBinaryFractionsAndSmallRests) {
  for (const auto numbers : {t.a, t.b})
    for (double x : numbers) EXPECT_EQ(std::round(1024.0 * x), 1024.0 * x);
  for (const auto numbers : {t.a_rest, t.b_rest})
    for (double x : numbers) EXPECT_LT(std::fabs(x), 0.5001 / 1024.0);
}

INSTANTIATE_TEST_SUITE_P(Tableaux, Gauss, ::testing::Values(&tableaux::gauss4, &tableaux::gauss6),
                         [](const auto& tableau) { return "order" + std::to_string(tableau.param->order); });

}  // namespace
}  // namespace ulna
