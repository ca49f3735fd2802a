// The reference numbers of test/golden.
#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace ulna::test {

inline nlohmann::json golden(const std::string& name) {
  std::ifstream file(std::string(ULNA_GOLDEN) + "/" + name + ".json");
  if (!file) throw std::runtime_error("missing test/golden/" + name + ".json");
  return nlohmann::json::parse(file);
}

inline std::vector<double> list(const nlohmann::json& values) { return values.get<std::vector<double>>(); }

}  // namespace ulna::test
