// Ranks of MPI as a communicator, for programs that use MPI themselves: link ulna::mpi.
#pragma once

#include <mpi.h>

#include <memory>

#include "ulna/study/communicator.hpp"

namespace ulna {

/// Of a duplicate of `comm`; called by all of its ranks. MPI must be initialised, with MPI_THREAD_SERIALIZED or more,
/// and finalised after the communicator's end.
std::unique_ptr<Communicator> mpi_communicator(MPI_Comm comm);

}  // namespace ulna
