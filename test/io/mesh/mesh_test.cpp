// Mesh files of one cube in every format, what is made of them, and files that are wrong.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "ulna/base/error.hpp"
#include "ulna/io/mesh/mesh.hpp"

namespace ulna {
namespace {

using Points = std::vector<std::array<double, 3>>;
using Faces = std::vector<std::vector<int>>;

// A block of 2 × 1 × 4 with a corner at the origin, faces seen from outside.
const Points corners{{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {0, 1, 0}, {0, 0, 4}, {2, 0, 4}, {2, 1, 4}, {0, 1, 4}};
const Faces sides{{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};

std::vector<std::array<int, 3>> triangles_of(const Faces& faces) {
  std::vector<std::array<int, 3>> triangles;
  for (const std::vector<int>& face : faces)
    for (std::size_t k = 2; k < face.size(); ++k) triangles.push_back({face[0], face[k - 1], face[k]});
  return triangles;
}

/// Some programs call binary files solid, too.
std::string binary_stl(std::string_view head = "solid") {
  std::string bytes(80, ' ');
  std::copy(head.begin(), head.end(), bytes.begin());
  const auto append = [&](const auto& value) { bytes.append(reinterpret_cast<const char*>(&value), sizeof value); };
  const auto triangles = triangles_of(sides);
  append(static_cast<std::uint32_t>(triangles.size()));
  for (const auto& triangle : triangles) {
    for (int k = 0; k < 3; ++k) append(0.0f);
    for (const int corner : triangle)
      for (const double x : corners[static_cast<std::size_t>(corner)]) append(static_cast<float>(x));
    append(static_cast<std::uint16_t>(0));
  }
  return bytes;
}

std::string text_stl() {
  std::string text = "solid block\n";
  for (const auto& triangle : triangles_of(sides)) {
    text += " facet normal 0 0 0\n  outer loop\n";
    for (const int corner : triangle) {
      const auto& p = corners[static_cast<std::size_t>(corner)];
      text += "   vertex " + std::to_string(p[0]) + ' ' + std::to_string(p[1]) + ' ' + std::to_string(p[2]) + '\n';
    }
    text += "  endloop\n endfacet\n";
  }
  return text + "endsolid block\n";
}

std::string obj() {
  std::string text = "# a block\nmtllib block.mtl\no block\nusemtl red\n";
  for (const auto& p : corners)
    text += "v " + std::to_string(p[0]) + ' ' + std::to_string(p[1]) + ' ' + std::to_string(p[2]) + "\nvn 0 0 1\n";
  for (std::size_t k = 0; k < sides.size(); ++k) {
    text += 'f';
    for (const int corner : sides[k])
      text += k % 2 == 0 ? " " + std::to_string(corner + 1) + "//1" : " " + std::to_string(corner - 8);
    text += '\n';
  }
  return text;
}

/// In centimetres, mirrored by one node and back by another.
std::string dae(const std::string& vcount = "4 4 4 4 4 4") {
  std::string points, indices;
  for (const auto& p : corners)
    for (const double x : p) points += std::to_string(100 * x) + ' ';
  for (const auto& side : sides)
    for (const int corner : side) indices += std::to_string(corner) + " 0 ";
  return R"(<?xml version="1.0"?><COLLADA version="1.4.1"><asset><unit meter="0.01"/><up_axis>Y_UP</up_axis></asset>
  <library_effects><effect id="e"><profile_COMMON><technique><phong><diffuse><color>1 0.5 0 1</color></diffuse></phong>
  </technique></profile_COMMON></effect></library_effects>
  <library_materials><material id="m"><instance_effect url="#e"/></material></library_materials>
  <library_geometries><geometry id="g"><mesh><source id="p"><float_array id="a" count="24">)" +
         points + R"(</float_array></source><vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
  <polylist count="6" material="paint"><input semantic="VERTEX" source="#v" offset="0"/>
  <input semantic="NORMAL" source="#p" offset="1"/><vcount>)" +
         vcount + "</vcount><p>" + indices + R"(</p></polylist></mesh></geometry></library_geometries>
  <library_visual_scenes><visual_scene id="s"><node><scale>-1 1 1</scale><node><matrix>-1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1
  </matrix><instance_geometry url="#g"><bind_material><technique_common><instance_material symbol="paint" target="#m"/>
  </technique_common></bind_material></instance_geometry></node></node></visual_scene></library_visual_scenes>
  <scene><instance_visual_scene url="#s"/></scene></COLLADA>)";
}

Mesh parse(std::string_view ending, const std::string& bytes, const std::string& file = "mesh") {
  for (const MeshFormat& format : mesh_formats())
    if (format.ending == ending) return format.parse(bytes, file);
  throw std::invalid_argument("no such format");
}

TEST(Mesh, EveryFormatReadsTheBlock) {
  const std::vector<std::pair<std::string, std::string>> files{
      {".stl", binary_stl()}, {".stl", text_stl()}, {".obj", obj()}, {".dae", dae()}};
  for (const auto& [ending, bytes] : files) {
    SCOPED_TRACE(ending);
    const Mesh mesh = parse(ending, bytes);
    EXPECT_EQ(mesh.triangle_count(), 12u);
    const MeshSolid solid = solid_of(mesh);
    EXPECT_TRUE(solid.is_closed);
    // A block a × b × c: volume abc, moments abc (b² + c²) / 12. Few operations on small whole numbers.
    constexpr double rounding = 1e-14;
    EXPECT_NEAR(solid.volume, 8.0, 8.0 * rounding);
    EXPECT_NEAR(solid.centre.x, 1.0, rounding);
    EXPECT_NEAR(solid.centre.y, 0.5, rounding);
    EXPECT_NEAR(solid.centre.z, 2.0, rounding);
    EXPECT_NEAR(solid.inertia.xx, 8.0 * 17.0 / 12.0, 12.0 * rounding);
    EXPECT_NEAR(solid.inertia.yy, 8.0 * 20.0 / 12.0, 14.0 * rounding);
    EXPECT_NEAR(solid.inertia.zz, 8.0 * 5.0 / 12.0, 4.0 * rounding);
    for (const double x : {solid.inertia.xy, solid.inertia.xz, solid.inertia.yz}) EXPECT_NEAR(x, 0.0, 14.0 * rounding);
  }
}

TEST(Mesh, Colours) {
  const Mesh painted = parse(".dae", dae());
  ASSERT_EQ(painted.parts.size(), 1u);
  EXPECT_EQ(painted.parts[0].colour, (Colour{1.0, 0.5, 0.0, 1.0}));
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "ulna_mesh_test";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "block.mtl") << "newmtl red\nKd 1 0 0.25\nd 0.5\n";
  std::ofstream(folder / "block.obj") << obj();
  const Mesh red = load_mesh((folder / "block.obj").string());
  ASSERT_EQ(red.parts.size(), 1u);
  EXPECT_EQ(red.parts[0].colour, (Colour{1.0, 0.0, 0.25, 0.5}));
  EXPECT_EQ(parse(".obj", obj()).parts.at(0).colour, std::nullopt);  // no such file beside it
  std::filesystem::remove_all(folder);
}

TEST(Mesh, AnOpenOneCountsAsItsBox) {
  std::string open = obj();
  open.resize(open.rfind('f'));  // without its last side
  const MeshSolid solid = solid_of(parse(".obj", open));
  EXPECT_FALSE(solid.is_closed);
  EXPECT_NEAR(solid.volume, 8.0, 1e-13);
  EXPECT_NEAR(solid.inertia.xx, 8.0 * 17.0 / 12.0, 1e-13);
}

TEST(Mesh, AMirroredOneWeighsTheSame) {
  Mesh mesh = parse(".obj", obj());
  for (Vec3<double>& p : mesh.parts.at(0).points) p.y = -p.y;
  const MeshSolid solid = solid_of(mesh);
  EXPECT_TRUE(solid.is_closed);
  EXPECT_NEAR(solid.volume, 8.0, 1e-13);
  EXPECT_NEAR(solid.centre.y, -0.5, 1e-14);
  EXPECT_NEAR(solid.inertia.xx, 8.0 * 17.0 / 12.0, 1e-13);
}

/// A ball of radius one: the sides of an octahedron divided again and again.
Mesh ball(int divisions) {
  MeshPart part;
  const auto divide = [&](const auto& self, Vec3<double> a, Vec3<double> b, Vec3<double> c, int depth) -> void {
    const auto middle = [](const Vec3<double>& p, const Vec3<double>& q) { return (1.0 / norm(p + q)) * (p + q); };
    if (depth == 0) {
      const auto first = static_cast<std::uint32_t>(part.points.size());
      for (const Vec3<double>& p : {a, b, c}) part.points.push_back(p);
      part.triangles.push_back({first, first + 1, first + 2});
      return;
    }
    const Vec3<double> ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
    self(self, a, ab, ca, depth - 1);
    self(self, ab, b, bc, depth - 1);
    self(self, ca, bc, c, depth - 1);
    self(self, ab, bc, ca, depth - 1);
  };
  for (const double x : {1.0, -1.0})
    for (const double y : {1.0, -1.0})
      for (const double z : {1.0, -1.0}) {
        const Vec3<double> a{x, 0, 0}, b{0, y, 0}, c{0, 0, z};
        x* y* z > 0 ? divide(divide, a, b, c, divisions) : divide(divide, a, c, b, divisions);
      }
  return {{part}};
}

TEST(Mesh, ASimplifiedBallStaysABall) {
  const Mesh whole = ball(5);
  ASSERT_EQ(whole.triangle_count(), 8192u);
  for (const std::size_t most : {2000u, 500u, 100u}) {
    const Mesh few = simplified(whole, most);
    EXPECT_LE(few.triangle_count(), most);
    EXPECT_GE(few.triangle_count(), most - 2);  // an edge takes two with it
    const MeshSolid solid = solid_of(few);
    EXPECT_TRUE(solid.is_closed);
    // A polyhedron of T equal triangles within the ball lacks 4π/(√3 T) of its volume; one that is balanced lacks less.
    const double share = 4.0 * M_PI / (std::sqrt(3.0) * static_cast<double>(most));
    EXPECT_NEAR(solid.volume, 4.0 / 3.0 * M_PI, 4.0 / 3.0 * M_PI * share);
    for (const Vec3<double>& p : few.parts.at(0).points) EXPECT_NEAR(norm(p), 1.0, 4.0 * share);
  }
}

TEST(Mesh, FlatSidesLoseNothing) {
  // Each side of the block in many triangles: twelve are enough for the same block.
  Mesh fine = parse(".obj", obj());
  for (int times = 0; times < 4; ++times) {
    MeshPart& part = fine.parts.at(0);
    std::vector<std::array<std::uint32_t, 3>> divided;
    for (const auto& [a, b, c] : part.triangles) {
      const auto middle = [&](std::uint32_t p, std::uint32_t q) {
        part.points.push_back(0.5 * (part.points[p] + part.points[q]));
        return static_cast<std::uint32_t>(part.points.size() - 1);
      };
      const std::uint32_t ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
      for (const auto& t : {std::array{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}}) divided.push_back(t);
    }
    part.triangles = divided;
  }
  ASSERT_EQ(fine.triangle_count(), 3072u);
  const Mesh few = simplified(fine, 12);
  EXPECT_EQ(few.triangle_count(), 12u);
  EXPECT_NEAR(solid_of(few).volume, 8.0, 8e-9);
}

TEST(Mesh, WrongFilesAreRefusedWithAWord) {
  const auto refused = [](std::string_view ending, const std::string& bytes, std::string_view word) {
    try {
      parse(ending, bytes, "wrong");
      ADD_FAILURE() << word;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
    }
  };
  const std::string stl = binary_stl("x");
  refused(".stl", "", "too short");
  refused(".stl", stl.substr(0, stl.size() - 1), "12 triangles has 684 bytes, this has 683");
  std::string far = stl;
  const float nan = std::nanf("");
  std::memcpy(far.data() + 84 + 12, &nan, sizeof nan);
  refused(".stl", far, "not finite");
  refused(".stl", "solid a\nfacet\nvertex 1 2\n", "wrong:3");
  refused(".stl", "solid a\nvertex 1 2 3\n", "within a facet");
  refused(".obj", "v 0 0 0\nf 1 2 3\n", "names point '2'; there are 1");
  refused(".obj", "v 0 0 0\nf 1 1 -2\n", "names point '-2'");
  refused(".obj", "v 0 0 0\nf 1 1\n", "three points");
  refused(".obj", "v 0 0 1e300\nv 0 0 0\nf 1 2 1\n", "far away");
  refused(".dae", "<COLLADA/>", "no <scene>");
  refused(".dae", "<robot/>", "not a COLLADA file");
  refused(".dae", dae("4 4 4 4 4 5"), "cut off");
  refused(".dae", dae("4 4 4 4 4"), "<vcount>");
  refused(".dae",
          "<COLLADA><library_visual_scenes><visual_scene id='s'><node id='n'><instance_node url='#n'/></node>"
          "</visual_scene></library_visual_scenes><scene><instance_visual_scene url='#s'/></scene></COLLADA>",
          "too deep");
  EXPECT_THROW(load_mesh("robot.step"), InputError);
}

}  // namespace
}  // namespace ulna
