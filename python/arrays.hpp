// NumPy arrays in and out, by NumPy's own C interface: an array that is as it should be costs some nanoseconds and no
// copy. Everything here throws py::error_already_set with Python's exception set.
#pragma once

#include <pybind11/pybind11.h>

#include <array>
#include <initializer_list>
#include <span>

#include "ulna/real/matrix_view.hpp"

#define PY_ARRAY_UNIQUE_SYMBOL ULNA_ARRAY_API
#define NPY_NO_DEPRECATED_API NPY_1_7_API_VERSION
#ifndef ULNA_IMPORTS_ARRAYS
#define NO_IMPORT_ARRAY
#endif
#include <numpy/arrayobject.h>

namespace ulna::python {

namespace py = pybind11;

/// Sets a Python exception, with a text as PyErr_Format() makes it, and throws it.
[[noreturn]] void raise(PyObject* type, const char* format, ...);

template <class S>
inline constexpr int numpy_type = std::is_same_v<S, float> ? NPY_FLOAT : NPY_DOUBLE;

/// "(3, 7)", for messages.
std::string shape_text(PyArrayObject* array);

/// An argument: numbers of one state, or one row for each of many.
class In {
 public:
  /// `type` is NPY_FLOAT or NPY_DOUBLE. Anything NumPy makes an array of real numbers of is taken; what is not of this
  /// type or not row by row is copied once.
  In(PyObject* object, const char* name, int width, int type, bool one_state = false);
  In(const In&) = delete;
  In& operator=(const In&) = delete;
  ~In() { Py_XDECREF(array_); }

  bool is_batch() const { return PyArray_NDIM(array_) == 2; }
  Py_ssize_t rows() const { return PyArray_DIM(array_, 0); }
  template <class S>
  const S* data() const {
    return static_cast<const S*>(PyArray_DATA(array_));
  }
  VectorView<const double> vector() const { return {data<double>(), static_cast<std::size_t>(width_)}; }
  /// A single state, or a batch of one, stands for all `rows`: its stride is zero.
  template <class S>
  MatrixView<const S> columns(int rows) const {
    return {data<S>(), width_, rows, is_batch() && this->rows() == rows ? width_ : 0};
  }
  const char* name() const { return name_; }
  Py_ssize_t size() const { return PyArray_SIZE(array_); }
  PyArrayObject* array() const { return array_; }

 private:
  PyArrayObject* array_;
  const char* name_;
  int width_;
};

/// Those of a call; null behind the last one.
using Arguments = std::array<const In*, 3>;

/// How many states the arguments are of; −1: each is one state. One row stands for all. Throws ValueError where they do
/// not agree.
int count_states(const Arguments& arguments);

/// What a result is per state: a number, a vector, or a matrix.
struct ResultShape {
  int rows, cols = 0;      // cols 0: a vector; rows 0: a number
  bool symmetric = false;  // the same row by row and column by column
  int frames = 0;          // so many of them; 0: one, without an axis of its own
};

/// An array to be computed into. Matrices are column by column in the library: what Python gets is a transposed view,
/// and no number is moved.
class Out {
 public:
  /// `given` is the caller's `out=` or null; `states` as count_states(). The result may take the place of one of the
  /// arguments; where it overlaps with one in part, it is computed beside.
  Out(PyObject* given, const char* name, int states, ResultShape shape, int type, const Arguments& arguments = {});
  Out(const Out&) = delete;
  Out& operator=(const Out&) = delete;
  ~Out();

  template <class S>
  S* data() const {
    return static_cast<S*>(PyArray_DATA(memory_));
  }
  int numbers() const { return numbers_; }  // per state
  VectorView<double> vector() const { return {data<double>(), static_cast<std::size_t>(numbers_)}; }
  MatrixView<double> matrix() const { return {data<double>(), shape_.rows, shape_.cols}; }
  template <class S>
  MatrixView<S> columns(int rows) const {
    return {data<S>(), numbers_, rows};
  }
  /// The array for Python, or a number where a state has one and nothing was given; a new reference. Throws what Ctrl-C
  /// set while it was computed.
  PyObject* finish();
  /// Whether both are the caller's and share memory.
  bool shares_memory(const Out& other) const;

 private:
  /// Column by column, so that Python's rows are the library's columns.
  bool is_turned() const { return shape_.cols > 0 && !shape_.symmetric; }
  /// Takes the caller's own memory where the library can write it as it is.
  bool write_in_place(const Arguments& arguments);

  ResultShape shape_;
  int numbers_;
  PyArrayObject* memory_;  // as the library writes it
  PyArrayObject* result_;  // the caller's own, or null
  bool copies_ = false;    // the caller's own is of another layout, or overlaps with an argument
};

/// NPY_FLOAT or NPY_DOUBLE: what `dtype=` says, or float32 where all arguments are arrays of it.
int type_of(PyObject* dtype, std::initializer_list<PyObject*> arguments);

/// A new float64 array of numbers that are copied: for small results.
py::object array_of(std::span<const double> numbers);
/// Of a matrix that is column by column.
py::object array_of(MatrixView<const double> matrix);
/// Over memory that `owner` keeps, read-only.
py::object view_of(const double* data, std::initializer_list<Py_ssize_t> shape, const py::object& owner);

}  // namespace ulna::python
