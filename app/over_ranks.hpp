// A command by all processes that mpirun started together.
#pragma once

#include <functional>

#include "ulna/study/communicator.hpp"

namespace ulna::app {

/// What `work` returns on the first rank, which tells its error too; 0 on the others.
int over_ranks(const std::function<int(Communicator& ranks)>& work);

}  // namespace ulna::app
