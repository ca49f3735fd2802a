# Writes OUTPUT, a C++ file that holds every robots/*.toml under ROBOTS as text.
# Run as: cmake -DROBOTS=… -DOUTPUT=… -P EmbedRobots.cmake
file(GLOB files "${ROBOTS}/*.toml")
list(SORT files)
set(rows "")
foreach(file IN LISTS files)
  get_filename_component(name "${file}" NAME_WE)
  file(READ "${file}" text)
  string(APPEND rows "    {\"${name}\", R\"robot(${text})robot\"},\n")
endforeach()
set(content "#include \"import/bundled.hpp\"\n\n#include <array>\n\nnamespace ulna {\n
std::span<const BundledFile> bundled_files() {
  static const BundledFile files[] = {\n${rows}  };
  return files;
}\n\n}  // namespace ulna\n")
file(WRITE "${OUTPUT}" "${content}")
