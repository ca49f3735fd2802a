#include "ulna/integrate/paced_runge_kutta_impl.hpp"

namespace ulna {
template class RungeKutta<double>;
template class PacedRungeKutta<double>;
}  // namespace ulna
