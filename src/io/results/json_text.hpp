// JSON documents as the text of files.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "ulna/simulate/trajectory.hpp"

namespace ulna {

/// Doubles keep all their digits; those that are not finite are null. Bytes of a path that are no UTF-8 are replaced.
inline std::string json_text(const nlohmann::ordered_json& document, int indent = 1) {
  return document.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

/// What stands in the columns of a table beside it.
inline nlohmann::ordered_json columns_json(std::span<const Column> columns) {
  auto list = nlohmann::ordered_json::array();
  for (const Column& c : columns)
    list.push_back({{"name", c.name}, {"label", c.label}, {"unit", c.unit}, {"group", c.group}});
  return list;
}

}  // namespace ulna
