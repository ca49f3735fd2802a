# The page of the reports: bundled by Node, and ULNA_PAGE_CPP, which holds it as ulna::report_page() of
# ulna/io/results/page.hpp.
# Everything happens in the build folder: node_modules never enters the source tree.
find_program(ULNA_NODE NAMES node nodejs DOC "Node.js 18 or later")
find_program(ULNA_NPM npm DOC "Node's package manager")
mark_as_advanced(ULNA_NODE ULNA_NPM)
if(NOT ULNA_NODE OR NOT ULNA_NPM)
  message(FATAL_ERROR "The page of the reports needs Node.js and npm: install the packages nodejs and npm, "
    "or configure with -DULNA_REPORT=OFF.")
endif()

set(web_source ${PROJECT_SOURCE_DIR}/web)
set(web_build ${PROJECT_BINARY_DIR}/web)
set(ULNA_PAGE ${web_build}/page.html)
file(GLOB web_files CONFIGURE_DEPENDS ${web_source}/build.mjs ${web_source}/page/*)

# npm goes to the network only here, and only when the lock has changed or node_modules is gone.
# The stamp comes last, so that a broken download is repeated. Packages' scripts are not needed.
set(npm_flags --no-audit --no-fund --ignore-scripts --loglevel=error)
if(NOT ULNA_BUILD_TESTS)
  list(APPEND npm_flags --omit=dev)
endif()
set(npm_stamp ${web_build}/node_modules/.ulna-stamp)
file(MAKE_DIRECTORY ${web_build})
add_custom_command(
  OUTPUT ${npm_stamp}
  COMMAND ${CMAKE_COMMAND} -E copy ${web_source}/package.json ${web_source}/package-lock.json ${web_build}
  COMMAND ${ULNA_NPM} ci ${npm_flags}
  COMMAND ${CMAKE_COMMAND} -E touch ${npm_stamp}
  WORKING_DIRECTORY ${web_build}
  DEPENDS ${web_source}/package.json ${web_source}/package-lock.json
  COMMENT "Fetching uPlot, three.js and esbuild"
  VERBATIM)

# Bundles copies, because modules look for node_modules beside themselves and above.
add_custom_command(
  OUTPUT ${ULNA_PAGE}
  COMMAND ${CMAKE_COMMAND} -E copy_directory ${web_source}/page ${web_build}/page
  COMMAND ${CMAKE_COMMAND} -E copy ${web_source}/build.mjs ${web_build}
  COMMAND ${ULNA_NODE} build.mjs ${web_build}
  WORKING_DIRECTORY ${web_build}
  DEPENDS ${npm_stamp} ${web_files}
  COMMENT "Bundling the report page"
  VERBATIM)

# The assembler takes the file as it is: no literal of 700 kB for the compiler to read.
set(ULNA_PAGE_CPP ${web_build}/page.cpp)
configure_file(${PROJECT_SOURCE_DIR}/src/io/results/page.cpp.in ${ULNA_PAGE_CPP} @ONLY)
set_source_files_properties(${ULNA_PAGE_CPP} PROPERTIES OBJECT_DEPENDS ${ULNA_PAGE} SKIP_UNITY_BUILD_INCLUSION ON)
