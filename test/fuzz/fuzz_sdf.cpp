// SDF files: read, checked, built and written back.
#include "target.hpp"
#include "ulna/io/robot/load.hpp"
#include "ulna/io/robot/write.hpp"
#include "ulna/model/build.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ulna;
  return fuzz::try_input([&] {
    const Graph graph = parse_sdf(fuzz::text_of(data, size), "robot.sdf");
    check(graph);
    build(graph);
    const std::string written = to_explicit_toml(graph);
    fuzz::expect(to_explicit_toml(parse_toml(written, "written.toml")) == written, "what is written reads back");
    std::vector<std::string> notices;
    const std::string sdf = to_sdf(graph, notices);
    build(parse_sdf(sdf, "written.sdf"));
  });
}
