// What can be computed of a robot: the one list of it, for formulations, recordings, generated code and batches.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ulna {

enum class Quantity {
  inverse_dynamics,     // id: tau of q, v, a
  forward_dynamics,     // fd: a of q, v, tau
  mass_matrix,          // gim: M(q)
  inverse_mass_matrix,  // minv: M⁻¹(q)
  coriolis_matrix,      // c: C(q, v) with Ṁ − 2C skew-symmetric
  convective_inertia,   // mci: a matrix with the same product C v and no other promise
  gravity,              // gravity: g(q)
  inverse_inertia,      // phi: a = M⁻¹ phi of q, phi: forward dynamics with the bias given
  inverse_derivatives,  // did: dtau_dq, dtau_dv of q, v, a
  forward_derivatives,  // dfd: a, da_dq, da_dv, da_dtau of q, v, tau
  pose,                 // fk: rotation and position of a frame
  jacobian,             // jacobian: 6 × nv of a frame, angular first, world axes
};

/// For sentences: "inverse dynamics".
std::string_view name_of(Quantity quantity);
/// Its word, as the command line and generated code have it: "id".
std::string_view word_of(Quantity quantity);
std::vector<std::string> quantity_words();
/// Throws InputError with the known words.
Quantity quantity_named(std::string_view word);
/// Several, separated by commas, each once; throws InputError for none.
std::vector<Quantity> quantities_named(const std::string& list);

/// All formulations give the same numbers; of C and MCI each has its own.
bool is_unique(Quantity quantity);
/// There is one way to it and no formulation to choose: kinematics and derivatives.
bool has_own_way(Quantity quantity);

}  // namespace ulna
