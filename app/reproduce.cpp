#include <fmt/format.h>

#include <array>

#include "command.hpp"
#include "interrupt.hpp"
#include "io/results/json_text.hpp"
#include "io/results/output_folder.hpp"
#include "output.hpp"
#include "papers/book_files.hpp"
#include "progress.hpp"

namespace ulna::app {

namespace {

using namespace reproduction;

struct ReproduceOptions {
  std::string paper = "all", output = "reproduce";
  bool fast = false, json = false;
};

/// Stops between two sections when interrupted; what is finished is in the book.
Chapter chapter_of(const Paper& paper, bool fast, Progress& progress) {
  Chapter chapter{&paper, {}, true};
  for (std::size_t k = 0; k < paper.sections.size(); ++k) {
    if (InterruptGuard::interrupted() || (fast && !paper.sections[k].quick)) {
      chapter.complete = false;
      continue;
    }
    progress.at([&] { return fmt::format("paper {}, part {} of {}", paper.key, k + 1, paper.sections.size()); });
    chapter.sections.push_back(paper.sections[k].make());
  }
  return chapter;
}

std::vector<Chapter> chapters_of(const ReproduceOptions& options) {
  Progress progress(!options.json);
  std::vector<Chapter> chapters;
  for (const Paper& paper : papers()) {
    const bool asked = options.paper == "all" || options.paper == paper.key || options.paper == paper.number;
    if (asked && !InterruptGuard::interrupted()) chapters.push_back(chapter_of(paper, options.fast, progress));
  }
  return chapters;
}

void print_claims(const std::vector<Chapter>& chapters, const std::string& folder) {
  for (const Chapter& chapter : chapters) {
    fmt::print("{} {}\n", chapter.paper->key, chapter.paper->title);
    std::vector<std::vector<std::string>> rows{{"verdict", "where", "what", "printed", "computed"}};
    for (const Section& section : chapter.sections)
      for (const Claim& claim : section.claims)
        rows.push_back({std::string(name_of(claim.verdict)), claim.where, claim.what, claim.printed, claim.computed});
    print_table(rows);
    fmt::print("{}{}\n\n", text_of(tally({chapter})), chapter.complete ? "" : "; not all of the paper");
  }
  if (chapters.size() > 1) fmt::print("in all: {}\n", text_of(tally(chapters)));
  fmt::print("book in {}/book.html, figures in {}/reproduce.json\n", folder, folder);
}

int run(const ReproduceOptions& options) {
  const OutputFolder folder(options.output);
  const InterruptGuard guard;
  const std::vector<Chapter> chapters = chapters_of(options);
  const Json document = book_json(chapters);
  folder.replace(std::array<std::pair<const char*, std::string>, 2>{
      {{"book.html", book_page(chapters)}, {"reproduce.json", json_text(document)}}});
  note_replaced(folder.replaces(), options.output);
  if (options.json)
    print_json(document);
  else
    print_claims(chapters, options.output);
  if (InterruptGuard::interrupted()) {
    fmt::print(stderr, "interrupted; the book ends there\n");
    return InterruptGuard::exit_code();
  }
  return tally(chapters).differs > 0 ? 1 : 0;
}

}  // namespace

void add_reproduce(CLI::App& app, Outcome& outcome) {
  CLI::App* command =
      app.add_subcommand("reproduce", "tables, figures and claims of the five papers, computed beside the print");
  command->footer(
      "Each claim gets a verdict: agrees; misprint, with the correction (doc/errata.md); not determinable,\n"
      "with what the paper leaves out; or differs, and then the exit code is 1.\n"
      "Examples: ulna reproduce bhangale2004\n"
      "          ulna reproduce all --fast -o book");
  auto options = std::make_shared<ReproduceOptions>();
  std::vector<std::string> keys;
  for (const Paper& paper : papers()) keys.push_back(paper.key);
  for (const Paper& paper : papers()) keys.push_back(paper.number);
  keys.emplace_back("all");
  command->add_option("paper", options->paper, "one of the papers by its key or number (doc/papers.md), or all of them")
      ->check(one_of(keys))
      ->capture_default_str();
  command->add_flag("--fast", options->fast, "leave out what takes longer and what measures time");
  add_output_option(*command, options->output, "folder for book.html and reproduce.json", "FOLDER")
      ->capture_default_str();
  command->add_flag("--json", options->json, "one JSON document instead of text");
  command->callback([options, &outcome] { outcome.exit_code = run(*options); });
}

}  // namespace ulna::app
