// What all fuzz targets share: a target is one file with a libFuzzer entry. It may refuse its input with an InputError
// in plain lines, and else must keep the promises it states by expect(). Anything else, a crash, another exception, a
// hang, is a bug.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "ulna/base/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace ulna::fuzz {

inline void expect(bool kept, const char* promise) {
  if (kept) return;
  std::fprintf(stderr, "broken promise: %s\n", promise);
  std::abort();
}

/// One line per finding, without bytes that move a terminal's cursor.
inline void expect_plain_lines(const InputError& error) {
  const std::string text = error.what();
  const auto lines = 1 + std::count(text.begin(), text.end(), '\n');
  expect(!error.findings().empty(), "an error has a finding");
  expect(lines == std::ssize(error.findings()), "an error is one line per finding");
  expect(std::none_of(text.begin(), text.end(), [](char c) { return c != '\n' && static_cast<unsigned char>(c) < 32; }),
         "an error holds no control characters");
}

/// Runs `work` on input that it may refuse.
template <class Work>
int try_input(const Work& work) {
  try {
    work();
  } catch (const InputError& error) {
    expect_plain_lines(error);
  }
  return 0;
}

inline std::string text_of(const std::uint8_t* data, std::size_t size) { return {data, data + size}; }

}  // namespace ulna::fuzz
