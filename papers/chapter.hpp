// What a paper prints beside what Ulna computes: the contents of one chapter of the book of reproductions.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "io/results/figure.hpp"

namespace ulna::reproduction {

enum class Verdict {
  agrees,            // what is printed is what comes out
  misprint,          // it is not, and the correction that is named does come out
  not_determinable,  // the paper leaves something out without which it cannot be computed or compared
  differs,           // it is not, and nothing explains it: a fault of ours, or one that nobody has found
};
std::string_view name_of(Verdict verdict);

/// A number or a sentence of a paper.
struct Claim {
  std::string where, what;        // "Table I, n = 6", "additions of Walker and Orin"
  std::string printed, computed;  // as they are shown
  Verdict verdict = Verdict::differs;
  std::string why;  // the correction, or what is left out, or how far agreement goes
};

struct Table {
  std::string caption;
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> rows;
};

/// Pictures that belong together, as Figure 4(i)(a–f).
struct Figure {
  std::string caption;
  std::vector<Plot> pictures;
};

struct Section {
  std::string title;
  std::vector<std::string> text;
  std::vector<Claim> claims;
  std::vector<Table> tables;
  std::vector<Figure> figures;
};

/// How a section is made. What is not for a hurry (longer than a second, or a measurement of time) is left out
/// of a quick book.
struct SectionMaker {
  std::function<Section()> make;
  bool quick = true;
};

struct Paper {
  std::string key, number, title, authors;  // as doc/papers.md has them
  std::vector<SectionMaker> sections;
};

/// The five, in order.
const std::vector<Paper>& papers();

// One per paper, each in files that begin with its first author's name.
std::vector<SectionMaker> saha_sections();
std::vector<SectionMaker> fijany_sections();
std::vector<SectionMaker> bhangale_sections();
std::vector<SectionMaker> wolinski_sections();
std::vector<SectionMaker> legnani_sections();

struct Chapter {
  const Paper* paper;
  std::vector<Section> sections;
  bool complete = true;  // no section was left out, for a hurry or by Ctrl-C
};

}  // namespace ulna::reproduction
