// The ways to assemble a mechanism: all closed positions that some joints' values leave.
#pragma once

#include <cstdint>
#include <functional>

#include "ulna/loop/assembly.hpp"

namespace ulna {

struct ModeSearch {
  int tries = 500;
  std::uint64_t seed = 1;
  /// Asked before each try with the share that is done; after false the modes found so far come back.
  std::function<bool(double part)> proceed{};
};

/// Closed positions that differ, the one next to q first if it closes, found by assembling from random positions.
/// With as many joints `held` as there are freedoms (velocity indices, one-degree joints) they are
/// finitely many; positions reached from many sides are found almost surely. Angles lie within ±π of q's.
/// Throws InputError for a robot without loops and for fewer tries than none.
std::vector<std::vector<double>> assembly_modes(const Model& model, VectorIn<double> q, std::span<const int> held,
                                                const ModeSearch& search = {});

}  // namespace ulna
