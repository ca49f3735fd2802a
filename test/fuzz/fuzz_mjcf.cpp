// MJCF files: read, checked, built and written back.
#include "target.hpp"
#include "ulna/io/robot/load.hpp"
#include "ulna/io/robot/write.hpp"
#include "ulna/model/build.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ulna;
  return fuzz::try_input([&] {
    // in a folder that is not there: an include finds nothing
    const Graph graph = parse_mjcf(fuzz::text_of(data, size), "/nowhere/robot.xml");
    check(graph);
    build(graph);
    const std::string written = to_explicit_toml(graph);
    fuzz::expect(to_explicit_toml(parse_toml(written, "written.toml")) == written, "what is written reads back");
    std::vector<std::string> notices;
    const std::string mjcf = to_mjcf(graph, notices);
    build(parse_mjcf(mjcf, "/nowhere/written.xml"));
  });
}
