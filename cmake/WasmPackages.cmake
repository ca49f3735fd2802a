# What Ulna needs from elsewhere, for WebAssembly: headers of Debian's packages, which are the same for all machines. Each
# is linked into a folder of its own, because /usr/include as a whole belongs to another one.
set(wasm_include ${PROJECT_BINARY_DIR}/packages)
file(MAKE_DIRECTORY ${wasm_include})
foreach(package eigen3/Eigen fmt nlohmann toml++)
  get_filename_component(name ${package} NAME)
  if(NOT EXISTS /usr/include/${package})
    message(FATAL_ERROR "/usr/include/${package} is not there: scripts/install-deps build studio")
  endif()
  file(CREATE_LINK /usr/include/${package} ${wasm_include}/${name} SYMBOLIC)
endforeach()

foreach(target Eigen3::Eigen nlohmann_json::nlohmann_json PkgConfig::tomlplusplus)
  add_library(${target} INTERFACE IMPORTED)
  target_include_directories(${target} SYSTEM INTERFACE ${wasm_include})
endforeach()
# Compiled once each, as Debian's libraries are; header-only in every file, objects are four times as large.
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/fmt.cpp CONTENT [[
#include <fmt/format-inl.h>
FMT_BEGIN_NAMESPACE
template FMT_API auto detail::dragonbox::to_decimal(float) noexcept -> detail::dragonbox::decimal_fp<float>;
template FMT_API auto detail::dragonbox::to_decimal(double) noexcept -> detail::dragonbox::decimal_fp<double>;
template FMT_API auto detail::thousands_sep_impl(locale_ref) -> thousands_sep_result<char>;
template FMT_API auto detail::decimal_point_impl(locale_ref) -> char;
template FMT_API void detail::buffer<char>::append(const char*, const char*);
template FMT_API void detail::vformat_to(buffer<char>&, string_view, basic_format_args<FMT_BUFFER_CONTEXT(char)>, locale_ref);
FMT_END_NAMESPACE
]] @ONLY)
add_library(fmt STATIC ${PROJECT_BINARY_DIR}/fmt.cpp)
add_library(fmt::fmt ALIAS fmt)
target_include_directories(fmt SYSTEM PUBLIC ${wasm_include})
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/tomlplusplus.cpp CONTENT "#define TOML_IMPLEMENTATION\n#include \"io/toml/toml_table.hpp\"\n")
add_library(tomlplusplus STATIC ${PROJECT_BINARY_DIR}/tomlplusplus.cpp)
target_include_directories(tomlplusplus PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
target_link_libraries(tomlplusplus PUBLIC PkgConfig::tomlplusplus)
target_compile_definitions(PkgConfig::tomlplusplus INTERFACE TOML_HEADER_ONLY=0)
