#include "ulna/dynamics/physical.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "kinematics/decompositions.hpp"
#include "ulna/dynamics/composite_body/composite_body.hpp"
#include "ulna/model/cut_loops.hpp"
#include "ulna/model/random_state.hpp"

namespace ulna {

namespace {

constexpr int samples = 200;
constexpr int largest_sampled = 300;  // a dense eigenproblem per pose: for arms, not for long chains

Eigen::VectorXd eigenvalues(std::span<const double> column_major, int n) {
  const Eigen::MatrixXd matrix = Eigen::Map<const Eigen::MatrixXd>(column_major.data(), n, n);
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(matrix, Eigen::EigenvaluesOnly).eigenvalues();
}

void sample_mass_matrix(const Graph& graph, const Model& model, std::vector<Finding>& findings) {
  composite_body::Workspace<double> ws(model);
  std::vector<double> M(static_cast<std::size_t>(model.nv()) * static_cast<std::size_t>(model.nv()));
  std::mt19937_64 generator(20010914);
  int indefinite = 0, nearly_singular = 0;
  double worst = std::numeric_limits<double>::infinity();
  for (int k = 0; k < samples; ++k) {
    const std::vector<double> q = random_position(model, generator);
    composite_body::mass_matrix(model, ws, q, {M.data(), model.nv(), model.nv()});
    const Eigen::VectorXd e = eigenvalues(M, model.nv());
    worst = std::min(worst, e[0]);
    if (!(e[0] > 0.0)) {  // also what is not a number
      ++indefinite;
    } else if (e[0] < 1e-12 * e[e.size() - 1]) {
      ++nearly_singular;
    }
  }
  if (indefinite > 0) {
    findings.push_back(
        {Finding::Severity::error, "",
         fmt::format(
             "the inertia matrix is not positive definite in {} of {} sampled poses (smallest eigenvalue {:.3g})",
             indefinite, samples, worst),
         "forward dynamics and simulation will fail; correct the mass data", graph.source, true});
  }
  if (nearly_singular > 0) {
    findings.push_back(
        {Finding::Severity::warning, "",
         fmt::format("the inertia matrix is nearly singular in {} of {} sampled poses (smallest eigenvalue {:.3g})",
                     nearly_singular, samples, worst),
         "give the light links their inertia, or their joints an armature", graph.source, true});
  }
}

}  // namespace

std::vector<Finding> check_with_dynamics(const Graph& graph) {
  std::vector<Finding> findings = check(graph);
  const bool broken = std::any_of(findings.begin(), findings.end(), [](const Finding& f) {
    return f.severity == Finding::Severity::error && !f.physics;
  });
  if (broken) return findings;
  Graph tolerated = cut_loops(graph);
  tolerated.loops.clear();  // the tree's inertia matrix is definite where the mechanism's is
  tolerated.allow_nonphysical = true;
  if (tolerated.nonphysical_reason.empty()) tolerated.nonphysical_reason = "being checked";
  const Model model = build(tolerated);
  if (model.nv() <= largest_sampled) {
    sample_mass_matrix(graph, model, findings);
  } else {
    findings.push_back({Finding::Severity::warning, "",
                        fmt::format("the inertia matrix was not sampled: {} degrees of freedom are more than {}",
                                    model.nv(), largest_sampled),
                        "check a part of the robot", graph.source, false});
  }
  return findings;
}

double symmetric_condition(std::span<const double> column_major, int n) {
  const Eigen::VectorXd e = eigenvalues(column_major, n);
  return e[0] > 0.0 ? e[n - 1] / e[0] : std::numeric_limits<double>::infinity();
}

}  // namespace ulna
