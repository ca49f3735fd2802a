// Values to bytes and back, as this machine has them: for files and messages between processes of one build.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#pragma GCC visibility push(hidden)
namespace ulna {

class Packer {
 public:
  template <class T>
  void number(T value) {
    static_assert(std::is_arithmetic_v<T>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void text(std::string_view text) {
    number(std::uint64_t{text.size()});
    bytes_ += text;
  }
  void numbers(std::span<const double> values) {
    text({reinterpret_cast<const char*>(values.data()), values.size_bytes()});
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

/// What was packed has its checksum, so that sizes can be trusted.
class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : bytes_(bytes) {}
  bool at_end() const { return bytes_.empty(); }
  template <class T>
  T number() {
    T value{};
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  std::string_view text() { return take(number<std::uint64_t>()); }
  std::vector<double> numbers() {
    const std::string_view bytes = text();
    std::vector<double> values(bytes.size() / sizeof(double));
    if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(double));
    return values;
  }

 private:
  std::string_view take(std::size_t size) {
    const std::string_view taken = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return taken;
  }
  std::string_view bytes_;
};

}  // namespace ulna
#pragma GCC visibility pop
