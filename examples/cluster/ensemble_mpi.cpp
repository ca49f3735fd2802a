// An ensemble over the ranks of a program that has MPI of its own: mpirun -n 4 example_ensemble_mpi FOLDER
#include <mpi.h>

#include <cstdio>

#include "ulna/mpi.hpp"
#include "ulna/ulna.hpp"

namespace {

/// The exit code; all ranks get the same.
int run(const char* folder, ulna::Communicator& ranks) {
  const ulna::Scenario scenario = ulna::parse_scenario(
      "robot = \"puma560\"\n[run]\nfor = 1\nevery = 0.1\nintegrator = \"dp5\"\ntolerance = 1e-6\n"
      "[ensemble]\nruns = 200\nvary = [\"q=normal:5deg\"]\n",
      "swings");
  try {
    const ulna::ChunkedEnsemble swings = ulna::run_ensemble(std::make_shared<const ulna::PreparedEnsemble>(scenario),
                                                            {.folder = folder, .plan = {.chunk = 20}}, ranks);
    if (ranks.rank() == 0)
      std::printf("joint 2 after 1 s: half of %zu runs below %.3f rad\n", swings.summary.runs,
                  swings.summary.ends[1].percentiles[2]);
    return swings.summary.status() == ulna::RunStatus::completed ? 0 : 1;
  } catch (const ulna::InputError& error) {  // on the first rank, whichever found it
    std::fprintf(stderr, "%s\n", error.what());
  } catch (const ulna::FailedElsewhere&) {
  }
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  int level = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
  const int code = run(argc > 1 ? argv[1] : "swings", *ulna::mpi_communicator(MPI_COMM_WORLD));
  MPI_Finalize();
  return code;
}
