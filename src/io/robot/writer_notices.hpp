// What formats other than TOML have no place for, said in the same words by all of them.
#pragma once

#include <string>
#include <vector>

#include "ulna/model/graph.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

/// A sentence for each thing of this graph that `format` leaves out.
void note_left_out(const Graph& graph, const std::string& format, std::vector<std::string>& notices);

/// Postures, for formats without any.
void note_postures(const Graph& graph, const std::string& format, std::vector<std::string>& notices);

/// Motors that joints share: throws InputError, or leaves them out where their armature may be dropped.
void refuse_couplings(const Graph& graph, const std::string& format, bool may_drop, std::vector<std::string>& notices);

}  // namespace ulna
#pragma GCC visibility pop
