#include "study/written_positions.hpp"

#include <fmt/format.h>

#include "model/number_uses.hpp"

namespace ulna {

std::vector<double> written_positions(const Model& model, const char* key, const JointNumbers& list,
                                      const Source& source) {
  const std::vector<NumberUse> uses = position_uses(model);
  if (list.size() != uses.size())
    throw InputError(source,
                     fmt::format("'{}' has {} numbers; the robot has {} joints", key, list.size(), uses.size()));
  std::vector<double> q;
  q.reserve(uses.size());
  for (std::size_t k = 0; k < uses.size(); ++k) q.push_back(resolve(list[k], uses[k], key));
  return q;
}

}  // namespace ulna
