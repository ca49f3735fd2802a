#include <fmt/format.h>
#include <fmt/ranges.h>

#include "command.hpp"
#include "simulate/column_words.hpp"
#include "study/select/criterion_rows.hpp"
#include "ulna/dynamics/quantity.hpp"
#include "ulna/io/scenario/load.hpp"

namespace ulna::app {

namespace {

/// What may stand where: words, and files of some endings or folders.
struct Values {
  std::vector<std::string> words;
  bool files = false, folders = false;
  std::string names;     // of the robot in the line: joints or frames, see `ulna show --names`
  bool is_list = false;  // with commas between
  std::string behind;    // each: "=" where a value follows
};

struct OptionWords {
  std::vector<std::string> names;  // as typed: -o, --output
  Values values;
  bool takes_value;
  std::string help;
};

struct CommandWords {
  std::string name, help;
  std::vector<OptionWords> options;
  Values positional;
};

/// "TEXT:{a,b,c}": what one_of() leaves in the type's name.
std::vector<std::string> members_in(const std::string& type) {
  const std::size_t from = type.find('{'), to = type.find('}');
  if (from == std::string::npos || to == std::string::npos) return {};
  return words_of(type.substr(from + 1, to - from - 1));
}

/// Words that only some options take, by the names of these.
std::vector<std::string> words_for(const CLI::Option& option) {
  std::vector<std::string> words;
  if (option.check_name("--of")) return quantity_words();
  if (option.check_name("--weights")) return selection::criterion_keys(true);
  if (option.check_name("--pareto")) return selection::criterion_keys(false);
  if (option.check_name("--keep"))
    for (const std::string_view word : column_words(trajectory_columns(load("planar2r"), true)))
      words.emplace_back(word);
  if (option.check_name("--method")) {
    words.emplace_back("auto");
    for (const MethodInfo& method : methods()) words.emplace_back(method.name);
  }
  if (option.check_name("--integrator"))
    for (const IntegratorInfo& info : integrators()) words.emplace_back(info.name);
  return words;
}

Values values_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  Values values;
  values.words = members_in(type);
  if (values.words.empty()) values.words = words_for(option);
  if (type.starts_with("JOINT")) values.names = "joints";
  if (type.starts_with("LINK") || type.starts_with("FRAME")) values.names = "frames";
  values.is_list = (type.ends_with(",...") || type == "KEY,KEY") && !values.words.empty();
  if (type.find('=') != std::string::npos) values.behind = "=";
  if (type.find("SCENARIO") != std::string::npos)
    for (const BundledScenario& scenario : bundled_scenarios()) values.words.push_back(scenario.name);
  const bool is_robot = type.starts_with("ROBOT") || type.ends_with("|ROBOT");
  if (is_robot)
    for (const BundledRobot& robot : bundled_robots()) values.words.push_back(robot.name);
  values.folders = type.find("FOLDER") != std::string::npos;
  values.files = type.find("FILE") != std::string::npos || is_robot;
  return values;
}

std::vector<CommandWords> commands_of(const CLI::App& app) {
  std::vector<CommandWords> commands;
  for (const CLI::App* command : app.get_subcommands({})) {
    CommandWords words{command->get_name(), command->get_description(), {}, {}};
    for (const CLI::Option* option : command->get_options()) {
      if (option->get_positional()) {
        words.positional = values_of(*option);  // no command has more than one
        continue;
      }
      OptionWords entry{{}, values_of(*option), option->get_items_expected_max() != 0, option->get_description()};
      for (const std::string& name : option->get_snames()) entry.names.push_back("-" + name);
      for (const std::string& name : option->get_lnames()) entry.names.push_back("--" + name);
      words.options.push_back(std::move(entry));
    }
    commands.push_back(std::move(words));
  }
  return commands;
}

std::string bash_values(const Values& values) {
  if (!values.names.empty()) return fmt::format("_ulna_names {} '{}'", values.names, values.behind);
  if (values.is_list) return fmt::format("_ulna_list '{}' '{}'", fmt::join(values.words, " "), values.behind);
  std::string text = fmt::format("COMPREPLY=($(compgen -W \"{}\" -- \"$cur\"))", fmt::join(values.words, " "));
  if (values.files) text += "; COMPREPLY+=($(compgen -f -- \"$cur\")); compopt -o filenames";
  if (values.folders) text += "; COMPREPLY+=($(compgen -d -- \"$cur\")); compopt -o filenames";
  return text;
}

std::string bash_script(const std::vector<CommandWords>& commands) {
  std::vector<std::string> names;
  std::string after_option, after_command;
  for (const CommandWords& command : commands) {
    names.push_back(command.name);
    std::vector<std::string> options;
    for (const OptionWords& option : command.options) {
      options.insert(options.end(), option.names.begin(), option.names.end());
      if (!option.takes_value) continue;
      std::vector<std::string> patterns;
      for (const std::string& name : option.names) patterns.push_back(fmt::format("\"{} {}\"", command.name, name));
      after_option += fmt::format("    {}) {}; return ;;\n", fmt::join(patterns, "|"), bash_values(option.values));
    }
    after_command +=
        fmt::format("    {}) if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W \"{}\" -- \"$cur\")); else {}; fi ;;\n",
                    command.name, fmt::join(options, " "), bash_values(command.positional));
  }
  return fmt::format(
      "# bash completion for ulna, written by `ulna completion bash`\n"
      "# Words with commas between: the last one is completed.\n"
      "_ulna_list() {{\n"
      "  local head=; [[ $cur == *,* ]] && head=${{cur%,*}},\n"
      "  COMPREPLY=($(compgen -P \"$head\" -S \"$2\" -W \"$1\" -- \"${{cur##*,}}\")); compopt -o nospace\n"
      "}}\n"
      "# Names of the robot in the line. They come from its file: nothing in them may be expanded.\n"
      "_ulna_names() {{\n"
      "  local word name robot= head=; [[ $cur == *,* ]] && head=${{cur%,*}},\n"
      "  for word in \"${{COMP_WORDS[@]:2}}\"; do [[ $word != -* ]] && {{ robot=$word; break; }}; done\n"
      "  while IFS= read -r name; do\n"
      "    [[ $name == \"${{cur##*,}}\"* ]] && COMPREPLY+=(\"$head$(printf %q \"$name\")$2\")\n"
      "  done < <(\"${{COMP_WORDS[0]}}\" show \"$robot\" --names \"$1\" 2>/dev/null </dev/null)\n"
      "  [[ -z $2 ]] || compopt -o nospace\n"
      "}}\n"
      "_ulna() {{\n"
      "  local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}}\n"
      "  COMPREPLY=()\n"
      "  if (( COMP_CWORD == 1 )); then COMPREPLY=($(compgen -W \"--help --version {}\" -- \"$cur\")); return; fi\n"
      "  case \"${{COMP_WORDS[1]}} $prev\" in\n{}  esac\n"
      "  case \"${{COMP_WORDS[1]}}\" in\n{}  esac\n"
      "}}\n"
      "complete -F _ulna ulna\n",
      fmt::join(names, " "), after_option, after_command);
}

std::string zsh_script(const std::vector<CommandWords>& commands) {
  return "#compdef ulna\nautoload -U +X bashcompinit && bashcompinit\ncompopt() { :; }\n" + bash_script(commands);
}

/// In single quotes.
std::string fish_text(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return out + "'";
}

std::string fish_script(const std::vector<CommandWords>& commands) {
  std::string out =
      "# fish completion for ulna, written by `ulna completion fish`\ncomplete -c ulna -f\n"
      "function __ulna_names\n"
      "  for word in (commandline -opc)[3..-1]\n"
      "    if not string match -q -- '-*' $word\n"
      "      ulna show $word --names $argv[1] 2>/dev/null </dev/null\n"
      "      break\n"
      "    end\n"
      "  end\n"
      "end\n";
  for (const CommandWords& command : commands)
    out +=
        fmt::format("complete -c ulna -n __fish_use_subcommand -a {} -d {}\n", command.name, fish_text(command.help));
  for (const CommandWords& command : commands) {
    const std::string when = fmt::format("complete -c ulna -n '__fish_seen_subcommand_from {}'", command.name);
    const Values& positional = command.positional;
    if (!positional.words.empty())
      out += fmt::format("{} -a {}\n", when, fish_text(fmt::format("{}", fmt::join(positional.words, " "))));
    if (positional.files) out += when + " -F\n";
    for (const OptionWords& option : command.options) {
      out += when;
      for (const std::string& name : option.names)
        out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      if (option.takes_value) out += option.values.files || option.values.folders ? " -r -F" : " -x";
      if (!option.values.words.empty())
        out += " -a " + fish_text(fmt::format("{}", fmt::join(option.values.words, " ")));
      if (!option.values.names.empty()) out += fmt::format(" -a '(__ulna_names {})'", option.values.names);
      out += " -d " + fish_text(option.help) + "\n";
    }
  }
  return out;
}

}  // namespace

void add_completion(CLI::App& app, Outcome&) {
  CLI::App* command =
      app.add_subcommand("completion", "prints a script that completes commands, options and names in a shell");
  command->footer(
      "`make install` puts them in place. By hand, for the shell at hand: source <(ulna completion bash)\n"
      "Example: ulna completion fish > ~/.config/fish/completions/ulna.fish");
  auto shell = std::make_shared<std::string>();
  command->add_option("shell", *shell, "bash, zsh or fish")->required()->check(one_of({"bash", "zsh", "fish"}));
  command->callback([shell, &app] {
    const std::vector<CommandWords> commands = commands_of(app);
    fmt::print("{}", *shell == "bash"  ? bash_script(commands)
                     : *shell == "zsh" ? zsh_script(commands)
                                       : fish_script(commands));
  });
}

}  // namespace ulna::app
