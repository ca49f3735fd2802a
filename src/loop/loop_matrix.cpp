#include "loop_matrix_impl.hpp"

namespace ulna {

template class LoopMatrix<double>;

}  // namespace ulna
