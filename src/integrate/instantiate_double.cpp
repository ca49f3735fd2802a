#include "ulna/integrate/step_driver_impl.hpp"

namespace ulna {
template class RungeKutta<double>;
template class StepDriver<double>;
}  // namespace ulna
