// Kinematics, the registry of methods and the classical formulations, compiled for ULNA_SCALAR.
#include "ulna/dynamics/articulated_body/derivatives_impl.hpp"
#include "ulna/dynamics/method_impl.hpp"
#include "ulna/kinematics/kinematics_impl.hpp"

namespace ulna {
ULNA_LINK_POSES(, ULNA_SCALAR)
ULNA_KINEMATICS(, ULNA_SCALAR)
ULNA_METHOD(, ULNA_SCALAR)
namespace newton_euler {
ULNA_NEWTON_EULER(, ULNA_SCALAR)
ULNA_NEWTON_EULER_OUTWARD(, ULNA_SCALAR)
#ifndef ULNA_WITHOUT_DERIVATIVES
ULNA_INVERSE_DERIVATIVES(, ULNA_SCALAR)
#endif
}  // namespace newton_euler
namespace articulated_body {
ULNA_ARTICULATED_BODY(, ULNA_SCALAR)
#ifndef ULNA_WITHOUT_DERIVATIVES
ULNA_FORWARD_DERIVATIVES(, ULNA_SCALAR)
#endif
}  // namespace articulated_body
namespace composite_body {
ULNA_COMPOSITE_BODY(, ULNA_SCALAR)
}
}  // namespace ulna
