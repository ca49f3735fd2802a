// Motions and tables in CSV. The first byte says how many columns are expected.
#include <sys/mman.h>
#include <unistd.h>

#include <cmath>

#include "target.hpp"
#include "ulna/base/csv_reader.hpp"

namespace {

/// A file in memory with these bytes, as a path.
class MemoryFile {
 public:
  MemoryFile(const std::uint8_t* data, std::size_t size) : descriptor_(memfd_create("csv", 0)) {
    ulna::fuzz::expect(descriptor_ >= 0 && write(descriptor_, data, size) == static_cast<ssize_t>(size),
                       "there is memory for a file");
  }
  ~MemoryFile() { close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ulna;
  if (size == 0) return 0;
  const std::size_t joints = 1 + data[0] % 7;
  const MemoryFile file(data + 1, size - 1);
  return fuzz::try_input([&] {
    CsvReader reader(file.path(), "t" + std::string(joints, 'q') + std::string(joints, 'v'),
                     std::vector<NumberUse>(1 + 2 * joints, {NumberUse::Kind::angle}), "motion file");
    std::vector<double> row;
    while (reader.next(row)) {
      fuzz::expect(row.size() == 1 + 2 * joints, "a row has its columns");
      for (const double x : row) fuzz::expect(std::isfinite(x), "a row holds finite numbers");
    }
    fuzz::expect(reader.bytes_read() == size - 1, "a file is read to its end");
  });
}
