// Any formulation behind the registry's interface. Its functions are found in its namespace by the types of its
// workspaces, and what it gives is what there are functions for.
#pragma once

#include <stdexcept>
#include <tuple>

#include "ulna/dynamics/method.hpp"

namespace ulna {

// The names that a formulation may have functions of. A name by itself is looked up where the workspace is declared;
// inside a class that has a member of this name it would not be.
namespace formulation_detail {

#define ULNA_FUNCTION(Name, name)                                                                                     \
  struct Name {                                                                                                       \
    template <class Workspace, class... Arguments>                                                                    \
    auto operator()(const Model& model, Workspace& ws, Arguments... all) const -> decltype(name(model, ws, all...)) { \
      return name(model, ws, all...);                                                                                 \
    }                                                                                                                 \
  };
ULNA_FUNCTION(InverseDynamics, inverse_dynamics)
ULNA_FUNCTION(ForwardDynamics, forward_dynamics)
ULNA_FUNCTION(MassMatrix, mass_matrix)
ULNA_FUNCTION(InverseMassMatrix, inverse_mass_matrix)
ULNA_FUNCTION(CoriolisMatrix, coriolis_matrix)
ULNA_FUNCTION(ConvectiveInertia, convective_inertia)
ULNA_FUNCTION(Gravity, gravity)
#undef ULNA_FUNCTION

[[noreturn]] inline void not_given() {
  throw std::logic_error("this formulation does not give the quantity; ask MethodInfo::can first");
}

}  // namespace formulation_detail

/// The workspaces are those that the formulation's functions take; one may serve several of them.
template <Real T, template <Real> class... Workspaces>
class Formulation final : public Method<T> {
 public:
  explicit Formulation(const Model& model) : model_(model), workspaces_(Workspaces<T>(model)...) {}

  void inverse_dynamics(VectorIn<T> q, VectorIn<T> v, VectorIn<T> a, VectorOut<T> tau, Wrenches<T> external) override {
    call(formulation_detail::InverseDynamics{}, q, v, a, tau, external);
  }
  void forward_dynamics(VectorIn<T> q, VectorIn<T> v, VectorIn<T> tau, VectorOut<T> a, Wrenches<T> external) override {
    call(formulation_detail::ForwardDynamics{}, q, v, tau, a, external);
  }
  void mass_matrix(VectorIn<T> q, MatrixOut<T> M) override { call(formulation_detail::MassMatrix{}, q, M); }
  void inverse_mass_matrix(VectorIn<T> q, MatrixOut<T> inverse) override {
    call(formulation_detail::InverseMassMatrix{}, q, inverse);
  }
  void coriolis_matrix(VectorIn<T> q, VectorIn<T> v, MatrixOut<T> C) override {
    call(formulation_detail::CoriolisMatrix{}, q, v, C);
  }
  void convective_inertia(VectorIn<T> q, VectorIn<T> v, MatrixOut<T> MCI) override {
    call(formulation_detail::ConvectiveInertia{}, q, v, MCI);
  }
  void gravity(VectorIn<T> q, VectorOut<T> g) override { call(formulation_detail::Gravity{}, q, g); }

  static constexpr bool gives(Quantity quantity) {
    using namespace formulation_detail;
    using In = VectorIn<T>;
    using Out = VectorOut<T>;
    switch (quantity) {
      case Quantity::inverse_dynamics: return has<InverseDynamics, In, In, In, Out, Wrenches<T>>;
      case Quantity::forward_dynamics: return has<ForwardDynamics, In, In, In, Out, Wrenches<T>>;
      case Quantity::mass_matrix: return has<MassMatrix, In, MatrixOut<T>>;
      case Quantity::inverse_mass_matrix: return has<InverseMassMatrix, In, MatrixOut<T>>;
      case Quantity::coriolis_matrix: return has<CoriolisMatrix, In, In, MatrixOut<T>>;
      case Quantity::convective_inertia: return has<ConvectiveInertia, In, In, MatrixOut<T>>;
      case Quantity::gravity: return has<Gravity, In, Out>;
      default: return false;
    }
  }

 private:
  template <class Function, class Workspace, class... Arguments>
  static constexpr bool takes = std::is_invocable_v<Function, const Model&, Workspace&, Arguments...>;
  template <class Function, class... Arguments>
  static constexpr bool has = (takes<Function, Workspaces<T>, Arguments...> || ...);

  /// With the workspace that the function takes.
  template <class Function, class... Arguments>
  void call(Function function, const Arguments&... all) {
    const auto with = [&](auto& ws) {
      if constexpr (takes<Function, decltype(ws), Arguments...>) {
        function(model_, ws, all...);
        return true;
      }
      return false;
    };
    if (!std::apply([&](auto&... ws) { return (with(ws) || ...); }, workspaces_)) formulation_detail::not_given();
  }

  const Model& model_;
  std::tuple<Workspaces<T>...> workspaces_;
};

}  // namespace ulna
