#include <algorithm>
#include <limits>

#include "decompositions.hpp"
#include "ulna/eigen.hpp"
#include "ulna/kinematics/kinematics.hpp"

namespace ulna {

Manipulability manipulability(MatrixView<const double> J) { return manipulability(J, std::min(J.rows, J.cols)); }

Manipulability manipulability(MatrixView<const double> J, int directions) {
  const Manipulability none{0.0, std::numeric_limits<double>::infinity(), 0.0, 0};
  if (J.rows == 0 || J.cols == 0 || directions <= 0) return none;
  const auto matrix = to_eigen(J);
  const Eigen::VectorXd all = Eigen::JacobiSVD<Eigen::MatrixXd>(matrix).singularValues();
  const Eigen::VectorXd s = all.head(std::min<Eigen::Index>(directions, all.size()));
  Manipulability m{1.0, 1.0, 0.0, 0};
  for (const double value : s) {
    m.yoshikawa *= value;
    if (value > 1e-12 * s[0]) ++m.rank;
  }
  if (s[0] == 0.0) return none;
  m.smallest = s[s.size() - 1];
  m.condition = m.rank == s.size() ? s[0] / m.smallest : std::numeric_limits<double>::infinity();
  return m;
}

}  // namespace ulna
