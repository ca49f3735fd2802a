// Motors that joints share, in MJCF: rotors of their own in the world, which tendons tie to the joints.
#pragma once

#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "ulna/model/graph.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

/// kg and kg·m²: MuJoCo wants more than 1e-15 of every body that moves, also of points and rods.
inline constexpr double least_of_mujoco = 1e-14;

/// A fixed tendon that an equality holds at its length: a sum of positions that stays.
struct MjcfTie {
  std::string name;
  std::vector<std::pair<std::string, double>> joints;  // and their parts in the sum
  Source source;
};

struct CoupledRotors {
  std::vector<GraphCoupling> couplings{};
  std::unordered_set<std::string> ties{}, joints{};  // of the rotors
};

/// Those of ties that hold as many rotors as the joints that they turn with. A rotor hangs on a hinge in the world
/// through its mass centre, carries nothing and has no limits.
CoupledRotors coupled_rotors(const Graph& graph, const std::vector<MjcfTie>& ties);
/// The joints of rotors and their bodies.
void remove_rotors(Graph& graph, const std::unordered_set<std::string>& joints);

/// Of the rotor of a motor, by its number from 0; the tie has its name too.
std::string rotor_name(const GraphCoupling& coupling, std::size_t motor);

}  // namespace ulna
#pragma GCC visibility pop
