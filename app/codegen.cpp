#include <fmt/format.h>

#include <filesystem>

#include "command.hpp"
#include "output.hpp"
#include "report/run_files.hpp"
#include "ulna/export/atomic_file.hpp"
#include "ulna/trace/generate.hpp"

namespace ulna::app {

namespace {

struct CodegenOptions : RobotOptions {
  std::string of = "id,fd", scalar = "double", method = "auto", output;
  int lanes = 0;
};

void run(const CodegenOptions& options) {
  const std::filesystem::path path(options.output);
  if (path.extension() != ".c")
    throw InputError(fmt::format("-o wants a name that ends with .c, not '{}'", options.output));
  const std::vector<trace::Kernel> kernels = trace::kernels_named(options.of);
  const Graph graph = options.graph();
  const Model model = build(graph);
  trace::CodeFile file =
      trace::generate_code(model, kernels, trace::code_scalar_named(options.scalar, options.lanes), options.method);
  file.robot_hash = robot_hash(graph);
  const std::filesystem::path header = std::filesystem::path(path).replace_extension(".h");
  write_file(header.string(), trace::c_header(file));
  write_file(path.string(), trace::c_source(file, header.filename().string()));
  Json functions = Json::array();
  for (const trace::Function& function : file.functions) {
    const trace::Counts counts = function.recording.counts();
    const std::string name = fmt::format("{}_{}", file.prefix, trace::name_of(function.kernel));
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
      "Quantities as in `ulna count`: gim, c, mci, id, fd, phi, did, dfd, gravity, fk, jacobian. External wrenches "
      "have\n"
      "no place in it.\n"
      "Example: ulna codegen puma560 --of id,fd -o puma.c\n"
      "         cc -std=c99 -O3 -march=native -ffp-contract=fast -DULNA_SELF_CHECK puma.c -lm -o check && ./check");
  auto options = std::make_shared<CodegenOptions>();
  options->add_to(*command);
  command->add_option("--of", options->of, "what to generate, comma-separated; id,fd without it");
  command->add_option("--scalar", options->scalar, "double, float, pack or float_pack (several states side by side)");
  command->add_option("--lanes", options->lanes, "states in a pack: 2, 4, 8 or 16; 4 doubles or 8 floats without it")
      ->check(one_of({"2", "4", "8", "16"}))
      ->type_name("N");
  add_method_option(*command, options->method);
  command->add_option("-o,--output", options->output, "the C file; its header goes beside it")
      ->required()
      ->type_name("FILE.c");
  command->callback([options] { run(*options); });
}

}  // namespace ulna::app
