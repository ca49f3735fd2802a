#include "number_uses.hpp"

#include "ulna/model/graph.hpp"

namespace ulna {

namespace {

NumberUse use_of(bool is_length, std::string joint) {
  return {is_length ? NumberUse::Kind::length : NumberUse::Kind::angle, std::move(joint)};
}

std::vector<NumberUse> uses(const Model& model, std::span<const JointNumber> (*numbers)(JointKind)) {
  std::vector<NumberUse> list;
  for (const JointInfo& joint : model.joints())
    for (const JointNumber& number : numbers(joint.kind))
      list.push_back(use_of(number.is_length, joint.name + number.suffix));
  return list;
}

}  // namespace

NumberUse number_use(const GraphJoint& joint) { return use_of(slides(joint.kind), joint.name); }

std::vector<NumberUse> position_uses(const Model& model) { return uses(model, position_numbers); }
std::vector<NumberUse> rate_uses(const Model& model) { return uses(model, rate_numbers); }

}  // namespace ulna
