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

std::string beyond_its_limit(const Model& model, std::span<const double> q, double rounding) {
  for (std::size_t k = 0; k < q.size(); ++k) {
    const double lower = model.lower_limits()[k], upper = model.upper_limits()[k];
    if (q[k] >= lower - rounding && q[k] <= upper + rounding) continue;
    return fmt::format("joint '{}' at {:.6g}, beyond its {} limit {:.6g}", model.joint_of(static_cast<int>(k)).name,
                       q[k], q[k] < lower ? "lower" : "upper", q[k] < lower ? lower : upper);
  }
  return {};
}

}  // namespace ulna
