#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <sstream>

#include "command.hpp"
#include "interrupt.hpp"
#include "option_names.hpp"
#include "terminal.hpp"
#include "ulna/base/nearest_word.hpp"
#include "ulna/batch/instruction_set.hpp"
#include "ulna/study/ranks.hpp"

namespace {

#if defined(__OPTIMIZE__)
constexpr bool optimised = true;
#else
constexpr bool optimised = false;
#endif

/// CLI11's own word for an unknown command does not name it.
void expect_known_command(const CLI::App& app, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  if (word.starts_with("-") || std::find(names.begin(), names.end(), word) != names.end()) return;
  throw ulna::InputError(fmt::format("unknown command '{}'; {}try `ulna --help`", word, ulna::guess_for(word, names)));
}

/// "unknown option '--jsn'; did you mean '--json'?", or what there is too much of.
std::string words_for_extra(const CLI::App& command) {
  const std::vector<std::string> extra = command.remaining();
  const auto option = std::find_if(extra.begin(), extra.end(), [](const auto& word) { return word.starts_with("-"); });
  if (option == extra.end()) return fmt::format("'{}' is one argument too many", extra.front());
  const std::string name = option->substr(0, option->find('='));
  std::vector<std::string> names;
  for (const CLI::Option* known : command.get_options())
    for (const std::string& word : known->get_lnames()) names.push_back("--" + word);
  return fmt::format("unknown option '{}'; {}", name, ulna::guess_for(name, names));
}

/// In the words of the other errors, and with the help that belongs to the command.
std::string words_for(const CLI::ParseError& e, const CLI::App& app) {
  const std::vector<CLI::App*> used = app.get_subcommands();
  const CLI::App& command = used.empty() ? app : *used.front();
  std::string text = e.what();
  const std::string required = " is required";
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&e) != nullptr)  // "At Most 1 required but received 2"
    text = text.substr(0, text.find(':')) + " wants one value";
  else if (dynamic_cast<const CLI::RequiredError*>(&e) != nullptr && text.ends_with(required))
    text.replace(text.size() - required.size(), required.size(), " is missing");
  else if (dynamic_cast<const CLI::ExtrasError*>(&e) != nullptr && !command.remaining().empty())
    text = words_for_extra(command);
  return fmt::format("{}{}try `ulna {}--help`", text, text.ends_with(' ') ? "" : "; ",
                     used.empty() ? "" : command.get_name() + " ");
}

int run(int argc, char** argv) {
  CLI::App app{
      "Dynamics of robot arms: kinematics, torques, accelerations, matrices and simulation,\n"
      "from a DH table, a URDF, MJCF or SDF file.\n"
      "A ROBOT is a bundled name (see `ulna robots`), chain:N, general:N, the path of a .toml,\n"
      ".urdf, .sdf or .xml (MJCF) file, or - for any of them on standard input.\n"
      "Numbers are comma-separated, SI units and radians; 90deg is understood."};
  app.name("ulna");
  app.set_version_flag("--version", fmt::format("ulna {} (build for {})", ulna::version, ulna::instruction_set()));
  app.require_subcommand(1);
  app.get_formatter()->column_width(34);
  app.footer(
      "Examples: ulna simulate stanford_free_fall\n          ulna id puma560 --q 0,-90deg,0,0,0,0\n`ulna COMMAND "
      "--help` tells more.");
  ulna::app::Outcome outcome;
  using namespace ulna::app;
  add_robots(app, outcome);
  add_show(app, outcome);
  add_check(app, outcome);
  add_convert(app, outcome);
  add_fk(app, outcome);
  add_ik(app, outcome);
  add_id(app, outcome);
  add_fd(app, outcome);
  add_matrices(app, outcome);
  add_linearise(app, outcome);
  add_plan(app, outcome);
  add_size(app, outcome);
  add_workspace(app, outcome);
  add_loop(app, outcome);
  add_count(app, outcome);
  add_codegen(app, outcome);
  add_select(app, outcome);
  add_reproduce(app, outcome);
  add_bench(app, outcome);
  add_scenarios(app, outcome);
  add_simulate(app, outcome);
  add_studio(app, outcome);
  add_completion(app, outcome);
  add_man(app, outcome);
  if (argc <= 1) {
    fmt::print("{}", app.help());
    return 0;
  }
  expect_known_command(app, argv[1]);
  if (!optimised)
    fmt::print(stderr, "note: this build of ulna is not optimised and many times slower than a release build\n");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) {  // --help, --version
      std::ostringstream text;
      app.exit(e, text, text);
      fmt::print("{}", text.str());
      return 0;
    }
    throw ulna::InputError(words_for(e, app));
  }
  return outcome.exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  ulna::app::guard_standard_streams();
  ulna::app::end_cleanly_on_signals();
  try {
    const int code = run(argc, argv);
    const std::string failure = ulna::app::finish_standard_output();
    if (failure.empty()) return code;
    fmt::print(stderr, "error: the output could not be written: {}\n", failure);
  } catch (const ulna::InputError& e) {
    const auto launched = ulna::launched_rank();  // one of many that all find the same wrong
    if (!launched || launched->rank == 0) fmt::print(stderr, "{}\n", ulna::app::with_option_names(e.what()));
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "error: out of memory; is the robot as large as you meant it to be?\n");
  } catch (const std::exception& e) {
    fmt::print(stderr, "error: {}\n", e.what());
  }
  return 2;
}
