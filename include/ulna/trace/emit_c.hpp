// Recorded computations as C: straight-line functions for one robot, in a file that stands alone.
#pragma once

#include <string>
#include <vector>

#include "ulna/trace/recording.hpp"

namespace ulna::trace {

/// What the numbers of the generated functions are: double or float, one or a pack of several states.
struct CodeScalar {
  bool single = false;
  int lanes = 1;
  bool plain = false;  // C99 without GNU vectors: sines and cosines by <math.h>, as floats have them anyway

  bool is_pack() const { return lanes > 1; }
  bool has_library_turns() const { return !is_pack() && (single || plain); }
};

/// double, float, pack or float_pack; `lanes` of packs are 2, 4, 8 or 16, and for 0 as many as fit 32
/// bytes. `plain` is for double and float. Throws InputError otherwise.
CodeScalar code_scalar_named(std::string_view name, int lanes, bool plain = false);

/// One function of the file.
struct Function {
  std::string word;  // of its name
  std::string method;
  Recording recording;
  bool divides = false;  // by the inertia matrix, whose condition costs digits in its check
};

/// Numbers for the file's self-check: what the generic path gives at one state.
struct CheckCase {
  std::vector<std::vector<double>> inputs, outputs;  // array by array, as in the recording
};

struct CodeFile {
  std::string robot;   // its name
  std::string prefix;  // of all functions: a C identifier
  CodeScalar scalar;
  std::vector<Function> functions;
  std::vector<CheckCase> checks;  // one per function, or none
  std::string robot_hash;         // of the robot's file, for the comment; may be empty
  std::string payload_frame;      // where the input `payload` of its functions is; empty without one
  std::string wrench_frame;       // the link that their input `wrench` acts on; empty without one
};

/// The C source, and the header that declares its functions.
std::string c_source(const CodeFile& file, const std::string& header_name);
std::string c_header(const CodeFile& file);

/// A C identifier made of a robot's name.
std::string c_identifier(const std::string& name);

/// 64 bits of a text, the same on every machine.
std::string content_hash(std::string_view text);

}  // namespace ulna::trace
