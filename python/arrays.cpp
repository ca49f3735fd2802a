#define ULNA_IMPORTS_ARRAYS
#include "arrays.hpp"

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdlib>
#include <limits>
#include <vector>

#include "bindings.hpp"

namespace ulna::python {

void raise(PyObject* type, const char* format, ...) {
  std::va_list list;
  va_start(list, format);
  PyErr_FormatV(type, format, list);
  va_end(list);
  throw py::error_already_set();
}

std::string shape_text(PyArrayObject* array) {
  return py::str(py::reinterpret_borrow<py::object>(reinterpret_cast<PyObject*>(array)).attr("shape"));
}

namespace {

PyObject* object_of(PyArrayObject* array) { return reinterpret_cast<PyObject*>(array); }

/// Whether it can be used as it is.
bool fits(PyObject* object, int type) {
  if (!PyArray_Check(object)) return false;
  auto* array = reinterpret_cast<PyArrayObject*>(object);
  return PyArray_TYPE(array) == type && PyArray_ISCARRAY_RO(array);
}

/// A copy of the type wanted; real numbers only.
PyArrayObject* converted(PyObject* object, const char* name, int type) {
  PyObject* any = PyArray_FromAny(object, nullptr, 0, 0, 0, nullptr);
  if (any == nullptr) throw py::error_already_set();
  const auto held = py::reinterpret_steal<py::object>(any);
  auto* array = reinterpret_cast<PyArrayObject*>(any);
  const int given = PyArray_TYPE(array);
  if (!PyTypeNum_ISINTEGER(given) && !PyTypeNum_ISFLOAT(given) && !PyTypeNum_ISBOOL(given)) {
    const std::string text = py::str(held.attr("dtype"));
    raise(PyExc_ValueError, "%s has dtype %s; real numbers are wanted", name, text.c_str());
  }
  PyObject* result = PyArray_FromAny(any, PyArray_DescrFromType(type), 0, 0,
                                     NPY_ARRAY_CARRAY_RO | NPY_ARRAY_NOTSWAPPED | NPY_ARRAY_FORCECAST, nullptr);
  if (result == nullptr) throw py::error_already_set();
  return reinterpret_cast<PyArrayObject*>(result);
}

}  // namespace

In::In(PyObject* object, const char* name, int width, int type, bool one_state)
    : array_(nullptr), name_(name), width_(width) {
  if (fits(object, type)) {
    Py_INCREF(object);
    array_ = reinterpret_cast<PyArrayObject*>(object);
  } else {
    array_ = converted(object, name, type);
  }
  const int dimensions = PyArray_NDIM(array_);
  const bool good = dimensions == 1 || (dimensions == 2 && !one_state);
  if (good && PyArray_DIM(array_, dimensions - 1) == width) return;
  const std::string shape = shape_text(array_);
  Py_CLEAR(array_);
  if (one_state) raise(PyExc_ValueError, "%s has shape %s; one state is wanted: (%d,)", name, shape.c_str(), width);
  raise(PyExc_ValueError, "%s has shape %s; (%d,) or (N, %d) is wanted", name, shape.c_str(), width, width);
}

int count_states(const Arguments& arguments) {
  const In* first = nullptr;
  for (const In* argument : arguments) {
    if (argument == nullptr || !argument->is_batch()) continue;
    if (first == nullptr || first->rows() == 1) first = argument;
    if (argument->rows() != first->rows() && argument->rows() != 1)
      raise(PyExc_ValueError, "%s has %zd rows and %s has %zd; they must agree", first->name(), first->rows(),
            argument->name(), argument->rows());
  }
  if (first == nullptr) return -1;
  if (first->rows() > std::numeric_limits<int>::max())
    raise(PyExc_ValueError, "%s has %zd rows; 2147483647 are the most", first->name(), first->rows());
  return static_cast<int>(first->rows());
}

namespace {

/// The shape of an array.
struct Extent {
  std::array<npy_intp, 4> sizes{};
  int dimensions = 0;

  Extent(int states, const ResultShape& shape) {
    if (states >= 0) add(states);
    if (shape.frames > 0) add(shape.frames);
    if (shape.rows > 0) add(shape.rows);
    if (shape.cols > 0) add(shape.cols);
  }
  void add(npy_intp size) { sizes[static_cast<std::size_t>(dimensions++)] = size; }
  bool is_of(PyArrayObject* array) const {
    return PyArray_NDIM(array) == dimensions &&
           std::equal(sizes.begin(), sizes.begin() + dimensions, PyArray_DIMS(array));
  }
  /// As Python writes it.
  std::string text() const {
    std::string numbers;
    for (int k = 0; k < dimensions; ++k) {
      numbers += (k > 0 ? ", " : "") + std::to_string(sizes[static_cast<std::size_t>(k)]);
    }
    return "(" + numbers + (dimensions == 1 ? ",)" : ")");
  }
};

/// The bytes between an array's first number and its last one.
std::pair<const char*, const char*> range_of(PyArrayObject* array) {
  const char* first = PyArray_BYTES(array);
  const char* last = first + PyArray_ITEMSIZE(array);
  for (int k = 0; k < PyArray_NDIM(array); ++k) {
    if (PyArray_DIM(array, k) == 0) return {first, first};
    const npy_intp way = (PyArray_DIM(array, k) - 1) * PyArray_STRIDE(array, k);
    (way < 0 ? first : last) += way;
  }
  return {first, last};
}

/// By their ends: arrays that are interleaved count as overlapping.
bool overlap(PyArrayObject* a, PyArrayObject* b) {
  const auto [a_first, a_last] = range_of(a);
  const auto [b_first, b_last] = range_of(b);
  return a_first < b_last && b_first < a_last;
}

/// Number for number in the same place.
bool is_same(PyArrayObject* a, PyArrayObject* b) {
  const int n = PyArray_NDIM(a);
  return PyArray_BYTES(a) == PyArray_BYTES(b) && n == PyArray_NDIM(b) &&
         std::equal(PyArray_DIMS(a), PyArray_DIMS(a) + n, PyArray_DIMS(b)) &&
         std::equal(PyArray_STRIDES(a), PyArray_STRIDES(a) + n, PyArray_STRIDES(b));
}

/// Whether two of its numbers are in one place. Views whose rows are interleaved with each other count as such.
bool overlaps_itself(PyArrayObject* array) {
  std::vector<std::pair<npy_intp, npy_intp>> ways;  // from number to number, and in all
  for (int k = 0; k < PyArray_NDIM(array); ++k) {
    if (PyArray_DIM(array, k) == 0) return false;
    const npy_intp step = std::abs(PyArray_STRIDE(array, k));
    if (PyArray_DIM(array, k) > 1) ways.emplace_back(step, step * (PyArray_DIM(array, k) - 1));
  }
  std::sort(ways.begin(), ways.end());
  npy_intp size = PyArray_ITEMSIZE(array);
  for (const auto& [step, way] : ways) {
    if (step < size) return true;
    size += way;
  }
  return false;
}

/// With its last two axes exchanged; a new reference.
PyArrayObject* swapped(PyArrayObject* array) {
  const int last = PyArray_NDIM(array) - 1;
  PyObject* view = PyArray_SwapAxes(array, last, last - 1);
  if (view == nullptr) throw py::error_already_set();
  return reinterpret_cast<PyArrayObject*>(view);
}

/// Throws ValueError unless `out=` can take the result.
PyArrayObject* expect_result(PyObject* given, const char* name, const Extent& wanted, int type) {
  if (!PyArray_Check(given)) raise(PyExc_ValueError, "%s must be a NumPy array", name);
  auto* array = reinterpret_cast<PyArrayObject*>(given);
  const bool writeable = PyArray_ISWRITEABLE(array);
  if (wanted.is_of(array) && PyArray_TYPE(array) == type && writeable) {
    if (overlaps_itself(array)) raise(PyExc_ValueError, "%s has several numbers in one place of its memory", name);
    return array;
  }
  const std::string has = shape_text(array), of = py::str(py::handle(given).attr("dtype"));
  raise(PyExc_ValueError, "%s has shape %s and dtype %s%s; %s of %s, writeable, is wanted", name, has.c_str(),
        of.c_str(), writeable ? "" : ", read-only", wanted.text().c_str(), type == NPY_FLOAT ? "float32" : "float64");
}

}  // namespace

Out::Out(PyObject* given, const char* name, int states, ResultShape shape, int type, const Arguments& arguments)
    : shape_(shape),
      numbers_(std::max(shape.rows, 1) * std::max(shape.cols, 1) * std::max(shape.frames, 1)),
      memory_(nullptr),
      result_(nullptr) {
  Extent wanted(states, shape);
  if (given != nullptr) {
    result_ = expect_result(given, name, wanted, type);
    Py_INCREF(given);
    if (write_in_place(arguments)) return;
    copies_ = true;
  }
  if (is_turned()) {
    const auto last = static_cast<std::size_t>(wanted.dimensions - 1);
    std::swap(wanted.sizes[last], wanted.sizes[last - 1]);
  }
  memory_ = reinterpret_cast<PyArrayObject*>(PyArray_EMPTY(wanted.dimensions, wanted.sizes.data(), type, 0));
  if (memory_ == nullptr) {
    Py_XDECREF(result_);
    throw py::error_already_set();
  }
}

bool Out::write_in_place(const Arguments& arguments) {
  for (const In* argument : arguments) {
    if (argument == nullptr) break;
    if (overlap(result_, argument->array()) && !is_same(result_, argument->array())) return false;
  }
  if (is_turned()) {
    memory_ = swapped(result_);
  } else {
    memory_ = result_;
    Py_INCREF(object_of(memory_));
  }
  if (PyArray_ISCARRAY(memory_)) return true;
  Py_CLEAR(memory_);
  return false;
}

bool Out::shares_memory(const Out& other) const {
  return result_ != nullptr && other.result_ != nullptr && overlap(result_, other.result_);
}

Out::~Out() {
  Py_XDECREF(memory_);
  Py_XDECREF(result_);
}

PyObject* Out::finish() {
  if (PyErr_Occurred() != nullptr) throw py::error_already_set();
  if (is_turned()) {
    PyArrayObject* view = swapped(memory_);
    Py_DECREF(object_of(memory_));
    memory_ = view;
  }
  if (copies_ && PyArray_CopyInto(result_, memory_) != 0) throw py::error_already_set();
  PyArrayObject* array = result_ != nullptr ? result_ : memory_;
  Py_INCREF(object_of(array));
  return result_ != nullptr ? object_of(array) : PyArray_Return(array);  // which makes a number of an array of none
}

int type_of(PyObject* dtype, std::initializer_list<PyObject*> arguments) {
  if (dtype != nullptr && dtype != Py_None) {
    PyArray_Descr* descriptor = nullptr;
    if (PyArray_DescrConverter(dtype, &descriptor) == NPY_FAIL) throw py::error_already_set();
    const int type = descriptor->type_num;
    Py_DECREF(descriptor);
    if (type != NPY_FLOAT && type != NPY_DOUBLE) raise(PyExc_ValueError, "dtype must be float32 or float64");
    return type;
  }
  for (PyObject* argument : arguments)
    if (!PyArray_Check(argument) || PyArray_TYPE(reinterpret_cast<PyArrayObject*>(argument)) != NPY_FLOAT)
      return NPY_DOUBLE;
  return NPY_FLOAT;
}

namespace {

py::object new_array(std::initializer_list<Py_ssize_t> shape, bool by_columns) {
  std::array<npy_intp, 3> sizes{};
  std::copy(shape.begin(), shape.end(), sizes.begin());
  PyObject* array = PyArray_EMPTY(static_cast<int>(shape.size()), sizes.data(), NPY_DOUBLE, by_columns ? 1 : 0);
  if (array == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(array);
}

double* numbers_of(const py::object& array) {
  return static_cast<double*>(PyArray_DATA(reinterpret_cast<PyArrayObject*>(array.ptr())));
}

}  // namespace

py::object array_of(std::span<const double> numbers) {
  py::object array = new_array({static_cast<Py_ssize_t>(numbers.size())}, false);
  std::copy(numbers.begin(), numbers.end(), numbers_of(array));
  return array;
}

py::object array_of(MatrixView<const double> matrix) {
  py::object array = new_array({matrix.rows, matrix.cols}, true);
  for (int j = 0; j < matrix.cols; ++j)
    std::copy_n(matrix.column(j), matrix.rows, numbers_of(array) + static_cast<std::ptrdiff_t>(j) * matrix.rows);
  return array;
}

py::object view_of(const double* data, std::initializer_list<Py_ssize_t> shape, const py::object& owner) {
  std::array<npy_intp, 3> sizes{};
  std::copy(shape.begin(), shape.end(), sizes.begin());
  // Without samples there is no memory to show, and NumPy wants some.
  static const double nothing = 0.0;
  PyObject* array =
      PyArray_New(&PyArray_Type, static_cast<int>(shape.size()), sizes.data(), NPY_DOUBLE, nullptr,
                  const_cast<double*>(data != nullptr ? data : &nothing), 0, NPY_ARRAY_CARRAY_RO, nullptr);
  if (array == nullptr) throw py::error_already_set();
  Py_INCREF(owner.ptr());
  if (PyArray_SetBaseObject(reinterpret_cast<PyArrayObject*>(array), owner.ptr()) != 0) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(array);
}

namespace {

void* import_numpy() {
  import_array();
  return nullptr;
}

}  // namespace

void bind_arrays() {
  import_numpy();
  if (PyErr_Occurred() != nullptr) throw py::error_already_set();
}

}  // namespace ulna::python
