// A robot's own code: which recordings go into a file, and numbers to check it with.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "ulna/trace/emit_c.hpp"

namespace ulna::trace {

struct CodeOptions {
  std::string method = "auto";
  RecordOptions inputs{};  // of the functions that they matter for
  std::string prefix{};    // of the functions' names, a C identifier; empty: from the robot's name
};

/// The quantities of the robot, its parameters regrouped unless that changes what the method gives, each by the given
/// method or, for "auto", by the one that counts fewest operations among those with the same result. With a check case
/// at one state (fixed seed). Where a payload is an input, the model's own payload at that body is left out.
CodeFile generate_code(const Model& model, std::span<const Quantity> quantities, CodeScalar scalar,
                       const CodeOptions& options = {});

/// What the library computes itself for these inputs, array by array. The method matters only where the quantity is not
/// unique, the options' frames and reference for poses and Jacobians, wrenches for inverse and forward dynamics.
std::vector<std::vector<double>> generic_result(const Model& model, Quantity quantity,
                                                const std::vector<std::vector<double>>& inputs,
                                                std::string_view method = "auto", const RecordOptions& options = {},
                                                Wrenches<double> external = {});

/// Wrenches at the mass centres of `model` as ones at those of `loaded`, the same robot with a payload; the positions
/// are those of `chain`.
void move_wrenches(const Model& model, const Model& loaded, const Kinematics<double>& chain,
                   std::span<Force<double>> wrenches);

/// Inputs of the quantity at a random state.
std::vector<std::vector<double>> random_inputs(const Model& model, Quantity quantity, unsigned seed);

}  // namespace ulna::trace
