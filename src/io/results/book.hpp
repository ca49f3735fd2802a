// A page to read: headings, paragraphs, tables and pictures, in one HTML file that needs nothing else.
#pragma once

#include <string>
#include <vector>

namespace ulna {

/// A cell of a table. Text is escaped.
struct Cell {
  std::string text;
  enum class Mark { none, best, good, bad, muted } mark = Mark::none;

  Cell(std::string t, Mark m = Mark::none) : text(std::move(t)), mark(m) {}
  Cell(const char* t, Mark m = Mark::none) : text(t), mark(m) {}
};

class Book {
 public:
  explicit Book(std::string title) : title_(std::move(title)) {}

  /// Level 2 headings are listed at the top, with links.
  void heading(int level, const std::string& text);
  void paragraph(const std::string& text);
  void list(const std::vector<std::string>& items);
  /// The first column is left-aligned and stays in view, the others to the right where they are numbers.
  void table(const std::vector<std::string>& head, const std::vector<std::vector<Cell>>& rows,
             const std::string& caption = "");
  /// Pictures beside each other as far as the page is wide enough.
  void figures(const std::vector<std::string>& svgs, const std::string& caption = "");

  std::string html() const;

 private:
  std::string title_, body_;
  std::vector<std::string> contents_;
};

}  // namespace ulna
