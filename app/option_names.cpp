#include "option_names.hpp"

#include <array>
#include <string_view>
#include <utility>

namespace ulna::app {

namespace {

/// What the library says, and how a user of the command does it. The first ones stand at the beginning of an error that
/// has no file: its parameter came from the command line.
constexpr std::array<std::pair<std::string_view, std::string_view>, 31> words{{
    {"error: vary", "error: --vary"},
    {"error: rule", "error: --rule"},
    {"error: stiffness ", "error: --stiffness "},
    {"error: weights:", "error: --weights:"},
    {"error: pareto:", "error: --pareto:"},
    {"error: criteria:", "error: --criteria:"},
    {"error: effort:", "error: --effort:"},
    {"error: limits.", "error: --"},
    {"error: --torque_rate", "error: --torque-rate"},
    {"error: range '", "error: --range '"},
    {"error: require:", "error: --require:"},
    {"error: driven", "error: --drive"},
    {"error: q has", "error: --q has"},
    {"error: q:", "error: --q:"},
    {"error: mode ", "error: --mode "},
    {"--q0: error: start.q", "error: --q0"},
    {"--v0: error: start.v", "error: --v0"},
    {"need as many driven joints", "need as many --drive"},
    {"error: compiled code is for", "error: --compiled is for"},
    {"error: compiled code does not", "error: --compiled does not"},
    {"as in vary ", "as in --vary "},
    {"take fewer steps", "take fewer --steps"},
    {"the tip carries (tip_mass)", "the tip carries (--tip-mass)"},
    {"or the range ", "or --range "},
    {"allow more by most_steps", "allow more by --most-steps"},
    {"use method auto", "use --method auto"},
    {"leave threads out", "leave --threads out"},
    {"say scalar pack", "say --scalar pack"},
    {"resume it, or delete it", "go on with --resume, or delete it"},
    {"allow_nonphysical with a reason", "allow_nonphysical in the file, --allow-nonphysical REASON"},
    {"let the base float", "let the base float with --free-base"},
}};

}  // namespace

std::string with_option_names(std::string message) {
  for (const auto& [ours, theirs] : words) {
    const std::size_t at = message.find(ours);
    const bool at_a_file = ours.starts_with("error: ") && at != 0;
    if (at != std::string::npos && !at_a_file) message.replace(at, ours.size(), theirs);
  }
  return message;
}

}  // namespace ulna::app
