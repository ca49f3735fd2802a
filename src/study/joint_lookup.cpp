#include "study/joint_lookup.hpp"

#include <fmt/format.h>

#include "ulna/base/nearest_word.hpp"

namespace ulna {

int joint_index(const Model& model, const std::string& name, const std::string& where, const Source& source) {
  std::vector<std::string> names;
  for (int k = 0; k < model.nv(); ++k) {
    if (model.q_of_v()[static_cast<std::size_t>(k)] < 0) continue;
    names.push_back(model.joint_of(k).name + model.rate_number(k).suffix);
    if (names.back() == name) return k;
  }
  throw InputError(source, fmt::format("{}: '{}' is not a joint with one degree of freedom; {}there are {}", where,
                                       name, guess_for(name, names), some_of(names)));
}

}  // namespace ulna
