#include "ulna/loop/free_motion.hpp"

#include <random>

#include "ulna/loop/assembly.hpp"
#include "ulna/loop/mobility.hpp"
#include "ulna/model/local_coordinates.hpp"

namespace ulna {

namespace {

/// Every joint moved by up to `width` rad or m.
std::vector<double> moved(const Model& model, std::span<const double> q, double width, std::mt19937& generator) {
  std::uniform_real_distribution<double> shift(-width, width);
  std::vector<double> x(static_cast<std::size_t>(model.nv())), to(q.begin(), q.end());
  coordinates_of_reference(model, q, x);
  for (double& one : x) one += shift(generator);
  retract<double>(model, q, x, to);
  return to;
}

}  // namespace

std::vector<double> free_jacobian(const Model& model, const Frame& frame, VectorIn<double> q) {
  const auto n = static_cast<std::size_t>(model.nv());
  Kinematics<double> kinematics(model);
  kinematics.update_positions(q);
  std::vector<double> jacobian(6 * n);
  kinematics.jacobian(frame, Reference::world_axes, {jacobian.data(), 6, model.nv()});
  LoopEquations equations(model);
  equations.update(q);
  const std::vector<double> directions = free_directions(equations);
  std::vector<double> product(6 * directions.size() / n, 0.0);
  for (std::size_t c = 0; c < directions.size() / n; ++c)
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t r = 0; r < 6; ++r) product[6 * c + r] += jacobian[6 * k + r] * directions[n * c + k];
  return product;
}

TipTask tip_task(const Model& model, const Frame& frame, VectorIn<double> q) {
  constexpr int samples = 16;
  constexpr double width = 0.3;
  std::mt19937 generator(1);
  std::vector<std::vector<double>> jacobians{free_jacobian(model, frame, q)};
  for (int k = 0; k < samples; ++k) {
    const Assembly found = assemble(model, moved(model, q, width, generator));
    if (!found.closed) continue;
    std::vector<double> jacobian = free_jacobian(model, frame, found.q);
    // A singular position of the loops themselves has more directions than the others.
    if (jacobian.size() < jacobians[0].size()) jacobians.clear();
    if (jacobians.empty() || jacobian.size() == jacobians[0].size()) jacobians.push_back(std::move(jacobian));
  }
  return tip_task(jacobians);
}

}  // namespace ulna
