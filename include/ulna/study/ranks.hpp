// The ranks of MPI for programs that do not link it: libulna_mpi.so is loaded while the program runs, where it is.
// Programs that have MPI themselves include ulna/mpi.hpp.
#pragma once

#include <memory>
#include <optional>

#include "ulna/study/communicator.hpp"

namespace ulna {

/// Who this process is among those that mpirun, srun or their like started, by what they leave in the environment.
struct LaunchedRank {
  int rank = 0, size = 1;
};
/// None: it was started by itself.
std::optional<LaunchedRank> launched_rank();

/// All processes that were started together; begins MPI. Throws InputError where the library is missing.
std::unique_ptr<Communicator> world_ranks();
/// Those of an MPI_Comm of the caller's, by its address (mpi4py: MPI._addressof(comm)).
std::unique_ptr<Communicator> ranks_of(const void* comm);

}  // namespace ulna
