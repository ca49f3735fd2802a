// Every algorithm of the library, compiled for ULNA_SCALAR. One file beside this per scalar, so
// that the scalars compile in parallel and no compiler needs much memory.
#include "ulna/dynamics/articulated_body/derivatives_impl.hpp"
#include "ulna/dynamics/method_impl.hpp"
#include "ulna/kinematics/kinematics_impl.hpp"

namespace ulna {
ULNA_KINEMATICS(, ULNA_SCALAR)
ULNA_METHOD(, ULNA_SCALAR)
namespace newton_euler {
ULNA_NEWTON_EULER(, ULNA_SCALAR)
ULNA_NEWTON_EULER_CONVECTIVE(, ULNA_SCALAR)
ULNA_INVERSE_DERIVATIVES(, ULNA_SCALAR)
}  // namespace newton_euler
namespace articulated_body {
ULNA_ARTICULATED_BODY(, ULNA_SCALAR)
ULNA_FORWARD_DERIVATIVES(, ULNA_SCALAR)
}  // namespace articulated_body
namespace composite_body {
ULNA_COMPOSITE_BODY(, ULNA_SCALAR)
ULNA_CORIOLIS(, ULNA_SCALAR)
}  // namespace composite_body
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
