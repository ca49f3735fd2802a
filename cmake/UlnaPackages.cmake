# cpack: Debian packages of what cmake --install installs: ulna (command, library, headers, robots, documents),
# python3-ulna (import ulna), and where their libraries were found ulna-peers (the modules for KDL and MuJoCo) and ulna-mpi
# (ensembles over ranks): ulna itself needs none of these. `make deb` builds them with all levels for /usr.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_VENDOR "Ulna")
set(CPACK_PACKAGE_CONTACT "Ulna <ulna@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# All need libulna.so, which is in no package that is installed yet.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/lib)
set(CPACK_COMPONENTS_ALL Unspecified)
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_NAME ulna)
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_SECTION science)
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_RECOMMENDS "gcc")  # compiles robots' own code
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_SUGGESTS "ulna-peers, ulna-mpi")

# ulna_package(COMPONENT NAME SECTION [DEPENDS…]): a package beside ulna, of the same version.
macro(ulna_package component name section)
  string(TOUPPER ${component} upper)
  list(APPEND CPACK_COMPONENTS_ALL ${component})
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name})
  set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section})
  set(depends "ulna (= ${PROJECT_VERSION})" ${ARGN})
  string(REPLACE ";" ", " CPACK_DEBIAN_${upper}_PACKAGE_DEPENDS "${depends}")
endmacro()
if(TARGET ulna_kdl OR TARGET ulna_mujoco)
  ulna_package(peers ulna-peers science)
endif()
if(TARGET ulna_mpi)
  ulna_package(mpi ulna-mpi science openmpi-bin)
endif()
if(ULNA_PYTHON)
  # An extension module is for one Python 3.x, the one that UlnaPython.cmake found.
  get_directory_property(minor DIRECTORY ${PROJECT_SOURCE_DIR}/python DEFINITION Python_VERSION_MINOR)
  math(EXPR next "${minor} + 1")
  ulna_package(python python3-ulna python python3-numpy
    "python3 (>= 3.${minor}~)" "python3 (<< 3.${next})")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS "python3-h5py, python3-matplotlib, python3-pandas")
endif()
include(CPack)
