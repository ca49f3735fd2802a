#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "command.hpp"
#include "io/report/run_head.hpp"
#include "output.hpp"
#include "ulna/base/atomic_file.hpp"
#include "ulna/trace/generate.hpp"

namespace ulna::app {

namespace {

struct CodegenOptions : RobotOptions {
  std::string of = "id,fd", scalar = "double", method = "auto", prefix, frame, payload_input, wrench_input, output;
  int lanes = 0;
  bool plain = false;
};

/// The C file includes its header by this name; "??" begins a trigraph.
void expect_includable(const std::string& name) {
  const auto breaks = [](char c) { return c == '"' || c == '\\' || static_cast<unsigned char>(c) < ' '; };
  if (std::none_of(name.begin(), name.end(), breaks) && name.find("??") == std::string::npos) return;
  throw InputError(fmt::format(
      "-o: C cannot include a header called as '{}', which must have no quotes, backslashes, control characters and ??",
      name));
}

/// The C file is named by the caller; its header must not replace what somebody else wrote.
void expect_own_header(const std::filesystem::path& header) {
  std::ifstream file(header);
  std::string first;
  if (!std::getline(file, first) || first.find("written by ulna") != std::string::npos) return;
  throw InputError(Source{header.string(), 0}, "would be replaced, and Ulna did not write it; choose another name");
}

/// The one that an option names; nullptr without.
const Frame* frame_of(const Model& model, const char* option, const std::string& name) {
  if (name.empty()) return nullptr;
  const Frame* frame = model.find_frame(name);
  if (frame == nullptr)
    throw InputError(fmt::format("{}: '{}' is not a link or frame of this robot; see `ulna show`", option, name));
  return frame;
}

void run(const CodegenOptions& options) {
  const std::filesystem::path path(options.output);
  if (path.extension() != ".c")
    throw InputError(fmt::format("-o wants a name that ends with .c, not '{}'", options.output));
  expect_includable(path.filename().string());
  const std::vector<Quantity> quantities = quantities_named(options.of);
  const Graph graph = options.graph();
  const Model model = build(graph);
  expect_tree(model);
  trace::RecordOptions inputs{.payload = frame_of(model, "--payload-input", options.payload_input),
                              .wrench = frame_of(model, "--wrench-input", options.wrench_input)};
  if (const Frame* frame = frame_of(model, "--frame", options.frame)) inputs.frames = {*frame};
  trace::CodeFile file =
      trace::generate_code(model, quantities, trace::code_scalar_named(options.scalar, options.lanes, options.plain),
                           {.method = options.method, .inputs = inputs, .prefix = options.prefix});
  file.robot_hash = robot_hash(graph);
  const std::filesystem::path header = std::filesystem::path(path).replace_extension(".h");
  expect_own_header(header);
  expect_other_file(options.robot, path.string());
  AtomicFile source(path.string()), declarations(header.string());
  source.write(trace::c_source(file, header.filename().string()));
  declarations.write(trace::c_header(file));
  source.finish();
  declarations.finish();
  declarations.put_in_place();
  source.put_in_place();
  Json functions = Json::array();
  for (const trace::Function& function : file.functions) {
    const trace::Counts counts = function.recording.counts();
    const std::string name = fmt::format("{}_{}", file.prefix, function.word);
    functions.push_back({{"name", name},
                         {"method", function.method},
                         {"mul", counts.multiplications},
                         {"add", counts.additions},
                         {"div", counts.divisions},
                         {"sincos", counts.sincos}});
    if (!options.json)
      fmt::print("{}: {} {} M, {} A\n", name, function.method, counts.multiplications + counts.divisions,
                 counts.additions);
  }
  if (options.json)
    return print_json({{"source", path.string()}, {"header", header.string()}, {"functions", functions}});
  fmt::print("written: {} and {}\n", path.string(), header.string());
}

}  // namespace

void add_codegen(CLI::App& app, Outcome&) {
  CLI::App* command = app.add_subcommand("codegen", "the robot's own dynamics as a C file that stands alone");
  command->footer(
      "Quantities as in `ulna count`: gim, minv, c, mci, id, fd, phi, did, dfd, gravity, fk, jacobian.\n"
      "Example: ulna codegen puma560 --of id,fd -o puma.c\n"
      "         cc -std=c99 -O3 -march=native -ffp-contract=fast -DULNA_SELF_CHECK puma.c -lm -o check && ./check");
  auto options = std::make_shared<CodegenOptions>();
  options->add_to(*command);
  command->add_option("--of", options->of, "what to generate, comma-separated (default: id,fd)")
      ->type_name("QUANTITY,...");
  command->add_option("--scalar", options->scalar, "pack and float_pack: several states side by side")
      ->check(one_of({"double", "float", "pack", "float_pack"}))
      ->capture_default_str();
  command->add_option("--lanes", options->lanes, "states in a pack: 2, 4, 8 or 16 (default: 4 doubles or 8 floats)")
      ->check(one_of({"2", "4", "8", "16"}))
      ->type_name("N");
  command->add_flag("--plain", options->plain,
                    "C99 without GNU vectors: sines and cosines by <math.h>, as floats have");
  add_method_option(*command, options->method);
  command->add_option("--prefix", options->prefix, "how the functions' names begin (default: the robot's name)")
      ->type_name("NAME");
  command->add_option("--frame", options->frame, "the link or frame that fk and jacobian are of (default: the tip)")
      ->type_name("FRAME")
      ->check(not_empty("has no name behind it"));
  command
      ->add_option("--wrench-input", options->wrench_input,
                   "id and fd take a wrench on this link as an input: moment and force in world axes, at the mass\n"
                   "centre of its moving body")
      ->type_name("FRAME")
      ->check(not_empty("has no name behind it"));
  command
      ->add_option("--payload-input", options->payload_input,
                   "the functions take what this link or frame carries as their last input, ten numbers")
      ->type_name("FRAME")
      ->check(not_empty("has no name behind it"));
  add_output_option(*command, options->output, "the C file; its header goes beside it", "FILE.c")->required();
  command->callback([options] { run(*options); });
}

}  // namespace ulna::app
