#include "io/xml/xml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/plain_text.hpp"

namespace ulna {

namespace {

constexpr std::size_t deepest = 500;
/// Tags and attributes: each takes a hundred bytes and more in the tree. 100,000 links have 3 million.
constexpr std::size_t most_parts = 5'000'000;
constexpr std::size_t most_attributes = 1000;  // of one tag; they are searched one by one

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/// All letters beyond ASCII begin a name.
bool begins_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 127;
}
bool is_of_name(char c) { return begins_name(c) || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == ':'; }

bool is_letter_of_xml(unsigned code) {
  if (code < ' ') return code == '\t' || code == '\n' || code == '\r';
  return code < 0xD800 || (code > 0xDFFF && code < 0xFFFE) || (code > 0xFFFF && code <= 0x10FFFF);
}

std::string utf8_of(unsigned code) {
  const auto tail = [&](unsigned shift) { return static_cast<char>(0x80 | ((code >> shift) & 0x3F)); };
  if (code < 0x80) return {static_cast<char>(code)};
  if (code < 0x800) return {static_cast<char>(0xC0 | (code >> 6)), tail(0)};
  if (code < 0x10000) return {static_cast<char>(0xE0 | (code >> 12)), tail(6), tail(0)};
  return {static_cast<char>(0xF0 | (code >> 18)), tail(12), tail(6), tail(0)};
}

/// What stands for '&name;'.
std::optional<std::string> letters_of(std::string_view name) {
  for (const auto& [known, letter] : {std::pair{"lt", "<"}, {"gt", ">"}, {"amp", "&"}, {"quot", "\""}, {"apos", "'"}})
    if (name == known) return letter;
  if (!name.starts_with('#')) return std::nullopt;
  const bool hexadecimal = name.starts_with("#x");
  const std::string_view digits = name.substr(hexadecimal ? 2 : 1);
  unsigned code = 0;
  const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), code, hexadecimal ? 16 : 10);
  if (status != std::errc{} || end != digits.data() + digits.size() || !is_letter_of_xml(code)) return std::nullopt;
  return utf8_of(code);
}

class XmlScanner {
 public:
  XmlScanner(std::string_view text, const std::string& file)
      : text_(text), file_(std::make_shared<const std::string>(file)) {}

  XmlElement scan() {
    expect_utf8();
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;  // a byte order mark
    while (at_ < text_.size()) here() == '<' ? take_markup() : take_words();
    if (!open_.empty()) fail(fmt::format("<{}> is not closed", open_.back()->name), open_.back()->line);
    if (root_.name.empty()) fail("it holds no element");
    return std::move(root_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { fail(what, line_); }
  [[noreturn]] void fail(const std::string& what, int line) const {
    throw InputError(Source{*file_, line}, fmt::format("not well-formed XML: {}", what));
  }

  char here() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  std::string_view rest() const { return text_.substr(at_); }
  void step() {
    if (text_[at_++] == '\n') ++line_;
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
      const Letter letter = first_letter(rest());
      if (letter.bytes == 0)
        fail(fmt::format("byte {:#04x} is not UTF-8; save the file as UTF-8", static_cast<unsigned char>(text_[at_])));
      if (letter.code == 0) fail("it holds binary data");
      if (letter.code < ' ' && !is_blank(text_[at_]))
        fail(fmt::format("it holds the control character {:#04x}; leave it out", static_cast<unsigned>(letter.code)));
      const bool begins_tag = letter.code == '<' && text_.substr(at_ + 1, 1) != "/";
      if ((begins_tag || letter.code == '=') && ++parts > most_parts)
        throw InputError(Source{*file_, line_},
                         fmt::format("more than {} tags and attributes; that is no robot", most_parts));
      if (letter.code == '\n') ++line_;
      at_ += letter.bytes;
    }
    at_ = 0;
    line_ = 1;
  }

  void take_markup() {
    const char next = at_ + 1 < text_.size() ? text_[at_ + 1] : ' ';
    if (rest().starts_with("<!--")) {
      take_to("-->", "a comment");
    } else if (rest().starts_with("<![CDATA[")) {
      take_cdata();
    } else if (rest().starts_with("<!DOCTYPE")) {
      fail("it has a document type, which could define entities without end; leave it out");
    } else if (next == '?') {
      take_to("?>", "a processing instruction '<?'");
    } else if (next == '/') {
      take_end();
    } else if (begins_name(next)) {
      take_start();
    } else {
      fail(fmt::format("'<{}' begins no tag; write &lt; for the sign itself", next));
    }
  }

  std::string_view take_to(std::string_view end, std::string_view what) {
    const std::size_t found = text_.find(end, at_);
    if (found == std::string_view::npos) fail(fmt::format("{} does not end with '{}'", what, end));
    const std::string_view taken = text_.substr(at_, found - at_);
    while (at_ < found + end.size()) step();
    return taken;
  }

  void take_cdata() {
    if (open_.empty()) fail("CDATA stands outside the root element");
    open_.back()->words += take_to("]]>", "CDATA").substr(std::string_view("<![CDATA[").size());
  }

  void take_words() {
    const int line = line_;
    const std::string words = take_text('<');
    if (std::all_of(words.begin(), words.end(), is_blank)) return;
    if (open_.empty()) fail("words stand outside the root element", line);
    open_.back()->words += words;
  }

  /// Up to `end` or the next tag, entities resolved.
  std::string take_text(char end) {
    std::string text;
    while (at_ < text_.size() && here() != end && here() != '<') {
      if (here() == '&') {
        text += take_entity();
      } else {
        text += here();
        step();
      }
    }
    return text;
  }

  std::string take_entity() {
    const std::size_t longest = 12, end = rest().substr(0, longest).find(';');
    const std::string_view name = end == std::string_view::npos ? "" : rest().substr(1, end - 1);
    const std::optional<std::string> letters = letters_of(name);
    if (!letters)
      fail(name.empty() ? "'&' stands alone; write &amp; for the sign itself"
                        : fmt::format("&{}; is no letter of XML; it knows lt, gt, amp, quot, apos and numbers", name));
    at_ += end + 1;
    return *letters;
  }

  void take_start() {
    XmlElement element;
    element.file = file_;
    element.line = line_;
    step();
    element.name = take_name();
    for (skip_blanks(); begins_name(here()); skip_blanks()) take_attribute(element);
    const bool empty = here() == '/';
    if (empty) step();
    expect('>', fmt::format("at the end of <{}", element.name));
    XmlElement& kept = keep(std::move(element));
    if (empty) return;
    open_.push_back(&kept);
    if (open_.size() > deepest)
      throw InputError(Source{*file_, line_}, fmt::format("tags are nested deeper than {}", deepest));
  }

  XmlElement& keep(XmlElement element) {
    if (!open_.empty()) return open_.back()->children.emplace_back(std::move(element));
    if (!root_.name.empty())
      fail(fmt::format("<{}> stands behind the root element <{}>", element.name, root_.name), element.line);
    return root_ = std::move(element);
  }

  void take_attribute(XmlElement& element) {
    const std::string key = take_name(), where = fmt::format("behind '{}' of <{}", key, element.name);
    skip_blanks();
    expect('=', where);
    skip_blanks();
    const char quote = here() == '\'' ? '\'' : '"';
    expect(quote, where);
    std::string value = take_text(quote);
    expect(quote, fmt::format("behind the value of '{}' of <{}", key, element.name));
    if (element.find(key) != nullptr) fail(fmt::format("'{}' is given twice in <{}", key, element.name));
    if (element.attributes.size() == most_attributes)
      fail(fmt::format("<{}> has more than {} attributes", element.name, most_attributes));
    element.attributes.push_back({key, std::move(value)});
  }

  void take_end() {
    const int line = line_;
    step();
    step();
    const std::string closed = take_name();
    skip_blanks();
    expect('>', fmt::format("at the end of </{}", closed));
    if (open_.empty()) fail(fmt::format("</{}> closes nothing", closed));
    const XmlElement& last = *open_.back();
    if (last.name != closed)
      fail(fmt::format("</{}> where </{}> must come, for the tag of line {}", closed, last.name, last.line), line);
    open_.pop_back();
  }

  std::string take_name() {
    const std::size_t first = at_;
    while (is_of_name(here())) step();
    return std::string(text_.substr(first, at_ - first));
  }

  std::string_view text_;
  std::shared_ptr<const std::string> file_;
  std::size_t at_ = 0;
  int line_ = 1;
  XmlElement root_;
  std::vector<XmlElement*> open_;
};

}  // namespace

const std::string* XmlElement::find(std::string_view key) const {
  const auto found =
      std::find_if(attributes.begin(), attributes.end(), [&](const XmlAttribute& a) { return a.key == key; });
  return found == attributes.end() ? nullptr : &found->value;
}

std::string XmlElement::attribute(std::string_view key) const {
  const std::string* found = find(key);
  return found == nullptr ? "" : *found;
}

const XmlElement* XmlElement::child(std::string_view tag) const {
  const auto found =
      std::find_if(children.begin(), children.end(), [&](const XmlElement& child) { return child.name == tag; });
  return found == children.end() ? nullptr : &*found;
}

XmlElement parse_xml(std::string_view text, const std::string& file) { return XmlScanner(text, file).scan(); }

}  // namespace ulna
