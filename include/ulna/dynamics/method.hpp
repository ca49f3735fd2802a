// The formulations by name, behind one interface: what `--method`, the agreement tests and the
// benchmarks see. Code that knows which one it wants calls it directly.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "ulna/dynamics/arguments.hpp"
#include "ulna/dynamics/quantity.hpp"
#include "ulna/real/scalars.hpp"

namespace ulna {

/// One formulation with its workspace, for one model: use one per thread.
template <Real T>
class Method {
 public:
  virtual ~Method() = default;
  virtual void inverse_dynamics(VectorIn<T> q, VectorIn<T> v, VectorIn<T> a, VectorOut<T> tau,
                                Wrenches<T> external = {});
  virtual void forward_dynamics(VectorIn<T> q, VectorIn<T> v, VectorIn<T> tau, VectorOut<T> a,
                                Wrenches<T> external = {});
  virtual void mass_matrix(VectorIn<T> q, MatrixOut<T> M);
  virtual void inverse_mass_matrix(VectorIn<T> q, MatrixOut<T> inverse);
  /// Ṁ − 2C is skew-symmetric.
  virtual void coriolis_matrix(VectorIn<T> q, VectorIn<T> v, MatrixOut<T> C);
  /// MCI v = C v, and no more than that: not for control laws that rely on a skew Ṁ − 2C.
  virtual void convective_inertia(VectorIn<T> q, VectorIn<T> v, MatrixOut<T> MCI);
  virtual void gravity(VectorIn<T> q, VectorOut<T> g);
};

/// What robots a formulation takes beyond serial arms on a fixed base with joints of one degree.
struct Scope {
  bool trees = false, free_base = false, many_degrees = false, followers = false;
  bool couplings = false;     // takes joints that share motors
  bool solid_links = false;   // takes only links with mass and inertia in all directions
  bool mass_centres = false;  // works at the mass centres: takes no regrouped robot
};

/// A row of the registry: what a formulation is called, what it gives, and for which robots.
struct MethodInfo {
  std::string_view name;
  std::string_view title;
  Scope scope;
  std::span<const Quantity> gives;

  bool can(Quantity quantity) const;
  /// Empty, or why it does not support this robot.
  std::string refusal(const Model& model) const;
};

std::span<const MethodInfo> methods();

/// The row of this name; throws InputError with the known names otherwise.
const MethodInfo& method_info(std::string_view name);

/// What `auto` stands for with this robot; std::invalid_argument for a quantity that has its own way.
std::string_view automatic_method(Quantity quantity, const Model& model);

/// Resolves `auto`; throws InputError if there is no such formulation, it does not give the
/// quantity, or does not support the robot.
const MethodInfo& resolve_method(std::string_view name, Quantity wanted, const Model& model);

/// Throws InputError if this robot is beyond the formulation; for its workspace.
void expect_scope(std::string_view method, const Model& model);

/// The formulation ready to use, after resolve_method.
template <Real T>
std::unique_ptr<Method<T>> make_method(std::string_view name, Quantity wanted, const Model& model);
template <Real T>
std::unique_ptr<Method<T>> make_method(std::string_view name, Quantity wanted, Model&& model) = delete;

#define ULNA_METHOD(EXTERN, T)     \
  EXTERN template class Method<T>; \
  EXTERN template std::unique_ptr<Method<T>> make_method<T>(std::string_view, Quantity, const Model&);
ULNA_EXTERN_TEMPLATES(ULNA_METHOD)

}  // namespace ulna
