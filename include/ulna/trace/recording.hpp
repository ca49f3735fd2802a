// A robot's computation, recorded: the graph with its inputs and outputs.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ulna/dynamics/method.hpp"
#include "ulna/kinematics/kinematics.hpp"
#include "ulna/trace/op_graph.hpp"

namespace ulna::trace {

/// One array of inputs or outputs.
struct Array {
  std::string name;
  std::vector<Ref> elements;
  /// Another output A, if the result is −A X, of square matrices, and the elements are those of X: generated code has a
  /// loop for it, which fills SIMD registers.
  std::string minus_times{};
  /// Of an output: elements that are constants are not written. The caller's array holds them already.
  bool changing_only = false;
};

/// The elements of an array as numbers, where they are constants; 0 elsewhere.
std::vector<double> constants_of(const OpGraph& graph, const Array& array);

/// An array of inputs; the scalars that stand for it in the recording's algorithm.
std::vector<Trace> make_input(OpGraph& graph, const std::string& name, int size, Array& array);
/// An array of outputs.
Array output_of(OpGraph& graph, const std::string& name, const std::vector<Trace>& values);

/// Rows of a square matrix.
int order_of(const Array& matrix);

struct Recording {
  std::unique_ptr<OpGraph> graph;
  std::vector<Array> inputs, outputs;
  std::map<std::uint32_t, std::string> names;  // of nodes that are quantities of the formulation

  std::vector<Ref> results() const;
  /// Products that are left to loops included.
  Counts counts() const;
};

/// What recordings take as inputs besides, and the frames that they are for. Frames of the recorded model.
struct RecordOptions {
  /// Where the robot may carry a payload: ten numbers, the last input. They are an inertia (mass, first moment x, y, z,
  /// inertia about the origin xx, yy, zz, xy, xz, yz, all in the axes of the frame) that its body has besides.
  const Frame* payload = nullptr;
  /// A link that an external wrench acts on: moment x, y, z and force x, y, z at the mass centre of its moving body,
  /// without a payload that is an input, in world axes; for inverse and forward dynamics.
  const Frame* wrench = nullptr;
  /// The same on every moving body instead: the input `wrenches`, six numbers each.
  bool wrenches = false;
  /// Of the poses and Jacobians, one after the other; none: the tip.
  std::vector<Frame> frames{};
  Reference reference = Reference::world_axes;  // of the Jacobians
  /// Bodies that have an inertia besides, each at its frame as for a payload: the input `inertias`, ten numbers each,
  /// for all quantities that change with what the robot carries. Not the payload's body.
  std::vector<Frame> varied{};
  /// The last products of derivatives of forward dynamics, −M⁻¹ ∂τ/∂q and −M⁻¹ ∂τ/∂v, are left to loops.
  bool products_apart = false;
};

/// Whether a formulation of the registry gives the quantity for this robot.
bool can_record(const MethodInfo& method, Quantity quantity, const Model& model);

/// Throws InputError if the formulation does not give the quantity for this robot.
void expect_recordable(const Model& model, Quantity quantity, std::string_view method);

/// The formulation that gives the quantity with the fewest operations; of equals the first in the
/// registry. Throws InputError if there is none.
std::string cheapest_method(const Model& model, Quantity quantity, const RecordOptions& options = {});

/// The same functions by fewer operations, from what only the whole graph tells: sums and products
/// that are used once may be taken apart. Constants move out of sums to meet others, and
/// x y + x z becomes x (y + z).
Recording simplified(const Recording& recording);

/// Throws InputError for a frame on the ground, std::invalid_argument for one of another model.
void expect_moving(const Model& model, const Frame& frame);

/// Throws InputError for a formulation that computes with inertias beforehand.
void expect_payload_method(std::string_view method);

/// Whether the quantity changes with what the robot carries.
bool has_payload(Quantity quantity);
/// Whether it changes with an external wrench and takes one.
bool has_wrench(Quantity quantity);

/// As record(), or nothing for a robot that is too large.
std::optional<Recording> record_if_small(const Model& model, Quantity quantity, std::string_view method,
                                         const RecordOptions& options = {});

/// Runs the formulation on Trace and simplifies. `method` as in make_method; quantities with their own way ignore it.
/// Throws InputError for a robot that is too large, and for a payload with a formulation that computes with inertias
/// beforehand.
Recording record(const Model& model, Quantity quantity, std::string_view method = "auto",
                 const RecordOptions& options = {});

}  // namespace ulna::trace
