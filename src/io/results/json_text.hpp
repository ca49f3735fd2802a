// JSON documents as the text of files.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace ulna {

/// Doubles keep all their digits; those that are not finite are null. Bytes of a path that are no UTF-8 are replaced.
inline std::string json_text(const nlohmann::ordered_json& document, int indent = 1) {
  return document.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace ulna
