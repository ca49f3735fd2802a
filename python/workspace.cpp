// What a robot reaches.
#include "ulna/study/workspace/workspace.hpp"

#include <pybind11/stl.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "one_state.hpp"
#include "robot.hpp"

namespace ulna::python {

namespace {

py::object shaped(const std::vector<double>& numbers, std::initializer_list<std::size_t> shape) {
  py::tuple sizes(shape.size());
  std::size_t k = 0;
  for (const std::size_t size : shape) sizes[k++] = size;
  return array_of(numbers).attr("reshape")(sizes);
}

template <std::size_t n>
py::object corners_of(const std::vector<std::array<Vec3<double>, n>>& pieces) {
  std::vector<double> numbers;
  for (const auto& piece : pieces)
    for (const Vec3<double>& p : piece) numbers.insert(numbers.end(), {p.x, p.y, p.z});
  return shaped(numbers, {pieces.size(), n, 3});
}

py::dict size_dict(const reach::Size& size) {
  py::dict dict;
  dict["value"] = size.value;
  dict["error"] = size.error;
  return dict;
}

py::dict extent_dict(const reach::Extent& extent) {
  py::dict dict;
  dict["largest"] = extent.largest;
  dict["smallest"] = extent.smallest;
  dict["q_largest"] = array_of(extent.q_largest);
  dict["q_smallest"] = array_of(extent.q_smallest);
  return dict;
}

py::dict slice_dict(const reach::Slice& slice, const reach::Record& record) {
  const auto rows = static_cast<std::size_t>(slice.rows), columns = static_cast<std::size_t>(slice.columns);
  const auto vector = [](const Vec3<double>& v) { return array_of(std::vector<double>{v.x, v.y, v.z}); };
  py::dict dict;
  dict["origin"] = vector(slice.origin);
  dict["x_axis"] = vector(slice.x_axis);
  dict["y_axis"] = vector(slice.y_axis);
  dict["x"] = py::make_tuple(slice.x_low, slice.x_high);
  dict["y"] = py::make_tuple(slice.y_low, slice.y_high);
  dict["height"] = slice.height;
  dict["reached"] = shaped({slice.reached.begin(), slice.reached.end()}, {rows, columns}).attr("astype")("bool");
  if (record.has_service) dict["service"] = shaped(slice.service, {rows, columns});
  if (record.has_payload) dict["payload"] = shaped(slice.payload, {rows, columns});
  return dict;
}

py::dict record_dict(const reach::Record& record) {
  py::dict dict;
  dict["size"] = size_dict(record.volume.size);
  dict["holes"] = record.volume.holes;
  dict["hole_size"] = record.volume.hole_size;
  dict["from_base"] = extent_dict(record.from_base);
  if (record.from_axis) dict["from_axis"] = extent_dict(*record.from_axis);
  dict["height"] = record.height;
  if (record.dexterity && record.dexterity->enough_joints) dict["dexterous"] = size_dict(record.dexterity->size);
  if (record.has_service) dict["mean_service"] = record.mean_service;
  if (record.has_payload) dict["least_payload"] = record.least_payload;
  std::vector<double> points, q, service, payload;
  for (const reach::Point& point : record.points) {
    points.insert(points.end(), {point.p.x, point.p.y, point.p.z});
    q.insert(q.end(), point.q.begin(), point.q.end());
    service.push_back(point.service);
    payload.push_back(point.payload);
  }
  dict["points"] = shaped(points, {record.points.size(), 3});
  dict["q"] = shaped(q, {record.points.size(), static_cast<std::size_t>(record.robot.model.nq())});
  if (record.has_service) dict["service"] = array_of(service);
  if (record.has_payload) dict["payload"] = array_of(payload);
  py::list slices;
  for (const reach::Slice& slice : record.slices) slices.append(slice_dict(slice, record));
  dict["slices"] = slices;
  dict["boundary"] = corners_of(record.boundary);
  dict["outline"] = corners_of(record.outline);
  return dict;
}

py::dict workspace(const Robot& robot, const std::string& frame,
                   const std::map<std::string, std::pair<double, double>>& ranges, double accuracy, bool dexterity,
                   int slices, int threads) {
  const reach::Options options{frame, ranges, accuracy, threads, &no_signal_came};
  try {
    return record_dict(without_gil([&] { return reach::explore(*robot.graph, {dexterity, true, slices}, options); }));
  } catch (const Interrupted&) {
    throw py::error_already_set();
  }
}

}  // namespace

void bind_workspace(py::module_& module) {
  const Methods methods(module.attr("Model"));
  methods.def(
      "workspace", "(self, frame='', *, ranges={}, accuracy=0.01, dexterity=True, slices=3, threads=0)",
      "What the tip, or a link or frame, reaches within the limits of the joints (doc/workspace.md), in a dict: size\n"
      "(value and error, m³ or m²), holes, hole_size, from_base and from_axis (largest and smallest distance, m, and\n"
      "where), height along the first axis, dexterous (reached with every orientation), mean_service, least_payload\n"
      "(kg), points (N, 3) with q (N, nq), service and payload, slices with arrays of rows, boundary (M, 3, 3) of\n"
      "triangles, outline (K, 2, 3) of a section. ranges: {joint: (from, to)}, within the limits.",
      &workspace, py::arg("frame") = "", py::kw_only(),
      py::arg("ranges") = std::map<std::string, std::pair<double, double>>{}, py::arg("accuracy") = 0.01,
      py::arg("dexterity") = true, py::arg("slices") = 3, py::arg("threads") = 0);
}

}  // namespace ulna::python
