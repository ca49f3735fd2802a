#include "over_ranks.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "option_names.hpp"
#include "ulna/base/error.hpp"
#include "ulna/study/ranks.hpp"

namespace ulna::app {

int over_ranks(const std::function<int(Communicator& ranks)>& work) {
  const std::unique_ptr<Communicator> ranks = world_ranks();
  int code = 0;
  try {
    code = work(*ranks);
  } catch (const FailedElsewhere&) {
    code = 0;  // the first rank tells
  } catch (const std::exception& error) {
    const bool is_input = dynamic_cast<const InputError*>(&error) != nullptr;
    fmt::print(stderr, "{}{}\n", is_input ? "" : "error: ", with_option_names(error.what()));
    code = 2;
  }
  std::fflush(stdout);
  ranks->leave();
  return code;
}

}  // namespace ulna::app
