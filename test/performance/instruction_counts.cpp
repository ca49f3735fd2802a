// Calls every algorithm under callgrind, which counts instructions: a dump for each robot and quantity, named by both,
// of `calls` calls; for instructions_test.py. Prints which build of the library runs.
#include <valgrind/callgrind.h>

#include <cstdio>
#include <functional>
#include <random>

#include "ulna/batch/instruction_set.hpp"
#include "ulna/dynamics/articulated_body/derivatives.hpp"
#include "ulna/dynamics/method.hpp"
#include "ulna/dynamics/newton_euler/derivatives.hpp"
#include "ulna/io/robot/load.hpp"
#include "ulna/kinematics/kinematics.hpp"
#include "ulna/model/random_state.hpp"

namespace {

using namespace ulna;

constexpr int calls = 16;  // instructions_test.py divides by it

class Counted {
 public:
  explicit Counted(const std::string& robot)
      : robot_(robot),
        model_(load(robot)),
        q_(random_position(model_, generator_)),
        v_(random_velocity(model_, generator_)),
        x_(static_cast<std::size_t>(model_.nv()), 0.5),
        y_(x_.size()),
        matrices_(3 * x_.size() * x_.size()),
        jacobian_(6 * x_.size()) {}

  void all() {
    for (const MethodInfo& info : methods())
      for (const Quantity quantity :
           {Quantity::inverse_dynamics, Quantity::forward_dynamics, Quantity::mass_matrix,
            Quantity::inverse_mass_matrix, Quantity::coriolis_matrix, Quantity::convective_inertia, Quantity::gravity})
        if (info.can(quantity) && info.refusal(model_).empty()) by_method(info.name, quantity);
    kinematics();
    derivatives();
  }

 private:
  void count(const std::string& what, const std::function<void()>& call) {
    call();  // what is made at the first call does not count
    CALLGRIND_ZERO_STATS;
    for (int k = 0; k < calls; ++k) call();
    const std::string name = robot_ + " " + what;  // the macro reads it after its own statement
    CALLGRIND_DUMP_STATS_AT(name.c_str());
  }

  MatrixView<double> square(int k) {
    return {matrices_.data() + static_cast<std::size_t>(k) * x_.size() * x_.size(), model_.nv(), model_.nv()};
  }

  void by_method(std::string_view name, Quantity quantity) {
    const auto method = make_method<double>(name, quantity, model_);
    count(std::string(name) + " " + std::string(word_of(quantity)), [&] {
      switch (quantity) {
        case Quantity::inverse_dynamics: return method->inverse_dynamics(q_, v_, x_, y_);
        case Quantity::forward_dynamics: return method->forward_dynamics(q_, v_, x_, y_);
        case Quantity::mass_matrix: return method->mass_matrix(q_, square(0));
        case Quantity::inverse_mass_matrix: return method->inverse_mass_matrix(q_, square(0));
        case Quantity::coriolis_matrix: return method->coriolis_matrix(q_, v_, square(0));
        case Quantity::convective_inertia: return method->convective_inertia(q_, v_, square(0));
        default: return method->gravity(q_, y_);
      }
    });
  }

  void kinematics() {
    Kinematics<double> kinematics(model_);
    count("kinematics fk", [&] { kinematics.update_positions(q_); });
    count("kinematics jacobian", [&] {
      kinematics.update_positions(q_);
      kinematics.jacobian(model_.tip(), Reference::world_axes, MatrixView<double>{jacobian_.data(), 6, model_.nv()});
    });
  }

  void derivatives() {
    newton_euler::DerivativeWorkspace<double> inverse(model_);
    count("newton_euler did",
          [&] { newton_euler::inverse_derivatives(model_, inverse, q_, v_, x_, square(0), square(1), square(2)); });
    articulated_body::DerivativeWorkspace<double> forward(model_);
    count("articulated_body dfd", [&] {
      articulated_body::forward_derivatives(model_, forward, q_, v_, x_, y_, square(0), square(1), square(2));
    });
  }

  std::string robot_;
  Model model_;
  std::mt19937_64 generator_{7};
  std::vector<double> q_, v_, x_, y_, matrices_, jacobian_;
};

}  // namespace

int main() {
  std::printf("%s\n", std::string(instruction_set()).c_str());
  for (const char* robot : {"panda_like", "ur5_like", "satellite_arm"}) Counted(robot).all();
}
