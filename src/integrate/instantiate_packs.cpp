#include "ulna/integrate/paced_runge_kutta_impl.hpp"

namespace ulna {
template class RungeKutta<PackDouble>;
template class RungeKutta<PackFloat>;
template class PacedRungeKutta<PackDouble>;
template class PacedRungeKutta<PackFloat>;
}  // namespace ulna
