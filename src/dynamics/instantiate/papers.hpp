// Coriolis matrices and the papers' formulations, compiled for ULNA_SCALAR.
#include "ulna/dynamics/method_impl.hpp"

namespace ulna {
namespace newton_euler {
ULNA_NEWTON_EULER_CONVECTIVE(, ULNA_SCALAR)
}
namespace composite_body {
ULNA_CORIOLIS(, ULNA_SCALAR)
}
namespace denoc {
ULNA_DENOC(, ULNA_SCALAR)
ULNA_CONVECTIVE(, ULNA_SCALAR)
}  // namespace denoc
namespace constraint_force {
ULNA_CONSTRAINT_FORCE(, ULNA_SCALAR)
}
namespace homogeneous {
ULNA_HOMOGENEOUS(, ULNA_SCALAR)
}
namespace spatial_operator {
ULNA_SPATIAL_OPERATOR(, ULNA_SCALAR)
}
}  // namespace ulna
