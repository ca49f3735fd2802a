// The linear feedback u = −K x that costs least: ∫ xᵀQx + uᵀRu dt.
//
// The Riccati equations are solved by doubling, which keeps their structure and converges quadratically: Chu, Fan and
// Lin, "A structure-preserving doubling algorithm for continuous-time algebraic Riccati equations", Linear Algebra and
// its Applications 396 (2005).
#pragma once

#include <string>

#include "ulna/control/linear_system.hpp"

namespace ulna {

/// The diagonals of Q and R: 0 or more, and more than 0.
struct LqrWeights {
  std::vector<double> state{}, input{};
};

struct LqrGains {
  std::vector<double> K{};                    // inputs × states, column by column
  std::vector<double> P{};                    // states × states: x(0)ᵀP x(0) is what the way from x(0) costs
  std::vector<std::complex<double>> poles{};  // of the closed loop; those of a sampled one are within the unit circle
  std::string reason{};  // why there are none: a mode that does not die out and is not controllable

  bool found() const { return reason.empty(); }
};

/// Throws InputError for weights that are not one for each state and input, or of the wrong sign.
LqrGains lqr(const LinearSystem& system, const LqrWeights& weights);

/// For inputs that are held for `period` seconds: of the same cost, with what happens between the samples.
LqrGains sampled_lqr(const LinearSystem& system, const LqrWeights& weights, double period);

}  // namespace ulna
