// The generated text itself; that it compiles and computes is test/app/codegen_test.py's.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "ulna/io/robot/load.hpp"
#include "ulna/trace/generate.hpp"

namespace ulna {
namespace {

trace::CodeFile code_of(const char* robot) {
  return trace::generate_code(load(robot), std::array{Quantity::inverse_dynamics}, {});
}

TEST(EmitC, a_name_cannot_leave_its_comment) {
  trace::CodeFile file = code_of("planar2r");
  file.robot = "x */ int evil(void); /*\n#define evil";
  for (const std::string& text : {trace::c_source(file, ""), trace::c_header(file)}) {
    EXPECT_EQ(text.find("x */"), std::string::npos);
    EXPECT_EQ(text.find("\n#define evil"), std::string::npos);
  }
  EXPECT_EQ(trace::c_identifier("2*x/y"), "robot_2_x_y");
}

TEST(EmitC, quantities_have_their_names) {
  const std::string text = trace::c_source(code_of("puma560"), "");
  for (const char* name : {"omega3_x = ", "moment4_x = ", "alpha5_y = "})
    EXPECT_NE(text.find(name), std::string::npos) << name;
}

TEST(EmitC, every_name_is_declared_once) {
  const std::string text = trace::c_source(code_of("panda_like"), "");
  std::vector<std::string> names;
  for (std::size_t at = text.find("const double "); at != std::string::npos; at = text.find("const double ", at + 1)) {
    const std::size_t first = at + 13;
    names.push_back(text.substr(first, text.find(' ', first) - first));
  }
  const std::size_t begin = text.find("panda_like_id");
  ASSERT_NE(begin, std::string::npos);
  std::sort(names.begin(), names.end());
  names.erase(
      std::remove_if(names.begin(), names.end(), [](const std::string& n) { return n[0] == '*' || n == "error"; }),
      names.end());
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
}

}  // namespace
}  // namespace ulna
