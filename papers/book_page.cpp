#include <fmt/format.h>

#include "io/results/book.hpp"
#include "papers/book_files.hpp"

namespace ulna::reproduction {

namespace {

Cell::Mark mark_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::agrees: return Cell::Mark::good;
    case Verdict::misprint: return Cell::Mark::best;
    case Verdict::not_determinable: return Cell::Mark::muted;
    case Verdict::differs: break;
  }
  return Cell::Mark::bad;
}

void add(Book& book, const Figure& figure) {
  std::vector<std::string> svgs;
  svgs.reserve(figure.pictures.size());
  for (const Plot& plot : figure.pictures) svgs.push_back(svg_of(plot));
  book.figures(svgs, figure.caption);
}

void add(Book& book, const Table& table) {
  std::vector<std::vector<Cell>> rows;
  rows.reserve(table.rows.size());
  for (const std::vector<std::string>& row : table.rows) rows.emplace_back(row.begin(), row.end());
  book.table(table.head, rows, table.caption);
}

void add_claims(Book& book, const std::vector<Claim>& claims) {
  if (claims.empty()) return;
  std::vector<std::vector<Cell>> rows;
  rows.reserve(claims.size());
  for (const Claim& claim : claims)
    rows.push_back({claim.where, claim.what, claim.printed, claim.computed,
                    Cell(std::string(name_of(claim.verdict)), mark_of(claim.verdict)), claim.why});
  book.table({"where", "what", "printed", "computed", "verdict", "remark"}, rows);
}

void add(Book& book, const Section& section) {
  book.heading(3, section.title);
  for (const std::string& paragraph : section.text) book.paragraph(paragraph);
  add_claims(book, section.claims);
  for (const Table& table : section.tables) add(book, table);
  for (const Figure& figure : section.figures) add(book, figure);
}

void add_summary(Book& book, const std::vector<Chapter>& chapters) {
  std::vector<std::vector<Cell>> rows;
  rows.reserve(chapters.size());
  for (const Chapter& chapter : chapters) {
    const Tally count = tally({chapter});
    rows.push_back({chapter.paper->key + " " + chapter.paper->title, chapter.paper->authors,
                    fmt::format("{}", count.agrees), fmt::format("{}", count.misprints),
                    fmt::format("{}", count.not_determinable),
                    Cell(fmt::format("{}", count.differs), count.differs > 0 ? Cell::Mark::bad : Cell::Mark::none)});
  }
  book.table({"paper", "by", "agree", "misprints", "not determinable", "differ"}, rows);
}

}  // namespace

Tally tally(const std::vector<Chapter>& chapters) {
  Tally count;
  for (const Chapter& chapter : chapters) {
    for (const Section& section : chapter.sections) {
      for (const Claim& claim : section.claims) {
        switch (claim.verdict) {
          case Verdict::agrees: ++count.agrees; break;
          case Verdict::misprint: ++count.misprints; break;
          case Verdict::not_determinable: ++count.not_determinable; break;
          case Verdict::differs: ++count.differs; break;
        }
      }
    }
  }
  return count;
}

std::string text_of(const Tally& tally) {
  return fmt::format("{} agree, {} {}, {} not determinable, {} {}", tally.agrees, tally.misprints,
                     tally.misprints == 1 ? "misprint" : "misprints", tally.not_determinable, tally.differs,
                     tally.differs == 1 ? "differs" : "differ");
}

std::string book_page(const std::vector<Chapter>& chapters) {
  Book book("Five papers on the dynamics of robot arms, computed again");
  book.paragraph(
      "Every table, figure and checkable claim, as printed and as Ulna computes it. A claim agrees if the computed "
      "number is the printed one to the last digit that is printed, or if the sentence holds. A misprint is one only "
      "where the correction that is named comes out; doc/errata.md has them all. Not determinable: the paper leaves "
      "out what it would take. Differs: none of these.");
  add_summary(book, chapters);
  for (const Chapter& chapter : chapters) {
    book.heading(2, fmt::format("{} {}", chapter.paper->key, chapter.paper->title));
    book.paragraph(chapter.paper->authors + ".");
    if (!chapter.complete)
      book.paragraph("Without what takes longer and what measures time: made in a hurry (--fast) or interrupted.");
    for (const Section& section : chapter.sections) add(book, section);
  }
  return book.html();
}

}  // namespace ulna::reproduction
