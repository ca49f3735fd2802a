#include <fmt/format.h>

#include "base/text_file.hpp"
#include "command.hpp"
#include "output.hpp"
#include "ulna/base/atomic_file.hpp"
#include "ulna/io/robot/format.hpp"

namespace ulna::app {

namespace {

struct ConvertOptions : RobotOptions {
  std::string output;
  std::string form = "auto", drop;

  Dropped dropped() const {
    Dropped list;
    for (const std::string& word : drop.empty() ? std::vector<std::string>{} : words_of(drop)) {
      if (word != "armature" && word != "springs")
        throw InputError(fmt::format("--drop '{}': use armature, springs or both", word));
      (word == "armature" ? list.armature : list.springs) = true;
    }
    return list;
  }
};

/// The form asked for, or for "auto" the usual one of the format that the file's name tells.
std::pair<const RobotFormat*, const RobotForm*> chosen_form(const ConvertOptions& options) {
  const RobotFormat* by_path = robot_format_of_path(options.output);
  if (options.form == "auto" && by_path != nullptr) return {by_path, &by_path->forms.front()};
  const std::string_view wanted = options.form == "auto" ? "toml" : std::string_view(options.form);
  for (const RobotFormat& format : robot_formats())
    for (const RobotForm& form : format.forms)
      if (form.name == wanted) return {&format, &form};
  throw InputError(fmt::format("--form '{}' is not known", wanted));
}

std::string converted(const ConvertOptions& options, const Graph& graph) {
  const auto [format, form] = chosen_form(options);
  if (!options.output.empty() && !has_ending(options.output, format->endings.front())) {
    throw InputError(fmt::format("-o {}: a robot in this form goes to a file that ends in {}", options.output,
                                 format->endings.front()));
  }
  if (!form->drops && !options.drop.empty())
    throw InputError("--drop is for URDF and SDF; the other forms hold everything");
  std::vector<std::string> notices;
  std::string text = form->write(graph, options.dropped(), notices);
  for (const std::string& notice : notices) fmt::print(stderr, "note: {}\n", notice);
  return text;
}

std::vector<std::string> form_names() {
  std::vector<std::string> names{"auto"};
  for (const RobotFormat& format : robot_formats())
    for (const RobotForm& form : format.forms) names.emplace_back(form.name);
  return names;
}

}  // namespace

void add_convert(CLI::App& app, Outcome&) {
  CLI::App* command = app.add_subcommand("convert", "write a robot as DH table, explicit frames, URDF, MJCF or SDF");
  command->footer("Example: ulna convert kuka_lwr4 -o kuka.urdf");
  auto options = std::make_shared<ConvertOptions>();
  options->add_to(*command);
  add_output_option(*command, options->output,
                    "file to write, .toml, .urdf, .xml (MJCF) or .sdf (default: standard output)", "FILE");
  command
      ->add_option("--form", options->form, "auto: by the file's ending, and a DH table where the geometry allows it")
      ->check(one_of(form_names()))
      ->capture_default_str();
  command->add_option("--drop", options->drop, "leave out what URDF or SDF do not support: armature, springs")
      ->type_name("WORDS");
  command->callback([options] {
    const Graph graph = options->graph();
    build(graph);  // refuses what no reader would accept
    const std::string text = converted(*options, graph);
    if (options->output.empty()) {
      options->json ? print_json({{"text", text}}) : fmt::print("{}", text);
      return;
    }
    expect_other_file(options->robot, options->output);
    write_file(options->output, text);
    options->json ? print_json({{"file", options->output}}) : fmt::print("wrote {}\n", options->output);
  });
}

}  // namespace ulna::app
