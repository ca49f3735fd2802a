// The engine of the studio as a program: a request a line from standard input, an answer a line to standard output,
// with the numbers of its arrays after it, bit by bit, on a line of their own. For studio_engine_test.mjs.
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <iostream>

#include "studio/engine.hpp"

int main() {
  ulna::studio::Engine engine;
  std::string request;
  while (std::getline(std::cin, request)) {
    std::puts(engine.answer(request).c_str());
    for (const double x : engine.numbers()) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, &x, sizeof bits);
      std::printf("%" PRIx64 " ", bits);
    }
    std::puts("");
  }
}
