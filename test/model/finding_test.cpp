// Errors in a line that any terminal can show, whatever the input was.
#include "ulna/base/error.hpp"

#include <gtest/gtest.h>

namespace ulna {
namespace {

TEST(Finding, CommandsNoTerminal) {
  const InputError error(Source{"a\x1b.toml", 3}, "b\x07 c\xC2\x9B\xE2\x80\xAE d\xFF\x9B e\n\r\tf\x7F é – 𝄞");
  EXPECT_STREQ(error.what(), "a\\u001b.toml:3: error: b\\u0007 c\\u009b\\u202e d\\xff\\x9b e   f\\u007f é – 𝄞");
}

TEST(Finding, LettersThatAreNone) {
  // Longer than need be, half of a pair, beyond the last, cut off.
  EXPECT_STREQ(InputError("\xC0\x9B \xE0\x80\x9B \xED\xA0\x80 \xF4\x90\x80\x80 \xE2\x82").what(),
               "error: \\xc0\\x9b \\xe0\\x80\\x9b \\xed\\xa0\\x80 \\xf4\\x90\\x80\\x80 \\xe2\\x82");
}

TEST(Finding, QuotesNoMoreThanAReaderWants) {
  const std::string key(10'000'000, 'k');
  const Finding finding{Finding::Severity::error, key, "unknown key '" + key + "' of the robot",
                        "leave it out",           {},  false};
  const std::string line = to_line(finding);
  EXPECT_LT(line.size(), 2000u);
  EXPECT_TRUE(line.starts_with("error: 'kkk")) << line;
  EXPECT_NE(line.find("': unknown key 'kkk"), std::string::npos) << line;
  EXPECT_TRUE(line.ends_with("kkk' of the robot; leave it out")) << line;
  for (std::size_t length = 590; length < 610; ++length) {  // letters are not cut
    std::string letters;
    while (letters.size() < length) letters += "é";
    EXPECT_EQ(std::string(InputError(letters).what()).find("\\x"), std::string::npos);
  }
}

}  // namespace
}  // namespace ulna
