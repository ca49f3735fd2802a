# The interpreter that `import ulna` is built for: -DPython_EXECUTABLE, else the first python3 on the PATH that has NumPy
# and its headers. The first one of all may be another than Debian's, without them.
if(NOT Python_EXECUTABLE)
  set(candidates $ENV{PATH})
  string(REPLACE ":" ";" candidates "${candidates}")
  list(TRANSFORM candidates APPEND /python3)
  foreach(candidate IN LISTS candidates ITEMS /usr/bin/python3)
    if(EXISTS ${candidate})
      execute_process(
        COMMAND ${candidate} -c "import numpy, sysconfig, os; open(os.path.join(sysconfig.get_path('include'), 'Python.h'))"
        RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
      if(NOT failed)
        set(Python_EXECUTABLE ${candidate} CACHE FILEPATH "The Python that import ulna is built for")
        break()
      endif()
    endif()
  endforeach()
endif()
if(NOT Python_EXECUTABLE)
  message(FATAL_ERROR "No python3 on the PATH has NumPy and Python's headers: install the packages python3-numpy and "
    "python3-dev, or name another interpreter by -DPython_EXECUTABLE, or configure with -DULNA_PYTHON=OFF.")
endif()
find_package(Python REQUIRED COMPONENTS Interpreter Development.Module NumPy)
set(PYBIND11_FINDPYTHON ON)
find_package(pybind11 2.10 REQUIRED CONFIG)
message(STATUS "Python: import ulna is for ${Python_EXECUTABLE} (${Python_VERSION}, NumPy ${Python_NumPy_VERSION})")
