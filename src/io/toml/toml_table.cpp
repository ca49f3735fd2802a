#include "toml_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "ulna/base/nearest_word.hpp"

namespace ulna {

namespace {

const NumberUse plain;

/// Where the text goes on after the string that starts at `at`, whose quotes are one or three.
std::size_t end_of_string(const std::string& text, std::size_t at) {
  const char quote = text[at];
  const std::string three(3, quote);
  const bool is_long = text.compare(at, 3, three) == 0;
  for (at += is_long ? 3 : 1; at < text.size(); ++at) {
    if (text[at] == '\\' && quote == '"') {
      ++at;
    } else if (!is_long && (text[at] == quote || text[at] == '\n')) {
      return at + 1;
    } else if (is_long && text.compare(at, 3, three) == 0) {
      return std::min(text.find_first_not_of(quote, at + 3), std::min(at + 5, text.size()));  // two may be the text's
    }
  }
  return text.size();
}

/// What toml++ would take all the stack or memory for. A key's parts are tables in tables, which it takes apart by
/// recursion; outside strings and comments, dots are in keys and numbers. Each key, number and table takes a hundred
/// bytes and more; a chain of 100,000 links has 4 million.
void refuse_monsters(const std::string& text, const std::string& file) {
  constexpr int most_dots = 16, most_parts = 10'000'000;
  int dots = 0, parts = 0, line = 1;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '\n' || c == ',' || c == '=' || c == '[' || c == '{') dots = 0;
    if (c == '.' && ++dots > most_dots)
      throw InputError(Source{file, line}, fmt::format("a key has more than {} parts", most_dots + 1));
    if ((c == ',' || c == '=' || c == '[' || c == '{') && ++parts > most_parts)
      throw InputError(Source{file, line},
                       fmt::format("more than {} keys, numbers and tables; that is no robot", most_parts));
    const bool quoted = c == '"' || c == '\'';
    const std::size_t end_of_line = c == '#' ? std::min(text.find('\n', at), text.size()) : at + 1;
    const std::size_t next = quoted ? end_of_string(text, at) : end_of_line;
    for (; at < next; ++at)
      if (text[at] == '\n') ++line;
  }
}

}  // namespace

toml::table parse_toml_text(const std::string& text, const std::string& file) {
  refuse_monsters(text, file);
  try {
    return toml::parse(text, file);
  } catch (const toml::parse_error& e) {
    throw InputError(Source{file, static_cast<int>(e.source().begin.line)},
                     fmt::format("not valid TOML: {}", e.description()));
  }
}

Source TomlProblems::at(const toml::node* where) const {
  return {file, where != nullptr ? static_cast<int>(where->source().begin.line) : 0};
}

void TomlProblems::add(const InputError& error) {
  findings.insert(findings.end(), error.findings().begin(), error.findings().end());
}

void TomlProblems::add(const toml::node* where, std::string what, std::string remedy) {
  findings.push_back({Finding::Severity::error, "", std::move(what), std::move(remedy), at(where), false});
}

const toml::node* TomlTable::ask(std::string_view key) {
  asked_.emplace_back(key);
  return table_.get(key);
}

void TomlTable::problem(std::string_view key, std::string what, std::string remedy) {
  const toml::node* node = table_.get(key);
  problems_.add(node != nullptr ? node : &table_, fmt::format("{}: {}", name_, what), std::move(remedy));
}

void TomlTable::require(std::string_view key) {
  if (!has(key)) problem(key, fmt::format("'{}' is missing", key), "add it");
}

std::string TomlTable::text(std::string_view key, std::string fallback) {
  const toml::node* node = ask(key);
  if (node == nullptr) return fallback;
  if (const auto* value = node->as_string()) return value->get();
  problem(key, fmt::format("'{}' must be a text in quotes", key));
  return fallback;
}

bool TomlTable::flag(std::string_view key, bool fallback) {
  const toml::node* node = ask(key);
  if (node == nullptr) return fallback;
  if (const auto* value = node->as_boolean()) return value->get();
  problem(key, fmt::format("'{}' must be true or false", key));
  return fallback;
}

std::optional<WrittenNumber> TomlTable::read_number(const toml::node& node, std::string_view key,
                                                    const NumberUse* use) {
  WrittenNumber number = std::nan("");
  if (const auto* real = node.as_floating_point()) number = real->get();
  if (const auto* integer = node.as_integer()) number = static_cast<double>(integer->get());
  const auto* string = node.as_string();
  if (string != nullptr && use != nullptr && use->kind == NumberUse::Kind::plain) {
    problems_.add(&node, fmt::format("{}: '{}' is a text, and only angles may be one", name_, key),
                  "write numbers without quotes and units");
    return std::nullopt;
  }
  try {
    const std::string where = string != nullptr ? fmt::format("{}: {}", name_, key) : "";
    if (string != nullptr) number = parse_written(string->get(), where, problems_.at(&node));
    if (use != nullptr)
      number = resolve(number, *use, where);
    else
      number.source = problems_.at(&node);
  } catch (const InputError& error) {
    problems_.add(error);
    return std::nullopt;
  }
  if (std::isfinite(number.number)) return number;
  problems_.add(&node, fmt::format("{}: '{}' must be a finite number", name_, key), "write 1.5 or the like");
  return std::nullopt;
}

double TomlTable::number(std::string_view key, double fallback, const NumberUse& use) {
  const toml::node* node = ask(key);
  return node == nullptr ? fallback : read_number(*node, key, &use).value_or(fallback).in_si();
}

double TomlTable::positive(std::string_view key, double fallback) {
  const toml::node* node = ask(key);
  if (node == nullptr) return fallback;
  const double value = read_number(*node, key, &plain).value_or(1.0).in_si();  // a wrong one is told once
  if (!(value > 0.0)) problem(key, fmt::format("'{}' is {}; it must be positive", key, value));
  return value;
}

std::vector<double> TomlTable::numbers(std::string_view key, std::initializer_list<std::size_t> sizes,
                                       const NumberUse& use) {
  const toml::node* node = ask(key);
  if (node == nullptr) return {};
  const toml::array* array = node->as_array();
  if (array == nullptr || std::find(sizes.begin(), sizes.end(), array->size()) == sizes.end()) {
    problem(key, fmt::format("'{}' must be a list of {} numbers", key, fmt::join(sizes, " or ")));
    return {};
  }
  return read_numbers(*array, key, &use).in_si();
}

JointNumbers TomlTable::read_numbers(const toml::array& array, std::string_view key, const NumberUse* use) {
  JointNumbers values;
  for (const toml::node& element : array) {
    const std::optional<WrittenNumber> value = read_number(element, key, use);
    if (!value) return {};
    values.push_back(*value);
  }
  return values;
}

JointNumbers TomlTable::list(std::string_view key, const NumberUse* use) {
  const toml::node* node = ask(key);
  if (node == nullptr) return {};
  if (const toml::array* array = node->as_array()) {
    if (array->empty()) problem(key, fmt::format("'{}' is an empty list", key), "leave it out, or write numbers");
    return read_numbers(*array, key, use);
  }
  const std::optional<WrittenNumber> value = read_number(*node, key, use);
  return value ? JointNumbers{*value} : JointNumbers{};
}

std::vector<double> TomlTable::number_list(std::string_view key) { return list(key, &plain).in_si(); }

JointNumbers TomlTable::joint_numbers(std::string_view key) { return list(key, nullptr); }

std::vector<JointNumbers> TomlTable::joint_rows(std::string_view key) {
  const toml::node* node = ask(key);
  if (node == nullptr) return {};
  std::vector<JointNumbers> rows;
  if (const toml::array* array = node->as_array()) {
    for (const toml::node& element : *array) {
      const toml::array* row = element.as_array();
      rows.push_back(row == nullptr ? JointNumbers{} : read_numbers(*row, key, nullptr));
      if (rows.back().empty()) break;
    }
  }
  if (!rows.empty() && !rows.back().empty()) return rows;
  problem(key, fmt::format("'{}' must be a list of lists of numbers", key), "write [[1, 2, 3], [4, 5, 6]]");
  return {};
}

std::optional<WrittenNumber> TomlTable::joint_number(std::string_view key) {
  const toml::node* node = ask(key);
  return node == nullptr ? std::nullopt : read_number(*node, key, nullptr);
}

std::vector<TomlTable::Text> TomlTable::texts(std::string_view key) {
  const toml::node* node = ask(key);
  std::vector<Text> list;
  const auto add = [&](const toml::node& element) {
    if (const auto* value = element.as_string())
      list.push_back({value->get(), problems_.at(&element)});
    else
      problems_.add(&element, fmt::format("{}: '{}' must be texts in quotes", name_, key));
  };
  if (node == nullptr) return list;
  if (const toml::array* array = node->as_array()) {
    for (const toml::node& element : *array) add(element);
  } else {
    add(*node);
  }
  return list;
}

Vec3<double> TomlTable::vec3(std::string_view key, const Vec3<double>& fallback, const NumberUse& use) {
  const std::vector<double> v = numbers(key, {3}, use);
  return v.empty() ? fallback : Vec3<double>{v[0], v[1], v[2]};
}

Mat3<double> TomlTable::mat3(std::string_view key) {
  const toml::node* node = ask(key);
  std::vector<double> v;
  if (const toml::array* rows = node != nullptr ? node->as_array() : nullptr; rows != nullptr && rows->size() == 3) {
    for (const toml::node& row : *rows) {
      const toml::array* entries = row.as_array();
      if (entries == nullptr || entries->size() != 3) break;
      const std::vector<double> numbers = read_numbers(*entries, key, &plain).in_si();
      if (numbers.empty()) return Mat3<double>::identity();
      v.insert(v.end(), numbers.begin(), numbers.end());
    }
  }
  if (v.size() == 9) return {v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8]};
  problem(key, fmt::format("'{}' must be three rows of three numbers", key));
  return Mat3<double>::identity();
}

const toml::table* TomlTable::table(std::string_view key) {
  const toml::node* node = ask(key);
  if (node == nullptr) return nullptr;
  if (node->as_table() == nullptr) problem(key, fmt::format("'{}' must be a table {{ … }}", key));
  return node->as_table();
}

std::vector<const toml::table*> TomlTable::tables(std::string_view key) {
  const toml::node* node = ask(key);
  std::vector<const toml::table*> result;
  if (node == nullptr) return result;
  const toml::array* array = node->as_array();
  if (array == nullptr || !array->is_homogeneous(toml::node_type::table)) {
    problem(key, fmt::format("'{}' must be a list of tables", key), fmt::format("write [[{}]]", key));
    return result;
  }
  for (const toml::node& element : *array) result.push_back(element.as_table());
  return result;
}

int TomlTable::choice(std::string_view key, std::span<const std::string_view> choices) {
  const std::string word = text(key);
  const toml::node* node = table_.get(key);
  if (node == nullptr || !node->is_string()) return -1;
  const auto found = std::find(choices.begin(), choices.end(), word);
  if (found != choices.end()) return static_cast<int>(found - choices.begin());
  problem(key, fmt::format("'{}' is '{}'", key, word), fmt::format("use one of: {}", fmt::join(choices, ", ")));
  return -1;
}

void TomlTable::finish() {
  for (const auto& [key, node] : table_) {
    if (std::find(asked_.begin(), asked_.end(), key.str()) != asked_.end()) continue;
    const std::string_view near = key == "d" ? std::string_view("b") : nearest_word(key.str(), asked_);
    problems_.add(&node, fmt::format("{}: unknown key '{}'", name_, key.str()),
                  near.empty() ? fmt::format("known keys: {}", fmt::join(asked_, ", "))
                               : fmt::format("did you mean '{}'?", near));
  }
}

}  // namespace ulna
