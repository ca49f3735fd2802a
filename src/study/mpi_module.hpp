// What libulna_mpi.so holds for those that load it.
#pragma once

#include "ulna/study/communicator.hpp"

namespace ulna {

inline constexpr const char* mpi_module_file = "libulna_mpi.so.0";

extern "C" {
using MpiModuleVersion = const char*();
using MpiModuleWorld = Communicator*();
using MpiModuleRanks = Communicator*(const void* comm);
}
inline constexpr const char* mpi_version_function = "ulna_mpi_version";
inline constexpr const char* mpi_world_function = "ulna_mpi_world";
inline constexpr const char* mpi_ranks_function = "ulna_mpi_ranks";

}  // namespace ulna
