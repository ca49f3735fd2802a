#include "io/robot/xml_tags.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/plain_text.hpp"
#include "ulna/base/error.hpp"

namespace ulna {

namespace {

constexpr std::size_t deepest = 500;
/// Tags and attributes: each takes hundreds of bytes in the trees that are made of them. 100,000 links have 3 million.
constexpr std::size_t most_parts = 5'000'000;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/// As tinyxml has it: all letters beyond ASCII begin a name.
bool begins_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 127;
}
bool is_of_name(char c) { return begins_name(c) || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == ':'; }

class Scanner {
 public:
  Scanner(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  std::vector<XmlTag> scan() {
    expect_utf8();
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;  // a byte order mark
    skip_blanks();
    if (text_.substr(at_).starts_with("<?xml")) take_declaration();
    for (go_to('<'); at_ < text_.size(); go_to('<')) {
      const char next = at_ + 1 < text_.size() ? text_[at_ + 1] : ' ';
      if (next == '/') {
        take_end();
      } else if (begins_name(next)) {
        take_start();
      } else {
        fail(
            fmt::format("'<{}' begins no tag; write &lt; for the sign itself, and leave out CDATA, document types and "
                        "processing instructions",
                        next));
      }
    }
    if (!open_.empty()) fail(fmt::format("<{}> is not closed", name()), open_.back().line);
    return std::move(tags_);
  }

 private:
  struct Open {
    std::string name;
    int line;
  };
  const std::string& name() const { return open_.back().name; }

  [[noreturn]] void fail(const std::string& what) const { fail(what, line_); }
  [[noreturn]] void fail(const std::string& what, int line) const {
    throw InputError(Source{file_, line}, fmt::format("not well-formed XML: {}", what));
  }

  char here() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void step() {
    if (text_[at_++] == '\n') ++line_;
  }
  void go_to(char c) {
    while (at_ < text_.size() && text_[at_] != c) step();
  }
  void skip_blanks() {
    while (is_blank(here())) step();
  }
  void expect(char c, const std::string& where) {
    if (here() != c) fail(fmt::format("'{}' is missing {}", c, where));
    step();
  }

  /// And no more than there is memory for.
  void expect_utf8() {
    std::size_t parts = 0;
    while (at_ < text_.size()) {
      const Letter letter = first_letter(text_.substr(at_));
      if (letter.bytes == 0)
        fail(fmt::format("byte {:#04x} is not UTF-8; save the file as UTF-8", static_cast<unsigned char>(text_[at_])));
      if (letter.code == 0) fail("it holds binary data");
      if (letter.code < ' ' && !is_blank(text_[at_]))
        fail(fmt::format("it holds the control character {:#04x}; leave it out", static_cast<unsigned>(letter.code)));
      const bool begins_tag = letter.code == '<' && text_.substr(at_ + 1, 1) != "/";
      if ((begins_tag || letter.code == '=') && ++parts > most_parts)
        throw InputError(Source{file_, line_},
                         fmt::format("more than {} tags and attributes; that is no robot", most_parts));
      if (letter.code == '\n') ++line_;
      at_ += letter.bytes;
    }
    at_ = 0;
    line_ = 1;
  }

  void take_declaration() {
    const std::size_t end = text_.find("?>", at_);
    if (end == std::string_view::npos || text_.substr(at_ + 1, end - at_).find('<') != std::string_view::npos)
      fail("the declaration '<?xml' does not end with '?>'");
    while (at_ < end + 2) step();
  }

  void take_start() {
    XmlTag tag{"", {}, line_, static_cast<int>(open_.size())};
    step();
    tag.name = take_name();
    for (skip_blanks(); begins_name(here()); skip_blanks()) take_attribute(tag);
    const bool empty = here() == '/';
    if (empty) step();
    expect('>', fmt::format("at the end of <{}", tag.name));
    if (!empty) {
      open_.push_back({tag.name, tag.line});
      if (open_.size() > deepest)
        throw InputError(Source{file_, line_}, fmt::format("tags are nested deeper than {}", deepest));
    }
    tags_.push_back(std::move(tag));
  }

  void take_attribute(XmlTag& tag) {
    const std::string key = take_name(), where = fmt::format("behind '{}' of <{}", key, tag.name);
    skip_blanks();
    expect('=', where);
    skip_blanks();
    const char quote = here() == '\'' ? '\'' : '"';
    expect(quote, where);
    const std::size_t first = at_;
    while (at_ < text_.size() && here() != quote && here() != '<') step();
    const std::size_t end = at_;
    expect(quote, fmt::format("behind the value of '{}' of <{}", key, tag.name));
    if (!tag.attributes.emplace(key, text_.substr(first, end - first)).second)
      fail(fmt::format("'{}' is given twice in <{}", key, tag.name));
  }

  void take_end() {
    const int line = line_;
    step();
    step();
    const std::string closed = take_name();
    skip_blanks();
    expect('>', fmt::format("at the end of </{}", closed));
    if (open_.empty()) fail(fmt::format("</{}> closes nothing", closed));
    if (name() != closed)
      fail(fmt::format("</{}> where </{}> must come, for the tag of line {}", closed, name(), open_.back().line), line);
    open_.pop_back();
  }

  std::string take_name() {
    const std::size_t first = at_;
    while (is_of_name(here())) step();
    return std::string(text_.substr(first, at_ - first));
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0;
  int line_ = 1;
  std::vector<Open> open_;
  std::vector<XmlTag> tags_;
};

}  // namespace

std::string XmlTag::attribute(std::string_view key) const {
  const auto found = attributes.find(key);
  return found == attributes.end() ? "" : found->second;
}

std::string without_comments(std::string text) {
  for (std::size_t at = text.find("<!--"); at != std::string::npos; at = text.find("<!--", at)) {
    const std::size_t end = std::min(text.find("-->", at), text.size() - 3) + 3;
    for (; at < end; ++at)
      if (text[at] != '\n') text[at] = ' ';
  }
  return text;
}

std::vector<XmlTag> xml_tags(const std::string& text, const std::string& file) { return Scanner(text, file).scan(); }

}  // namespace ulna
