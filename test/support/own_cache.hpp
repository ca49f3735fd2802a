// Compiled code is kept for the length of the test program, in a place of its own.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>

namespace ulna::test {

class OwnCache : public ::testing::Environment {
 public:
  void SetUp() override {
    ASSERT_NE(mkdtemp(folder_), nullptr);
    setenv("ULNA_CACHE", folder_, 1);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

 private:
  char folder_[32] = "/tmp/ulna_tests_XXXXXX";
};

inline const auto* const own_cache = ::testing::AddGlobalTestEnvironment(new OwnCache);

}  // namespace ulna::test
