// What the parts of the engine share: the robot with what was made for it, the numbers of an answer, and the requests.
#pragma once

#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "studio/engine.hpp"
#include "ulna/base/error.hpp"
#include "ulna/dynamics/method.hpp"
#include "ulna/kinematics/inverse_kinematics.hpp"
#include "ulna/kinematics/kinematics.hpp"
#include "ulna/kinematics/tip_task.hpp"
#include "ulna/loop/constrained_dynamics.hpp"
#include "ulna/model/graph.hpp"

namespace ulna::studio {

using Json = nlohmann::ordered_json;
using Numbers = std::vector<double>;

constexpr int most_degrees = 60;  // of what is shown as matrices

/// Numbers in bulk, by name.
class Arrays {
 public:
  void add(const std::string& name, std::span<const double> row) {
    places_[name] = {numbers.size(), 1, row.size()};
    numbers.insert(numbers.end(), row.begin(), row.end());
  }
  /// Of a matrix column by column, as the library keeps them.
  void add(const std::string& name, const Numbers& columns, int rows) {
    const auto height = static_cast<std::size_t>(rows), width = rows == 0 ? 0 : columns.size() / height;
    places_[name] = {numbers.size(), height, width};
    for (std::size_t i = 0; i < height; ++i)
      for (std::size_t j = 0; j < width; ++j) numbers.push_back(columns[j * height + i]);
  }
  void clear() {
    numbers.clear();
    places_.clear();
  }
  Json places() const {
    Json json = Json::object();
    for (const auto& [name, place] : places_) json[name] = {place.first, place.rows, place.columns};
    return json;
  }

  Numbers numbers;

 private:
  struct Place {
    std::size_t first, rows, columns;
  };
  std::map<std::string, Place> places_;
};

/// A robot with what is made for it once.
struct Robot {
  explicit Robot(Graph read) : graph(std::move(read)), model(build(graph)), tree(model.tree()), kinematics(tree) {
    if (model.nv() <= most_degrees) task = tip_task(tree, tree.tip());
  }
  bool has_loops() const { return !model.loops().empty(); }

  Graph graph;
  Model model, tree;
  Kinematics<double> kinematics;
  TipTask task;
  std::map<std::pair<std::string, Quantity>, std::unique_ptr<Method<double>>> methods;
  std::unique_ptr<InverseKinematics> reach_point, reach_pose;
  std::unique_ptr<ConstrainedDynamics> closed;
};

/// The way that a quantity has by itself where "auto" is asked for.
Method<double>& method_of(Robot& robot, std::string_view name, Quantity quantity);

Json json_of(const std::vector<Finding>& findings);

/// A number of the request for each of `count`, or what stands for nothing.
Numbers numbers_in(const Json& request, const char* key, int count, const Numbers& otherwise);

/// Positions, velocities, accelerations and torques of a request.
struct State {
  State(const Json& request, const Model& model)
      : q(numbers_in(request, "q", model.nq(), model.neutral())),
        v(numbers_in(request, "v", model.nv(), Numbers(static_cast<std::size_t>(model.nv())))),
        a(numbers_in(request, "a", model.nv(), Numbers(static_cast<std::size_t>(model.nv())))),
        tau(numbers_in(request, "tau", model.nv(), Numbers(static_cast<std::size_t>(model.nv())))) {}
  Numbers q, v, a, tau;
};

inline Numbers square(const Model& model) {
  return Numbers(static_cast<std::size_t>(model.nv()) * static_cast<std::size_t>(model.nv()));
}
inline MatrixView<double> square_view(Numbers& values, const Model& model) {
  return {values.data(), model.nv(), model.nv()};
}

struct LastRun;

struct Engine::Session {
  Json robots();
  Json load(const Json& request);
  Json text(const Json& request);
  Json state(const Json& request);
  Json formulations(const Json& request);
  Json counts(const Json& request);
  Json steps(const Json& request);
  Json reach(const Json& request);
  Json close(const Json& request);
  Json cloud(const Json& request);
  Json simulate(const Json& request);
  Json motion(const Json& request);
  Json report(const Json& request);
  Json advance(const Json& request);
  Json named_robot(const Json& request);
  Json result(const Json& request);
  Json shown_run();
  Json integrators_known() const;
  Json states(const Json& request);
  Json time(const Json& request);
  Json answer(const Json& request);
  Json answer_or_error(std::string_view request);

  Robot& current() {
    if (!loaded) throw InputError("no robot is loaded");
    return *loaded;
  }

  std::unique_ptr<Robot> loaded;
  std::shared_ptr<LastRun> last;
  Arrays arrays;
};

}  // namespace ulna::studio
