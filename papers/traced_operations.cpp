#include "papers/traced_operations.hpp"

#include <fmt/format.h>

namespace ulna::reproduction {

std::string TracedOperations::text() const { return fmt::format("{} M, {} A", multiplications, additions); }

TracedOperations traced_operations(const Model& model, Quantity quantity, const char* method) {
  const trace::Counts counts = trace::record(model, quantity, method).counts();
  return {counts.multiplications + counts.divisions, counts.additions};
}

}  // namespace ulna::reproduction
