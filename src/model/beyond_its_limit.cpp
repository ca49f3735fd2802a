#include "model/beyond_its_limit.hpp"

#include <fmt/format.h>

namespace ulna {

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
