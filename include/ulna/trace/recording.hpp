// A robot's computation, recorded: the graph with its inputs and outputs.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ulna/dynamics/method.hpp"
#include "ulna/trace/op_graph.hpp"

namespace ulna::trace {

/// What can be recorded.
enum class Kernel {
  inertia_matrix,       // gim: M(q), its lower triangle
  coriolis_matrix,      // c: C(q, v) with Ṁ − 2C skew-symmetric
  convective_inertia,   // mci: a matrix with the same product C v and no other promise
  inverse_dynamics,     // id: tau of q, v, a
  forward_dynamics,     // fd: a of q, v, tau
  inverse_inertia,      // phi: a = M⁻¹ phi of q, phi: forward dynamics with the bias given
  gravity,              // gravity: g(q)
  inverse_derivatives,  // did: dtau_dq, dtau_dv of q, v, a
  forward_derivatives,  // dfd: a, da_dq, da_dv, da_dtau of q, v, tau
  pose,                 // fk: rotation and position of the tip
  jacobian,             // jacobian: 6 × nv of the tip, angular first, world axes
};

/// Its short name, as the command line and generated code have it.
std::string_view name_of(Kernel kernel);
/// What a formulation is asked for; forward dynamics for those that none gives.
Quantity quantity_of(Kernel kernel);
/// All formulations give the same numbers; of C and MCI each has its own.
bool is_unique(Kernel kernel);
/// There is one way to it and no formulation to choose: kinematics and derivatives.
bool has_own_way(Kernel kernel);
/// Throws InputError with the known names.
Kernel kernel_named(std::string_view name);
/// Several, separated by commas, each once; throws InputError for none.
std::vector<Kernel> kernels_named(const std::string& list);

/// One array of inputs or outputs.
struct Array {
  std::string name;
  std::vector<Ref> elements;
};

struct Recording {
  std::unique_ptr<OpGraph> graph;
  std::vector<Array> inputs, outputs;
  std::map<std::uint32_t, std::string> names;  // of nodes that are quantities of the formulation

  std::vector<Ref> results() const;
  Counts counts() const { return count(*graph, results()); }
};

/// Whether a formulation of the registry gives the kernel for this robot.
bool can_record(const MethodInfo& method, Kernel kernel, const Model& model);

/// Throws InputError if the formulation does not give the kernel for this robot.
void expect_recordable(const Model& model, Kernel kernel, std::string_view method);

/// The formulation that gives the kernel with the fewest operations; of equals the first in the
/// registry. Throws InputError if there is none.
std::string cheapest_method(const Model& model, Kernel kernel);

/// The same functions by fewer operations, from what only the whole graph tells: sums and products
/// that are used once may be taken apart. Constants move out of sums to meet others, and
/// x y + x z becomes x (y + z).
Recording simplified(const Recording& recording);

/// As record(), or nothing for a robot that is too large.
std::optional<Recording> record_if_small(const Model& model, Kernel kernel, std::string_view method);

/// Runs the formulation on Trace and simplifies. `method` as in make_method; kernels with their own way ignore it.
/// Throws InputError for a robot that is too large.
Recording record(const Model& model, Kernel kernel, std::string_view method = "auto");

}  // namespace ulna::trace
