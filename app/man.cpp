#include <fmt/format.h>

#include "command.hpp"

namespace ulna::app {

namespace {

/// Text as roff wants it: no line begins with a dot, hyphens can be copied.
std::string roff(const std::string& text) {
  std::string out;
  bool at_start = true;
  for (const char c : text) {
    if (at_start && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
    at_start = c == '\n';
  }
  return out;
}

/// "TEXT:{a,b}" is a type of CLI11's own making; what the choice is stands in the help.
std::string value_name(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::string name = type.substr(0, type.find_first_of(":{"));
  return name == "TEXT" || name == "INT" || name == "UINT" || name == "FLOAT" ? "VALUE" : name;
}

std::string entry(const CLI::Option& option) {
  std::string names;
  for (const std::string& name : option.get_snames()) names += (names.empty() ? "-" : ", -") + name;
  for (const std::string& name : option.get_lnames()) names += (names.empty() ? "--" : ", --") + name;
  const std::string given = option.get_positional() ? option.get_name(true) : names;
  const std::string value = option.get_items_expected_max() != 0 && !option.get_positional() ? value_name(option) : "";
  return fmt::format(".TP\n\\fB{}\\fR{}\n{}\n", roff(given),
                     value.empty() ? "" : fmt::format(" \\fI{}\\fR", roff(value)), roff(option.get_description()));
}

std::string section(const CLI::App& command) {
  std::string out = fmt::format(".SS ulna {}\n{}\n", command.get_name(), roff(command.get_description()));
  for (const bool positional : {true, false})
    for (const CLI::Option* option : command.get_options())
      if (option->get_positional() == positional) out += entry(*option);
  const std::string footer = command.get_footer();
  if (footer != command.get_parent()->get_footer()) out += fmt::format(".PP\n.nf\n{}\n.fi\n", roff(footer));
  return out;
}

std::string environment_and_files() {
  const auto entries = [](std::initializer_list<std::pair<const char*, const char*>> list) {
    std::string out;
    for (const auto& [name, text] : list) out += fmt::format(".TP\n\\fB{}\\fR\n{}\n", roff(name), roff(text));
    return out;
  };
  return ".SH ENVIRONMENT\n" +
         entries({{"CC", "the C compiler of --compiled, with arguments if need be (default: cc)"},
                  {"PATH", "where that compiler is looked for"},
                  {"ULNA_CACHE", "the folder that keeps compiled code; it must be yours alone to write"},
                  {"XDG_CACHE_HOME, HOME", "without ULNA_CACHE the folder is $XDG_CACHE_HOME/ulna or ~/.cache/ulna"},
                  {"TMPDIR", "where code is compiled (default: /tmp)"}}) +
         ".SH FILES\n" +
         entries(
             {{"*.toml, *.urdf, *.xml, *.sdf", "robots; scenarios and tasks are TOML too"},
              {"FOLDER/run.json",
               "of simulate: what was run and how it ended, beside trajectory.csv, trajectory.h5 or ensemble.h5 and "
               "report.html; --again repeats it"},
              {"FOLDER/ensemble.partial", "the finished runs of an ensemble that was interrupted, for --resume"},
              {"FOLDER/ensemble.shards, FOLDER/sweep.shards",
               "the finished chunks of an ensemble or a design sweep, for --resume"},
              {"FOLDER/loop.json, select.json, reproduce.json",
               "the same for the other commands that leave a folder. Such a file comes last: where it is, the rest "
               "is. Only one process at a time writes into a folder, and only whole results of Ulna are replaced"},
              {"~/.cache/ulna", "compiled code; it may be deleted at any time"}});
}

std::string man_page(const CLI::App& app) {
  std::string out = fmt::format(
      ".TH ULNA 1 \"\" \"ulna {}\" \"User Commands\"\n.SH NAME\nulna \\- dynamics of robot arms\n"
      ".SH SYNOPSIS\n.B ulna\n.I COMMAND\n[\\fIOPTIONS\\fR]\n.SH DESCRIPTION\n{}\n.SH COMMANDS\n",
      version, roff(app.get_description()));
  for (const CLI::App* command : app.get_subcommands({})) out += section(*command);
  out +=
      ".SH EXIT STATUS\n.TP\n0\nfine\n.TP\n1\nthe answer is no: a check failed, a run ended early, a claim differs\n"
      ".TP\n2\nthe call or the input is wrong; one line on stderr says where and what to do\n.TP\n130, "
      "143\ninterrupted by "
      "Ctrl-C or SIGTERM; what was finished is in order\n";
  out += environment_and_files();
  out += fmt::format(".SH EXAMPLES\n.nf\n{}\n.fi\n", roff(app.get_footer()));
  out +=
      ".SH SEE ALSO\nThe files of robots and scenarios are described in doc/robot_files.md and "
      "doc/scenario_files.md of the sources.\n";
  return out;
}

}  // namespace

void add_man(CLI::App& app, Outcome&) {
  CLI::App* command = app.add_subcommand("man", "the manual page, for man(1)");
  command->footer("`make install` puts it in place.\nExample: ulna man | man -l -");
  command->callback([&app] { fmt::print("{}", man_page(app)); });
}

}  // namespace ulna::app
