#include "ulna/integrate/step_driver_impl.hpp"

namespace ulna {
template class RungeKutta<PackDouble>;
template class RungeKutta<PackFloat>;
template class StepDriver<PackDouble>;
template class StepDriver<PackFloat>;
}  // namespace ulna
