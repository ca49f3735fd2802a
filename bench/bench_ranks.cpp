// What handing out chunks costs, and how well chunks of different length are balanced: mpirun -n N bench_ranks [CHUNKS]
// Chunks here sleep instead of computing, so that more ranks than cores show what as many cores would.
#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "ulna/mpi.hpp"
#include "ulna/simulate/random_numbers.hpp"

namespace {

using Clock = std::chrono::steady_clock;
using Tally = ulna::Communicator::Tally;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

double largest(double own) {
  double all = 0.0;
  MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return all;
}

/// Microseconds for the next number of the counter, when all ranks ask all the time.
double cost_of_taking(ulna::Communicator& ranks) {
  constexpr int times = 2000;
  ranks.begin();
  const Clock::time_point begin = Clock::now();
  for (int i = 0; i < times; ++i) ranks.add(Tally::next, 1);
  const double own = seconds_since(begin);
  MPI_Barrier(MPI_COMM_WORLD);
  return largest(own) / times * 1e6;
}

/// The part of all ranks' time that is spent in chunks, of `length` seconds each, or up to 50 times that.
double efficiency(ulna::Communicator& ranks, std::size_t chunks, double length, bool uneven) {
  const auto seconds = [&](std::size_t chunk) {
    return length * (uneven ? 1.0 + 49.0 * ulna::unit_number(ulna::mixed(chunk)) : 1.0);
  };
  ranks.begin();
  const Clock::time_point begin = Clock::now();
  for (std::size_t chunk = ranks.add(Tally::next, 1); chunk < chunks; chunk = ranks.add(Tally::next, 1)) {
    const Clock::time_point end =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds(chunk)));
    while (Clock::now() < end) {
      ranks.goes_on();
      std::this_thread::sleep_for(std::min<Clock::duration>(std::chrono::microseconds(500), end - Clock::now()));
    }
    ranks.add(Tally::finished, 1);
  }
  const double wall = largest(seconds_since(begin));
  double work = 0.0;
  for (std::size_t chunk = 0; chunk < chunks; ++chunk) work += seconds(chunk);
  return work / (wall * ranks.size());
}

}  // namespace

int main(int argc, char** argv) {
  int level = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
  {
    const auto ranks = ulna::mpi_communicator(MPI_COMM_WORLD);
    const auto each = static_cast<std::size_t>(argc > 1 ? std::atoi(argv[1]) : 20);
    const auto chunks = each * static_cast<std::size_t>(ranks->size());
    const double taking = cost_of_taking(*ranks);
    const double even = efficiency(*ranks, chunks, 0.1, false), uneven = efficiency(*ranks, chunks, 0.004, true);
    if (ranks->rank() == 0) {
      fmt::print(
          "ranks {}: {:.2f} µs to take a chunk; {} chunks of 100 ms: efficiency {:.4f}; of 4 to 200 ms: {:.4f}\n",
          ranks->size(), taking, chunks, even, uneven);
    }
  }
  MPI_Finalize();
}
