// A table of a scenario or of a task: most of its numbers are times, counts, torques and the like, which have no unit.
#pragma once

#include <fmt/format.h>

#include "import/toml_table.hpp"

namespace ulna {

class PlainTable : public TomlTable {
 public:
  PlainTable(const toml::table& table, std::string name, TomlProblems& problems)
      : TomlTable(table, std::move(name), problems), node_(table) {}

  // As number(), number_list() and vec3() of TomlTable, but for texts such as "90 deg", which are refused.
  double plain(std::string_view key, double fallback) { return is_plain(key) ? number(key, fallback) : fallback; }
  std::vector<double> plain_list(std::string_view key) {
    return is_plain(key) ? number_list(key) : std::vector<double>{};
  }
  Vec3<double> plain_vec3(std::string_view key, const Vec3<double>& fallback) {
    return is_plain(key) ? vec3(key, fallback) : fallback;
  }

  double positive(std::string_view key, double fallback) {
    if (!is_plain(key)) return fallback;
    const double value = number(key, fallback);
    if (value > 0.0 || !has(key)) return value;
    problem(key, fmt::format("'{}' is {}; it must be positive", key, value));
    return fallback;
  }

 private:
  bool is_plain(std::string_view key) {
    const toml::node* node = node_.get(key);
    bool text = node != nullptr && node->is_string();
    if (const toml::array* list = node != nullptr ? node->as_array() : nullptr)
      for (const toml::node& element : *list) text = text || element.is_string();
    if (!text) return true;
    mention(key);
    problem(key, fmt::format("'{}' is a text, and only angles may be one", key),
            "write numbers without quotes and units");
    return false;
  }

  const toml::table& node_;
};

}  // namespace ulna
