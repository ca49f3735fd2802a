// Datasets with a row per run, arm or whatever is counted: written one by one, read as a whole or in slices.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ensemble_runs.hpp"
#include "hdf5_file.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

enum class NumberKind { real, whole, text };

/// A dataset with a row per run.
struct RowsInfo {
  std::string name;
  NumberKind kind = NumberKind::real;
  std::vector<hsize_t> row{};                               // its shape; empty: one number
  std::vector<std::pair<const char*, std::string>> said{};  // attributes

  std::size_t width() const {
    std::size_t width = 1;
    for (const hsize_t n : row) width *= n;
    return width;
  }
  std::vector<hsize_t> shape(std::size_t runs) const {
    std::vector<hsize_t> shape{runs};
    shape.insert(shape.end(), row.begin(), row.end());
    return shape;
  }
};

Hdf5Handle create_dataset(const Hdf5File& file, const RowsInfo& info, std::size_t runs, const Hdf5Handle& layout);

enum class RowLayout { compressed, plain };

/// Takes rows one by one and writes them in whole chunks, so that the file does not depend on how they come.
class RowWriter {
 public:
  RowWriter(const Hdf5File& file, RowsInfo info, std::size_t runs, RowLayout layout);

  void add(std::int64_t x) {
    wholes_.push_back(x);
    end_row();
  }
  void add(double x) {
    reals_.push_back(x);
    end_row();
  }
  /// Without numbers: a row of NaN.
  void add(std::span<const double> row);
  void add(std::string_view text) {
    texts_.emplace_back(text);
    end_row();
  }
  /// `fill` appends the numbers of a row.
  template <class Fill>
  void add_row(const Fill& fill) {
    fill(reals_);
    end_row();
  }
  void finish() {
    if (waiting_ > 0) flush();
  }

 private:
  void end_row() {
    if (++waiting_ == at_once_) flush();
  }

  void flush();

  const Hdf5File& file_;
  RowsInfo info_;
  Hdf5Handle layout_;
  std::optional<Hdf5Handle> dataset_;
  std::size_t at_once_ = 1, waiting_ = 0, written_ = 0;
  std::vector<double> reals_;
  std::vector<std::int64_t> wholes_;
  std::vector<std::string> texts_;
};

/// False where the dataset is not there or has another shape. `times`: of the second axis.
bool read_rows(hid_t file, const RowsInfo& info, std::size_t count, void* to, const TimeSlice* times = nullptr);
bool read_texts(hid_t file, const RowsInfo& info, std::span<std::string> texts);

}  // namespace ulna
#pragma GCC visibility pop
