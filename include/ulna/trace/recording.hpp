// A robot's computation, recorded: the graph with its inputs and outputs.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ulna/dynamics/method.hpp"
#include "ulna/trace/op_graph.hpp"

namespace ulna::trace {

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

/// Whether a formulation of the registry gives the quantity for this robot.
bool can_record(const MethodInfo& method, Quantity quantity, const Model& model);

/// Throws InputError if the formulation does not give the quantity for this robot.
void expect_recordable(const Model& model, Quantity quantity, std::string_view method);

/// The formulation that gives the quantity with the fewest operations; of equals the first in the
/// registry. Throws InputError if there is none.
std::string cheapest_method(const Model& model, Quantity quantity, const Frame* payload = nullptr);

/// The same functions by fewer operations, from what only the whole graph tells: sums and products
/// that are used once may be taken apart. Constants move out of sums to meet others, and
/// x y + x z becomes x (y + z).
Recording simplified(const Recording& recording);

/// Throws InputError for a frame on the ground, std::invalid_argument for one of another model.
void expect_carrier(const Model& model, const Frame& payload);

/// Whether the quantity changes with what the robot carries.
bool has_payload(Quantity quantity);

/// As record(), or nothing for a robot that is too large.
std::optional<Recording> record_if_small(const Model& model, Quantity quantity, std::string_view method,
                                         const Frame* payload = nullptr);

/// Runs the formulation on Trace and simplifies. `method` as in make_method; quantities with their own way ignore it.
/// With a frame for a payload the recording has one input more, the last: the ten numbers of the inertia (mass, first
/// moment x, y, z, inertia about the origin xx, yy, zz, xy, xz, yz, all in the axes of the frame) of what its body
/// carries besides. Throws InputError for a robot that is too large and for a formulation that computes with inertias
/// beforehand.
Recording record(const Model& model, Quantity quantity, std::string_view method = "auto",
                 const Frame* payload = nullptr);

}  // namespace ulna::trace
