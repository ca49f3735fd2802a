#include "xacro.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "ulna/base/error.hpp"

extern char** environ;

namespace ulna {

namespace {

constexpr std::size_t longest_robot = 64u << 20;

/// The end of a pipe that is read, to its end or to a robot's greatest length.
std::string read_pipe(int from) {
  std::string text;
  std::array<char, 1 << 16> piece{};
  while (text.size() <= longest_robot) {
    const ssize_t count = read(from, piece.data(), piece.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    text.append(piece.data(), static_cast<std::size_t>(count));
  }
  close(from);
  return text;
}

}  // namespace

std::string run_xacro(const std::string& path) {
  const auto fail = [&](const std::string& why) {
    throw InputError(Source{path, 0},
                     fmt::format("a template that xacro, a program of ROS, makes a robot of: {}", why));
  };
  std::string program = "xacro", file = path.starts_with('-') ? "./" + path : path;
  std::array<char*, 3> arguments{program.data(), file.data(), nullptr};
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) fail(std::strerror(errno));
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, program.c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (failed != 0) {
    close(ends[0]);
    fail(failed == ENOENT ? fmt::format("it is not installed here; run `xacro {} -o robot.urdf` where it is, and read "
                                        "what it writes",
                                        path)
                          : std::string(std::strerror(failed)));
  }
  std::string text = read_pipe(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) fail(std::strerror(errno));
  if (text.size() > longest_robot) fail("it writes more than 64 MB; that is no robot");
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    fail(fmt::format("it failed; run `xacro {}` to see why. Arguments of the template need defaults", path));
  return text;
}

}  // namespace ulna
