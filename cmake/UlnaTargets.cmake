# How every target of this project is compiled.
add_library(ulna_flags INTERFACE)
target_compile_options(ulna_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor
  # Packs wider than the target's registers are passed by reference inside the library only.
  -Wno-psabi
  # sqrt without errno and selects without traps are single instructions. No -ffast-math: NaN
  # must stay NaN and sums keep their order.
  -fno-math-errno -fno-trapping-math -ffp-contract=fast
  $<$<BOOL:${ULNA_WERROR}>:-Werror>
  $<$<CONFIG:Release>:-O3>)
# For the algorithms only: Eigen changes its alignment with the instruction set, so nothing that
# shares Eigen objects with another library may use it.
add_library(ulna_native INTERFACE)
if(ULNA_NATIVE)
  target_compile_options(ulna_native INTERFACE -march=native)
endif()

if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # Packing the components of small structs into vectors shuffles more than it saves: inverse
  # dynamics takes 300 ns with it and 200 ns without.
  target_compile_options(ulna_native INTERFACE -fno-tree-slp-vectorize)
  # g++ 12 reports overlaps inside std::string that cannot happen (GCC bug 105651).
  target_compile_options(ulna_flags INTERFACE -Wno-restrict)
endif()
# ulna_folder(NAME SOURCES … DEPENDS …): one folder of the library as an object library, which may
# use the folders it names. test/architecture checks the includes against the same list.
function(ulna_folder name)
  cmake_parse_arguments(arg "" "" "SOURCES;DEPENDS;LIBRARIES" ${ARGN})
  if(arg_SOURCES)
    add_library(ulna_${name} OBJECT ${arg_SOURCES})
    target_include_directories(ulna_${name} PUBLIC
      ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include PRIVATE ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(ulna_${name} PRIVATE ulna_flags ${arg_LIBRARIES})
    set_property(GLOBAL APPEND PROPERTY ULNA_OBJECT_FOLDERS ulna_${name})
  else()
    add_library(ulna_${name} INTERFACE)
    target_include_directories(ulna_${name} INTERFACE ${PROJECT_SOURCE_DIR}/include)
  endif()
  foreach(folder IN LISTS arg_DEPENDS)
    if(arg_SOURCES)
      target_link_libraries(ulna_${name} PUBLIC ulna_${folder})
    else()
      target_link_libraries(ulna_${name} INTERFACE ulna_${folder})
    endif()
  endforeach()
endfunction()
