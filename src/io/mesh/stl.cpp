// STL: loose triangles, in binary or as text.
#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "mesh_files.hpp"
#include "ulna/base/error.hpp"
#include "ulna/base/number.hpp"
#include "words_of_lines.hpp"

namespace ulna {

namespace {

constexpr std::size_t head_bytes = 84, triangle_bytes = 50;  // a triangle: its normal, three points, two bytes

static_assert(std::endian::native == std::endian::little, "binary STL is little-endian");

std::size_t binary_count(std::string_view bytes) {
  std::uint32_t count = 0;
  std::memcpy(&count, bytes.data() + 80, sizeof count);
  return count;
}

/// Its length tells: text that begins as text does may still be binary.
bool is_binary(std::string_view bytes) {
  return bytes.size() >= head_bytes && bytes.size() == head_bytes + triangle_bytes * binary_count(bytes);
}

void add_triangle(MeshPart& part) {
  const auto end = static_cast<std::uint32_t>(part.points.size());
  part.triangles.push_back({end - 3, end - 2, end - 1});
}

MeshPart read_binary(std::string_view bytes, const std::string& file) {
  MeshPart part;
  const std::size_t count = binary_count(bytes);
  expect_triangles(count, file);
  for (std::size_t k = 0; k < count; ++k) {
    std::array<float, 9> xyz{};
    std::memcpy(xyz.data(), bytes.data() + head_bytes + k * triangle_bytes + 12, sizeof xyz);
    for (std::size_t i = 0; i < 9; i += 3) part.points.push_back({xyz[i], xyz[i + 1], xyz[i + 2]});
    add_triangle(part);
  }
  return part;
}

MeshPart read_text(std::string_view text, const std::string& file) {
  MeshPart part;
  WordsOfLines lines(text, file);
  std::size_t in_facet = 0;
  while (lines.next()) {
    const std::vector<std::string_view>& words = lines.words();
    if (words.front() == "vertex") {
      part.points.push_back(lines.point(1));
      if (++in_facet == 3) add_triangle(part);
    } else if (words.front() == "endfacet") {
      if (in_facet != 3) lines.fail("a facet of an STL file has three points");
      in_facet = 0;
      expect_triangles(part.triangles.size(), file);
    }
  }
  if (in_facet != 0) lines.fail("the file ends within a facet; it was cut off");
  return part;
}

}  // namespace

Mesh parse_stl(std::string_view bytes, const std::string& file) {
  const bool binary = is_binary(bytes);
  if (!binary && !bytes.starts_with("solid")) {
    throw InputError(
        Source{file, 0},
        bytes.size() < head_bytes
            ? "not an STL file: too short"
            : fmt::format("not an STL file: text begins with 'solid'; a binary one of {} "
                          "triangles has {} bytes, this has {}",
                          binary_count(bytes), head_bytes + triangle_bytes * binary_count(bytes), bytes.size()));
  }
  MeshPart part = binary ? read_binary(bytes, file) : read_text(bytes, file);
  expect_finite_points(part, file);
  return {{std::move(part)}};
}

}  // namespace ulna
