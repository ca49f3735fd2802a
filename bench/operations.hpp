// The work of one state, which a time becomes a share of the machine's peak by.
#pragma once

#include "ulna/model/transform.hpp"
#include "ulna/trace/recording.hpp"

namespace ulna::bench {

/// Additions and multiplications of one state, those of its sines and cosines (trace/sincos_c.cpp) too.
inline double operations(const Model& model, Quantity quantity) {
  constexpr double of_sincos = 37.0;
  const Model own = regrouped(model);
  const trace::Counts counts = trace::record(own, quantity, trace::cheapest_method(own, quantity)).counts();
  return counts.arithmetic() + of_sincos * counts.sincos;
}

}  // namespace ulna::bench
