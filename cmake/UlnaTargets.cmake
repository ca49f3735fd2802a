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
  $<$<CONFIG:Release>:$<IF:$<BOOL:${EMSCRIPTEN}>,-O2,-O3>>)
target_compile_definitions(ulna_flags INTERFACE
  $<$<BOOL:${ULNA_THREADS}>:ULNA_THREADS> $<$<BOOL:${ULNA_CVODE}>:ULNA_CVODE>)
# For what is compiled more often than it runs: after ulna_flags among a target's libraries.
add_library(ulna_quick INTERFACE)
target_compile_options(ulna_quick INTERFACE $<$<CONFIG:Release>:-O1>)

# Files that each read the same big headers take most of their time for them: up to COUNT are compiled as one.
function(ulna_unity target count)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${ULNA_UNITY} UNITY_BUILD_BATCH_SIZE ${count})
  # A file that is included may be so twice: then what is local to it would be another thing each time.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
endfunction()

# For the algorithms only: Eigen changes its alignment with the instruction set, so nothing that
# shares Eigen objects with another library may use it.
add_library(ulna_native INTERFACE)
set(is_x86_linux OFF)
if(CMAKE_SYSTEM_NAME STREQUAL Linux AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|amd64)$")
  set(is_x86_linux ON)
endif()

# The best level of x86-64 that glibc's loader finds this machine to have; empty where it cannot tell.
function(ulna_machine_level variable)
  set(${variable} "" PARENT_SCOPE)
  execute_process(COMMAND /lib64/ld-linux-x86-64.so.2 --help OUTPUT_VARIABLE said ERROR_QUIET RESULT_VARIABLE failed)
  foreach(level x86-64-v4 x86-64-v3 x86-64-v2)
    if(said MATCHES "${level} [(]supported")
      set(${variable} ${level} PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

# The levels of x86-64 beyond the first that the algorithms are compiled for as well. Each makes a
# libulna.so of its own in glibc-hwcaps/LEVEL, where glibc's loader looks first for the best that the
# processor can run (doc/batch.md).
set(ULNA_LEVELS "")
set(only_level "")
if(ULNA_LEVEL STREQUAL all)
  if(BUILD_SHARED_LIBS AND is_x86_linux)
    set(ULNA_LEVELS x86-64-v3 x86-64-v4)
  endif()
elseif(ULNA_LEVEL STREQUAL machine)
  if(is_x86_linux)
    ulna_machine_level(only_level)
  endif()
else()
  set(only_level ${ULNA_LEVEL})
endif()
if(only_level)
  target_compile_options(ulna_native INTERFACE -march=${only_level})
endif()
if(NOT ULNA_LEVELS)
  # What another configuration of this folder left there would be loaded instead of the library.
  file(REMOVE_RECURSE ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/glibc-hwcaps)
endif()

if(EMSCRIPTEN)
  add_compile_options(-fwasm-exceptions)  # all objects of a link alike
  target_compile_options(ulna_native INTERFACE $<$<CONFIG:Release>:-O3>)
elseif(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # Packing the components of small structs into vectors shuffles more than it saves: inverse
  # dynamics takes 300 ns with it and 200 ns without.
  target_compile_options(ulna_native INTERFACE -fno-tree-slp-vectorize)
  # g++ 12 reports overlaps inside std::string that cannot happen (GCC bug 105651).
  target_compile_options(ulna_flags INTERFACE -Wno-restrict)
endif()
# ulna_folder(FOLDER [DEPENDS folder…] [NATIVE file…|all] [QUICK] [LIBRARIES …] [EXTRA file…] [WITHOUT file…|all]): src/FOLDER as object
# libraries. It may include the folders it names, and what they may; nothing else has this list: test/architecture reads it
# from the build folder. NATIVE files are the algorithms, compiled once more for each of ULNA_LEVELS; the others are
# compiled once. QUICK: with ulna_quick. EXTRA: sources from elsewhere. WITHOUT: files that this build leaves
# out, or all of them.
file(WRITE ${PROJECT_BINARY_DIR}/folders.txt "")
function(ulna_folder folder)
  cmake_parse_arguments(arg "QUICK" "" "DEPENDS;NATIVE;LIBRARIES;EXTRA;WITHOUT" ${ARGN})
  string(REPLACE / _ name ulna_${folder})
  file(APPEND ${PROJECT_BINARY_DIR}/folders.txt "${folder} ${arg_DEPENDS}\n")
  set(pattern ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.cpp)
  if(folder STREQUAL dynamics)
    list(APPEND pattern ${CMAKE_CURRENT_SOURCE_DIR}/dynamics/instantiate/*.cpp)
  endif()
  file(GLOB portable CONFIGURE_DEPENDS ${pattern})
  set(native "")
  if(arg_WITHOUT STREQUAL all)
    set(portable "")
  elseif(arg_NATIVE STREQUAL all)
    set(native ${portable})
  else()
    foreach(file IN LISTS arg_NATIVE)
      list(APPEND native ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/${file})
    endforeach()
  endif()
  list(REMOVE_ITEM portable "" ${native})
  list(TRANSFORM arg_WITHOUT PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/)
  list(REMOVE_ITEM portable "" ${arg_WITHOUT})
  list(REMOVE_ITEM native "" ${arg_WITHOUT})
  list(APPEND portable ${arg_EXTRA})
  if(arg_QUICK)
    list(PREPEND arg_LIBRARIES ulna_quick)
  endif()
  ulna_objects(${name} "${portable}" "${arg_DEPENDS}" "${arg_LIBRARIES}")
  if(portable)
    ulna_unity(${name} 20)
  endif()
  if(native)
    ulna_objects(${name}_native "${native}" "${arg_DEPENDS}" "ulna_native;${arg_LIBRARIES}")
    if(NOT folder STREQUAL dynamics)  # whose files are large, and compiled with options of their own
      ulna_unity(${name}_native 10)
    endif()
  endif()
  foreach(level IN LISTS ULNA_LEVELS)
    if(native)
      ulna_objects(${name}_${level} "${native}" "${arg_DEPENDS}" "ulna_native;${arg_LIBRARIES}")
      target_compile_options(${name}_${level} PRIVATE -march=${level})
      if(NOT folder STREQUAL dynamics)
        ulna_unity(${name}_${level} 10)
      endif()
      set_property(GLOBAL APPEND PROPERTY ULNA_OBJECTS_${level} ${name}_${level})
    endif()
    if(portable)
      set_property(GLOBAL APPEND PROPERTY ULNA_OBJECTS_${level} ${name})
    endif()
  endforeach()
  if(portable)
    set_property(GLOBAL APPEND PROPERTY ULNA_OBJECTS ${name})
  endif()
  if(native)
    set_property(GLOBAL APPEND PROPERTY ULNA_OBJECTS ${name}_native)
  endif()
endfunction()

# An object library, or without sources what others need to include the folder.
function(ulna_objects target sources depends libraries)
  list(TRANSFORM depends REPLACE / _)
  list(TRANSFORM depends PREPEND ulna_)
  if(NOT sources)
    add_library(${target} INTERFACE)
    target_include_directories(${target} INTERFACE ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include)
    target_link_libraries(${target} INTERFACE ${depends})
    return()
  endif()
  add_library(${target} OBJECT ${sources})
  target_include_directories(${target} PUBLIC
    ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${target} PRIVATE ulna_flags ${libraries} PUBLIC ${depends})
endfunction()

# ulna_library(TARGET OBJECTS…): the library of these object libraries.
function(ulna_library target)
  add_library(${target})
  foreach(objects IN LISTS ARGN)
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${objects}>)
  endforeach()
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:ulna_flags>)
  target_link_libraries(${target} PRIVATE fmt::fmt tomlplusplus ${ulna_tbb}
                        ${ulna_sundials} ${HDF5_C_LIBRARIES} ${CMAKE_DL_LIBS})
  # The loader looks there for libulna_mpi.so; those for other processors are two folders below.
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ulna VERSION ${PROJECT_VERSION} SOVERSION 0
                        BUILD_RPATH ${CMAKE_LIBRARY_OUTPUT_DIRECTORY} INSTALL_RPATH "$ORIGIN;$ORIGIN/../..")
  if(BUILD_SHARED_LIBS)
    # Inline functions that a program holds too must not take the place of the library's own: those are
    # compiled for better instructions.
    target_link_options(${target} PRIVATE LINKER:-Bsymbolic-functions)
    if(CMAKE_SYSTEM_NAME STREQUAL Linux)
      set(exports ${PROJECT_SOURCE_DIR}/cmake/exports.map)
      target_link_options(${target} PRIVATE LINKER:--version-script=${exports})
      set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${exports})
    endif()
  endif()
endfunction()
