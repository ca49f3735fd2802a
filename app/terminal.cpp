#include "terminal.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "base/plain_text.hpp"

namespace ulna::app {

namespace {

/// 0, or errno.
int write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return count < 0 ? errno : EIO;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return 0;
}

/// Behind a C stream: makes text plain on its way to a file descriptor.
class Channel {
 public:
  explicit Channel(int descriptor) : descriptor_(descriptor) {}

  void write(std::string_view text) {
    waiting_ += text;
    const std::size_t cut = waiting_.size() - begun_letter();
    send(cut);
  }
  void finish() { send(waiting_.size()); }
  int error() const { return error_; }

  std::FILE* stream() {
    cookie_io_functions_t functions{};
    functions.write = [](void* self, const char* bytes, std::size_t size) {
      static_cast<Channel*>(self)->write({bytes, size});
      return static_cast<ssize_t>(size);  // the program goes on, and asks for error() at its end
    };
    return fopencookie(this, "w", functions);
  }

 private:
  /// Bytes of a letter at the end whose others are still to come.
  std::size_t begun_letter() const {
    for (std::size_t k = 1; k <= std::min<std::size_t>(3, waiting_.size()); ++k) {
      const auto byte = static_cast<unsigned char>(waiting_[waiting_.size() - k]);
      if (byte < 0x80) return 0;
      if (byte >= 0xC0) return k < (byte >= 0xF0 ? 4U : byte >= 0xE0 ? 3U : 2U) ? k : 0;
    }
    return 0;
  }

  void send(std::size_t size) {
    const std::string_view text = std::string_view(waiting_).substr(0, size);
    std::string out;
    for (std::size_t from = 0; from < text.size();) {
      const std::size_t end = std::min(text.find_first_of("\n\t", from), text.size());
      out += plain_text(text.substr(from, end - from));
      out += text.substr(end, 1);
      from = end + 1;
    }
    waiting_.erase(0, size);
    if (error_ == 0) error_ = write_all(descriptor_, out);
  }

  int descriptor_, error_ = 0;
  std::string waiting_;
};

/// The C library writes to its streams after the end of main().
Channel& standard_output() {
  static auto* channel = new Channel(STDOUT_FILENO);
  return *channel;
}

}  // namespace

void guard_standard_streams() {
  // A file that is opened later must not take the place of a stream that is closed. What is opened here can be read
  // where one writes, and the other way round: using it is an error still.
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(descriptor, F_GETFD) < 0) ::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  static auto* errors = new Channel(STDERR_FILENO);
  std::FILE* const out = standard_output().stream();
  std::FILE* const err = errors->stream();
  if (out == nullptr || err == nullptr) return;  // no memory, which is told soon enough
  std::setvbuf(out, nullptr, ::isatty(STDOUT_FILENO) != 0 ? _IOLBF : _IOFBF, 1U << 16U);
  std::setvbuf(err, nullptr, _IONBF, 0);
  stdout = out;
  stderr = err;
}

std::string finish_standard_output() {
  std::fflush(stdout);
  standard_output().finish();
  const int error = standard_output().error();
  return error == 0 ? "" : std::strerror(error);
}

void write_to_terminal(const std::string& text) { static_cast<void>(write_all(STDERR_FILENO, text)); }

}  // namespace ulna::app
