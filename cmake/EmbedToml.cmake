# Writes OUTPUT, a C++ file in which FUNCTION (declared in HEADER) returns every *.toml of FOLDER.
# Run as: cmake -DFOLDER=… -DFUNCTION=… -DHEADER=… -DOUTPUT=… -P EmbedToml.cmake
file(GLOB files "${FOLDER}/*.toml")
list(SORT files)
set(rows "")
foreach(file IN LISTS files)
  get_filename_component(name "${file}" NAME_WE)
  file(READ "${file}" text)
  string(APPEND rows "    {\"${name}\", R\"toml(${text})toml\"},\n")
endforeach()
set(content "#include \"${HEADER}\"\n\nnamespace ulna {\n
std::span<const BundledFile> ${FUNCTION}() {
  static const BundledFile files[] = {\n${rows}  };
  return files;
}\n\n}  // namespace ulna\n")
file(WRITE "${OUTPUT}" "${content}")
