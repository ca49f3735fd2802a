#include "study/joint_lookup.hpp"

#include <fmt/format.h>

#include "ulna/base/nearest_word.hpp"

namespace ulna {

int joint_index(const Model& model, const std::string& name, const std::string& where, const Source& source) {
  std::vector<std::string> names;
  for (const JointInfo& joint : model.joints()) {
    const int index = model.bodies()[static_cast<std::size_t>(joint.body)].v_index;
    if (model.q_of_v()[static_cast<std::size_t>(index)] < 0) continue;
    if (joint.name == name) return index;
    names.push_back(joint.name);
  }
  throw InputError(source, fmt::format("{}: '{}' is not a joint with one degree of freedom; {}see `ulna show`", where,
                                       name, guess_for(name, names)));
}

}  // namespace ulna
