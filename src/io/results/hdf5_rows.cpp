#include "hdf5_rows.hpp"

#include <algorithm>
#include <cmath>

namespace ulna {

namespace {

Hdf5Handle text_type() {
  Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.get(), H5T_VARIABLE);
  H5Tset_cset(type.get(), H5T_CSET_UTF8);
  return type;
}

Hdf5Handle type_in_file(NumberKind kind) {
  if (kind == NumberKind::text) return text_type();
  return {H5Tcopy(kind == NumberKind::real ? H5T_IEEE_F64LE : H5T_STD_I64LE), H5Tclose};
}

Hdf5Handle type_in_memory(NumberKind kind) {
  if (kind == NumberKind::text) return text_type();
  return {H5Tcopy(kind == NumberKind::real ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT64), H5Tclose};
}

/// Compressed where it is large enough to be cut into chunks of runs; how many runs a chunk has.
std::size_t cut_into_chunks(const Hdf5Handle& layout, const RowsInfo& info, std::size_t runs) {
  constexpr hsize_t chunk = 1 << 17;  // a megabyte of doubles
  const std::vector<hsize_t> shape = info.shape(runs);
  const hsize_t per_run = std::max<hsize_t>(1, info.width());
  if (runs * per_run <= 1024) return runs;
  std::vector<hsize_t> part = shape;
  part[0] = std::clamp<hsize_t>(chunk / per_run, 1, shape[0]);
  if (part.size() > 1 && per_run > chunk) part[1] = std::max<hsize_t>(1, chunk / (per_run / shape[1]));
  H5Pset_chunk(layout.get(), static_cast<int>(part.size()), part.data());
  H5Pset_shuffle(layout.get());
  H5Pset_deflate(layout.get(), 4);
  return part[0];
}

}  // namespace

Hdf5Handle create_dataset(const Hdf5File& file, const RowsInfo& info, std::size_t runs, const Hdf5Handle& layout) {
  const std::vector<hsize_t> shape = info.shape(runs);
  const Hdf5Handle space(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr), H5Sclose);
  const Hdf5Handle type = type_in_file(info.kind);
  Hdf5Handle dataset(
      H5Dcreate2(file.get(), info.name.c_str(), type.get(), space.get(), H5P_DEFAULT, layout.get(), H5P_DEFAULT),
      H5Dclose);
  if (!dataset.good()) file.fail();
  for (const auto& [name, text] : info.said) write_text_attribute(dataset.get(), name, text);
  return dataset;
}

RowWriter::RowWriter(const Hdf5File& file, RowsInfo info, std::size_t runs, RowLayout wanted)
    : file_(file), info_(std::move(info)), layout_(dataset_layout()) {
  constexpr std::size_t plain_bytes = 1 << 20;
  at_once_ = wanted == RowLayout::compressed
                 ? cut_into_chunks(layout_, info_, runs)
                 : std::clamp<std::size_t>(plain_bytes / (8 * std::max<std::size_t>(1, info_.width())), 1, runs);
  dataset_.emplace(create_dataset(file, info_, runs, layout_));
}

void RowWriter::add(std::span<const double> row) {
  reals_.insert(reals_.end(), row.begin(), row.end());
  if (row.empty()) reals_.insert(reals_.end(), info_.width(), std::nan(""));  // of runs that never began
  end_row();
}

void RowWriter::flush() {
  std::vector<hsize_t> from(info_.row.size() + 1, 0), size = info_.shape(waiting_);
  from[0] = written_;
  const Hdf5Handle memory(H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr), H5Sclose);
  const Hdf5Handle place(H5Dget_space(dataset_->get()), H5Sclose), type = type_in_memory(info_.kind);
  H5Sselect_hyperslab(place.get(), H5S_SELECT_SET, from.data(), nullptr, size.data(), nullptr);
  std::vector<const char*> pointers;
  pointers.reserve(texts_.size());
  for (const std::string& text : texts_) pointers.push_back(text.c_str());
  const void* data = info_.kind == NumberKind::real    ? static_cast<const void*>(reals_.data())
                     : info_.kind == NumberKind::whole ? static_cast<const void*>(wholes_.data())
                                                       : static_cast<const void*>(pointers.data());
  if (H5Dwrite(dataset_->get(), type.get(), memory.get(), place.get(), H5P_DEFAULT, data) < 0) file_.fail();
  written_ += waiting_;
  waiting_ = 0;
  reals_.clear();
  wholes_.clear();
  texts_.clear();
}

bool read_rows(hid_t file, const RowsInfo& info, std::size_t count, void* to, const TimeSlice* times) {
  const Hdf5Handle dataset(H5Dopen2(file, info.name.c_str(), H5P_DEFAULT), H5Dclose);
  if (!dataset.good()) return false;
  const Hdf5Handle place(H5Dget_space(dataset.get()), H5Sclose), type = type_in_memory(info.kind);
  std::vector<hsize_t> shape = info.shape(count), there(shape.size());
  if (H5Sget_simple_extent_ndims(place.get()) != static_cast<int>(shape.size())) return false;
  H5Sget_simple_extent_dims(place.get(), there.data(), nullptr);
  if (there != shape) return false;
  std::vector<hsize_t> from(shape.size(), 0), step(shape.size(), 1);
  if (times != nullptr) {
    from[1] = times->first;
    step[1] = times->stride;
    shape[1] = times->count;
  }
  H5Sselect_hyperslab(place.get(), H5S_SELECT_SET, from.data(), step.data(), shape.data(), nullptr);
  const Hdf5Handle memory(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr), H5Sclose);
  return H5Dread(dataset.get(), type.get(), memory.get(), place.get(), H5P_DEFAULT, to) >= 0;
}

bool read_texts(hid_t file, const RowsInfo& info, std::span<std::string> texts) {
  std::vector<char*> pointers(texts.size(), nullptr);
  const bool good = read_rows(file, info, texts.size(), pointers.data());
  for (std::size_t k = 0; k < texts.size(); ++k) {
    texts[k] = pointers[k] == nullptr ? "" : pointers[k];
    H5free_memory(pointers[k]);
  }
  return good;
}

}  // namespace ulna
