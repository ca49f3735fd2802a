// What the numbers of a joint are: angles or lengths.
#pragma once

#include "ulna/base/number.hpp"
#include "ulna/model/model.hpp"

namespace ulna {

/// A place of the joint: its offset, a limit, where its spring rests.
NumberUse number_use(const GraphJoint& joint);
/// Of each number of q; of v, a and whatever else there is one of per degree of freedom.
std::vector<NumberUse> position_uses(const Model& model);
std::vector<NumberUse> rate_uses(const Model& model);

}  // namespace ulna
