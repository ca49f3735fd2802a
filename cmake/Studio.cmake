# studio.html: the engine by emscripten in a build folder of its own, then the page with it inside, beside the report's.
find_program(ULNA_EMCC emcc DOC "emscripten's compiler")
mark_as_advanced(ULNA_EMCC)
if(NOT ULNA_EMCC)
  message(STATUS "studio: no emscripten (Debian: emscripten); it is not built")
  return()
endif()
message(STATUS "studio: by ${ULNA_EMCC}")

set(web_source ${PROJECT_SOURCE_DIR}/web)
set(web_build ${PROJECT_BINARY_DIR}/web)
set(wasm_build ${PROJECT_BINARY_DIR}/wasm)
set(ULNA_STUDIO_PAGE ${web_build}/studio.html)
file(GLOB_RECURSE engine_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/*.hpp ${PROJECT_SOURCE_DIR}/src/*.hpp
     ${PROJECT_SOURCE_DIR}/src/*.cpp ${PROJECT_SOURCE_DIR}/robots/*.toml ${web_source}/studio/*.cpp ${web_source}/studio/*.hpp
     ${web_source}/studio/CMakeLists.txt)
file(GLOB studio_files CONFIGURE_DEPENDS ${web_source}/build.mjs ${web_source}/page/* ${web_source}/studio/*.js
     ${web_source}/studio/*.css ${web_source}/studio/*.html)

# A Node that is not Debian's looks elsewhere for what emscripten's scripts need.
set(for_emscripten ${CMAKE_COMMAND} -E env NODE_PATH=/usr/share/nodejs)
# Its own ninja decides what is old; two jobs, because the build around it has others.
add_custom_command(
  OUTPUT ${wasm_build}/engine.wasm ${wasm_build}/engine.cjs
  COMMAND ${for_emscripten} ${CMAKE_COMMAND} --preset wasm -B ${wasm_build} > ${PROJECT_BINARY_DIR}/wasm.log
  COMMAND ${for_emscripten} ${CMAKE_COMMAND} --build ${wasm_build} --target studio_engine --parallel 2 >> ${PROJECT_BINARY_DIR}/wasm.log
  COMMAND ${CMAKE_COMMAND} -E touch ${wasm_build}/engine.wasm ${wasm_build}/engine.cjs
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
  DEPENDS ${engine_files} ${PROJECT_SOURCE_DIR}/CMakePresets.json
  COMMENT "The engine for browsers (some minutes)"
  VERBATIM)
add_custom_command(
  OUTPUT ${ULNA_STUDIO_PAGE}
  COMMAND ${CMAKE_COMMAND} -E copy_directory ${web_source}/studio ${web_build}/studio
  COMMAND ${ULNA_NODE} build.mjs ${web_build} studio ${wasm_build}
  WORKING_DIRECTORY ${web_build}
  # The report's page brings node_modules and the modules that both share.
  DEPENDS ${web_build}/page.html ${wasm_build}/engine.wasm ${wasm_build}/engine.cjs ${studio_files}
  COMMENT "Bundling the studio"
  VERBATIM)
add_custom_target(studio ALL DEPENDS ${ULNA_STUDIO_PAGE})
install(FILES ${ULNA_STUDIO_PAGE} DESTINATION ${CMAKE_INSTALL_DATADIR}/ulna OPTIONAL)
