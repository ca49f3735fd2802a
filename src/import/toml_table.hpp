// Reading TOML tables with types checked, lines kept, and every unknown key reported.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#define TOML_EXCEPTIONS 1
#define TOML_ASSERT(condition) static_cast<void>(0)  // it asserts what a file can break, and has words for it as well
#include <toml++/toml.h>

#include "ulna/model/finding.hpp"

namespace ulna {

/// The problems of one file, collected so that all are told at once.
struct TomlProblems {
  std::string file;
  std::vector<Finding> findings;

  void add(const toml::node* where, std::string what, std::string remedy = "");
  Source at(const toml::node* where) const;
};

/// The whole file; throws InputError with the line where it is not TOML.
toml::table parse_toml_text(const std::string& text, const std::string& file);

/// One table of the file. Each key is asked for by the type it must have; `finish` then reports
/// the keys nobody asked for, with the nearest that somebody did.
class TomlTable {
 public:
  TomlTable(const toml::table& table, std::string name, TomlProblems& problems)
      : table_(table), name_(std::move(name)), problems_(problems) {}

  bool has(std::string_view key) const { return table_.contains(key); }
  Source source() const { return problems_.at(&table_); }

  std::string text(std::string_view key, std::string fallback = "");
  bool flag(std::string_view key, bool fallback);
  double number(std::string_view key, double fallback);  // angles may say "… deg"
  /// As many numbers as asked for; empty if the key is absent or wrong.
  std::vector<double> numbers(std::string_view key, std::initializer_list<std::size_t> sizes);
  /// A list of any length, or a single number as a list of one; empty if the key is absent or wrong.
  std::vector<double> number_list(std::string_view key);
  struct Text {
    std::string text;
    Source source;
  };
  /// A list of texts, or a single one as a list of one; empty if the key is absent or wrong.
  std::vector<Text> texts(std::string_view key);
  Vec3<double> vec3(std::string_view key, const Vec3<double>& fallback);
  /// Three rows of three.
  Mat3<double> mat3(std::string_view key);
  const toml::table* table(std::string_view key);
  /// An array of tables, empty if absent.
  std::vector<const toml::table*> tables(std::string_view key);
  /// The index of the text among the choices; −1 if absent or wrong.
  int choice(std::string_view key, std::initializer_list<std::string_view> choices);
  /// Counts a key as known without reading it.
  void mention(std::string_view key) { asked_.emplace_back(key); }
  void require(std::string_view key);
  void problem(std::string_view key, std::string what, std::string remedy = "");
  void finish();

 private:
  const toml::node* ask(std::string_view key);
  std::vector<double> read_numbers(const toml::array& array, std::string_view key);
  std::optional<double> read_number(const toml::node& node, std::string_view key);

  const toml::table& table_;
  std::string name_;
  TomlProblems& problems_;
  std::vector<std::string> asked_;
};

}  // namespace ulna
