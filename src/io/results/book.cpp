#include "book.hpp"

#include <fmt/format.h>

#include <cctype>

#include "io/robot/xml_text.hpp"

namespace ulna {

namespace {

constexpr const char* style = R"CSS(
body { font: 15px/1.5 system-ui, sans-serif; color: #222; background: #fff; max-width: 72rem; margin: 0 auto; padding: 1rem 1.5rem 4rem; }
h1 { font-size: 1.7rem; } h2 { margin-top: 2.5rem; border-bottom: 1px solid #ccc; } h3 { margin-top: 1.8rem; }
nav ul { columns: 2; } p, li { max-width: 48rem; }
table { border-collapse: collapse; margin: .6rem 0; font-variant-numeric: tabular-nums; }
.caption { color: #555; margin: 1rem 0 .2rem; }
th, td { padding: .18rem .7rem; border-bottom: 1px solid #e2e2e2; text-align: left; vertical-align: top; }
td:first-child { min-width: 8rem; } .n { text-align: right; white-space: nowrap; } th { border-bottom: 1px solid #888; }
th:first-child, td:first-child { position: sticky; left: 0; background: #fff; }
.best { font-weight: bold; background: #e2f1e8; } .good { color: #00693e; } .bad { color: #b03000; font-weight: bold; } .muted { color: #777; }
.wide { overflow-x: auto; }
figure { margin: 1rem 0; display: flex; flex-wrap: wrap; gap: .8rem; } figure svg { width: 100%; max-width: 30rem; border: 1px solid #eee; }
@media (max-width: 40rem) { body { padding: .5rem .8rem 3rem; font-size: 14px; } th, td { padding: .18rem .4rem; } td:first-child { min-width: 7rem; } }
figcaption { flex-basis: 100%; color: #555; }
)CSS";

const char* name_of(Cell::Mark mark) {
  switch (mark) {
    case Cell::Mark::none: return "";
    case Cell::Mark::best: return "best";
    case Cell::Mark::good: return "good";
    case Cell::Mark::bad: return "bad";
    case Cell::Mark::muted: return "muted";
  }
  return "";
}

bool looks_like_a_number(const std::string& text) {
  return !text.empty() && (std::isdigit(static_cast<unsigned char>(text[0])) != 0 ||
                           ((text[0] == '-' || text[0] == '+') && text.size() > 1));
}

}  // namespace

void Book::heading(int level, const std::string& text) {
  if (level != 2) {
    body_ += fmt::format("<h{0}>{1}</h{0}>\n", level, escaped_xml(text));
    return;
  }
  contents_.push_back(text);
  body_ += fmt::format("<h2 id=\"part{}\">{}</h2>\n", contents_.size(), escaped_xml(text));
}

void Book::paragraph(const std::string& text) { body_ += fmt::format("<p>{}</p>\n", escaped_xml(text)); }

void Book::list(const std::vector<std::string>& items) {
  body_ += "<ul>\n";
  for (const std::string& item : items) body_ += fmt::format("<li>{}</li>\n", escaped_xml(item));
  body_ += "</ul>\n";
}

void Book::table(const std::vector<std::string>& head, const std::vector<std::vector<Cell>>& rows,
                 const std::string& caption) {
  const auto class_of = [&](std::size_t row, std::size_t k) {
    return k > 0 && row < rows.size() && looks_like_a_number(rows[row][k].text) ? "n " : "";
  };
  if (!caption.empty()) body_ += fmt::format("<p class=\"caption\">{}</p>\n", escaped_xml(caption));
  body_ += "<div class=\"wide\"><table>\n<thead><tr>";
  for (std::size_t k = 0; k < head.size(); ++k)
    body_ += fmt::format("<th class=\"{}\">{}</th>", class_of(0, k), escaped_xml(head[k]));
  body_ += "</tr></thead>\n<tbody>\n";
  for (std::size_t row = 0; row < rows.size(); ++row) {
    body_ += "<tr>";
    for (std::size_t k = 0; k < rows[row].size(); ++k)
      body_ += fmt::format("<td class=\"{}{}\">{}</td>", class_of(row, k), name_of(rows[row][k].mark),
                           escaped_xml(rows[row][k].text));
    body_ += "</tr>\n";
  }
  body_ += "</tbody></table></div>\n";
}

void Book::figures(const std::vector<std::string>& svgs, const std::string& caption) {
  body_ += "<figure>\n";
  for (const std::string& svg : svgs) body_ += svg;
  if (!caption.empty()) body_ += fmt::format("<figcaption>{}</figcaption>\n", escaped_xml(caption));
  body_ += "</figure>\n";
}

std::string Book::html() const {
  std::string contents;
  for (std::size_t k = 0; k < contents_.size(); ++k)
    contents += fmt::format("<li><a href=\"#part{}\">{}</a></li>\n", k + 1, escaped_xml(contents_[k]));
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\">\n<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n"
      "<h1>{0}</h1>\n<nav><ul>\n{2}</ul></nav>\n{3}</body>\n</html>\n",
      escaped_xml(title_), style, contents, body_);
}

}  // namespace ulna
