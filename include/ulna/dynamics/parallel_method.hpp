// Forward dynamics of one state on several threads, by name, behind the interface of the formulations.
#pragma once

#include "ulna/dynamics/method.hpp"

namespace ulna {

/// How forward dynamics of a robot is fastest: link after link, or the chain in segments.
enum class ChainPath { serial, segments };

/// As measured (bench/bench_chains.cpp, doc/long_chains.md), by the number of links, the threads and how
/// well the segments fill SIMD lanes. Robots that branch are serial.
ChainPath fastest_chain_path(const Model& model, int threads);

/// `articulated_body` or `constraint_force` in segments on so many threads, or `auto`: articulated_body by
/// fastest_chain_path. Throws InputError if the formulation has no parallel path or does not support the robot.
std::unique_ptr<Method<double>> make_parallel_method(std::string_view name, const Model& model, int threads);
std::unique_ptr<Method<double>> make_parallel_method(std::string_view name, Model&& model, int threads) = delete;

}  // namespace ulna
