// What the nodes of a recording are, for people: ω of the third link is omega3_x and so on.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "ulna/model/model.hpp"
#include "ulna/trace/recording.hpp"

#pragma GCC visibility push(hidden)
namespace ulna::trace {

/// Runs the formulation once more on the recorded inputs: everything it computes is in the graph
/// already, and its workspace tells which node is which quantity. Links count from 1.
std::map<std::uint32_t, std::string> quantity_names(const Model& model, Quantity quantity, std::string_view method,
                                                    const std::vector<std::vector<Trace>>& inputs);

}  // namespace ulna::trace
#pragma GCC visibility pop
