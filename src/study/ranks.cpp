#include "ulna/study/ranks.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <string_view>

#include "study/mpi_module.hpp"
#include "ulna/base/error.hpp"
#include "ulna/version.hpp"

namespace ulna {

namespace {

std::optional<int> number_in(const char* variable) {
  const char* text = std::getenv(variable);
  if (text == nullptr) return std::nullopt;
  char* end = nullptr;
  const long number = std::strtol(text, &end, 10);
  return end != text && *end == '\0' && number >= 0 && number < 1'000'000'000 ? std::optional(static_cast<int>(number))
                                                                              : std::nullopt;
}

/// A function of the library, which stays loaded.
template <class Function>
Function* find(const char* name) {
  // Without a slash: the loader looks where this library is.
  static void* const module = ::dlopen(mpi_module_file, RTLD_NOW | RTLD_GLOBAL);
  if (module == nullptr) {
    throw InputError(
        "this Ulna cannot run over MPI: libulna_mpi.so is not there; run one process, install the package ulna-mpi, or "
        "build Ulna with MPI (doc/cluster.md)");
  }
  auto* version_of = reinterpret_cast<MpiModuleVersion*>(::dlsym(module, mpi_version_function));
  void* found = ::dlsym(module, name);
  if (version_of == nullptr || found == nullptr || std::string_view(version_of()) != version)
    throw InputError("libulna_mpi.so is of another version of Ulna; install both together");
  return reinterpret_cast<Function*>(found);
}

}  // namespace

std::optional<LaunchedRank> launched_rank() {
  // Open MPI, MPICH and Intel's, MVAPICH, and Slurm's srun by PMIx
  struct Names {
    const char *rank, *size;
  };
  for (const Names& names :
       {Names{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"}, Names{"PMI_RANK", "PMI_SIZE"},
        Names{"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE"}, Names{"PMIX_RANK", "SLURM_STEP_NUM_TASKS"}}) {
    const std::optional<int> rank = number_in(names.rank), size = number_in(names.size);
    if (rank && size) return LaunchedRank{*rank, *size};
  }
  return std::nullopt;
}

std::unique_ptr<Communicator> world_ranks() {
  return std::unique_ptr<Communicator>(find<MpiModuleWorld>(mpi_world_function)());
}

std::unique_ptr<Communicator> ranks_of(const void* comm) {
  return std::unique_ptr<Communicator>(find<MpiModuleRanks>(mpi_ranks_function)(comm));
}

}  // namespace ulna
