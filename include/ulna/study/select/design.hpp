// A design sweep of any size: numbers of robot files vary over a grid, and of each arm only the criteria remain that
// were asked for. Every arm depends on its number alone, so that arms can be computed in any order and anywhere.
#pragma once

#include <memory>

#include "ulna/study/select/selection.hpp"

namespace ulna::selection {

/// What a design sweep knows of an arm.
struct DesignRow {
  /// apart: it cannot do the task; refused: it cannot be compared at all, and its values are NaN.
  enum class Outcome { ranked, apart, refused } outcome = Outcome::ranked;
  std::string reason{};                    // of one that is not ranked
  std::vector<double> values{}, errors{};  // of the criteria, in their order
};

class DesignSweep {
 public:
  /// Criteria are those of `selection.criteria`, of the Pareto front, and those with weights of their own. Throws
  /// InputError for what cannot be swept; single arms that cannot be compared are told in their rows.
  explicit DesignSweep(Selection selection);
  ~DesignSweep();
  DesignSweep(const DesignSweep&) = delete;
  DesignSweep& operator=(const DesignSweep&) = delete;

  const Selection& selection() const;
  const VariantGrid& grid() const;
  /// Without values, with their weights.
  const std::vector<Criterion>& criteria() const;
  /// Of the two of the front, in `criteria()`.
  std::array<std::size_t, 2> front_criteria() const;
  std::string name_of(std::size_t arm) const;
  /// All that the numbers depend on, part by part: what it is, and its text.
  std::vector<std::pair<std::string, std::string>> identity() const;

  /// The arms from `first` on, on so many threads (0: as many as the machine has), with the same result for any number
  /// of them. `proceed` is asked now and then, by one thread at a time; false ends the work with Interrupted.
  std::vector<DesignRow> evaluate(std::size_t first, std::size_t count, int threads,
                                  const std::function<bool()>& proceed) const;

 private:
  struct Parts;
  std::unique_ptr<const Parts> parts_;
};

}  // namespace ulna::selection
