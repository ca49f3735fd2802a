// Where the meshes that robot files name are looked for.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "ulna/io/robot/load.hpp"
#include "ulna/io/robot/mesh_file.hpp"

namespace ulna {
namespace {

namespace fs = std::filesystem;

std::string urdf(const std::string& mesh) {
  return R"(<robot name="r"><material name="blue"><color rgba="0 0 1 0.5"/></material><link name="a"><visual>
    <geometry><mesh filename=")" +
         mesh + R"(" scale="2 2 2"/></geometry><material name="blue"/></visual></link></robot>)";
}

class MeshFiles : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "there/arm/meshes");
    fs::create_directories(folder_ / "robots/urdf");
    std::ofstream(folder_ / "there/arm/meshes/link.stl") << "solid\n";
    for (const char* name : variables) unsetenv(name);  // NOLINT(concurrency-mt-unsafe)
  }
  void TearDown() override {
    fs::remove_all(folder_);
    for (const char* name : variables) unsetenv(name);  // NOLINT(concurrency-mt-unsafe)
  }

  Graph robot(const std::string& mesh) const {
    std::ofstream(folder_ / "robots/urdf/r.urdf") << urdf(mesh);
    return load_graph((folder_ / "robots/urdf/r.urdf").string());
  }
  std::optional<std::string> found(const std::string& mesh) const {
    const Graph graph = robot(mesh);
    return find_mesh(graph.bodies.at(0).shapes.at(0), graph.bodies.at(0));
  }

  static constexpr std::array variables{"ULNA_PACKAGE_PATH", "ROS_PACKAGE_PATH", "AMENT_PREFIX_PATH"};
  const fs::path folder_ = fs::path(testing::TempDir()) / "ulna_mesh_files";
  const std::string link_ = (folder_ / "there/arm/meshes/link.stl").string();
};

TEST_F(MeshFiles, PathsAreFromTheRobotsFile) {
  EXPECT_EQ(found("../../there/arm/meshes/link.stl"), link_);
  EXPECT_EQ(found(link_), link_);
  EXPECT_EQ(found("file://" + link_), link_);
  EXPECT_EQ(found("link.stl"), std::nullopt);
}

TEST_F(MeshFiles, PackagesAreInTheFoldersOfTheEnvironment) {
  const std::string mesh = "package://arm/meshes/link.stl";
  EXPECT_EQ(found(mesh), std::nullopt);
  for (const char* name : {"ULNA_PACKAGE_PATH", "ROS_PACKAGE_PATH"}) {
    for (const std::string folder : {"there", "there/arm"}) {
      setenv(name, ("/nowhere::" + (folder_ / folder).string()).c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
      EXPECT_EQ(found(mesh), link_) << name << folder;
      unsetenv(name);  // NOLINT(concurrency-mt-unsafe)
    }
  }
  fs::create_directories(folder_ / "prefix/share");
  fs::rename(folder_ / "there/arm", folder_ / "prefix/share/arm");
  setenv("AMENT_PREFIX_PATH", (folder_ / "prefix").c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
  EXPECT_EQ(found(mesh), (folder_ / "prefix/share/arm/meshes/link.stl").string());
}

TEST_F(MeshFiles, PackagesAreAroundTheRobotsFile) {
  fs::create_directories(folder_ / "robots/meshes");
  std::ofstream(folder_ / "robots/meshes/own.stl") << "solid\n";
  EXPECT_EQ(found("package://robots/meshes/own.stl"), (folder_ / "robots/meshes/own.stl").string());
  fs::rename(folder_ / "there/arm", folder_ / "robots/arm");
  EXPECT_EQ(found("package://arm/meshes/link.stl"), (folder_ / "robots/arm/meshes/link.stl").string());
}

TEST_F(MeshFiles, ColoursAndScales) {
  const Shape shape = robot(link_).bodies.at(0).shapes.at(0);
  EXPECT_EQ(shape.colour, (Colour{0, 0, 1, 0.5}));
  EXPECT_EQ(shape.size, (std::array<double, 3>{2, 2, 2}));
}

TEST_F(MeshFiles, WhatIsMissingIsSaidOnce) {
  const std::vector<std::string> notices = robot("package://arm/meshes/link.stl").notices;
  ASSERT_EQ(notices.size(), 1u);
  EXPECT_NE(notices[0].find("package 'arm'"), std::string::npos);
  EXPECT_NE(notices[0].find("ULNA_PACKAGE_PATH"), std::string::npos);
  EXPECT_TRUE(robot(link_).notices.empty());
}

TEST_F(MeshFiles, WhatCannotBeReadIsSaidWithTheReason) {
  const Graph broken = robot("../../there/arm/meshes/link.stl");  // no triangle
  EXPECT_TRUE(broken.notices.empty());
  const std::vector<std::string> said = unreadable_meshes(broken);
  ASSERT_EQ(said.size(), 1u);
  EXPECT_NE(said[0].find("link.stl"), std::string::npos) << said[0];
  EXPECT_TRUE(unreadable_meshes(robot("nowhere.stl")).empty()) << "which missing meshes are told of";
}

TEST_F(MeshFiles, TemplatesAreRunThroughXacro) {
  const fs::path file = folder_ / "robots/r.urdf.xacro";
  std::ofstream(file) << R"(<robot name="template" xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:arm/></robot>)";
  const std::string path = std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe)
  const auto with_program = [&](const std::string& script) {
    fs::create_directories(folder_ / "bin");
    std::ofstream(folder_ / "bin/xacro") << "#!/bin/sh\n" << script << '\n';
    fs::permissions(folder_ / "bin/xacro", fs::perms::owner_all);
    setenv("PATH", ((folder_ / "bin").string() + ":" + path).c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
  };
  const auto refusal = [&] {
    try {
      load_graph(file.string());
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  with_program(R"(sed -e 's/template/made/' -e 's/<xacro:arm.>/<link name="a"\/>/' "$1")");
  const Graph graph = load_graph(file.string());
  EXPECT_EQ(graph.name, "made");
  EXPECT_EQ(graph.bodies.size(), 1u);
  with_program("echo '<robot/>'; exit 3");
  EXPECT_NE(refusal().find("it failed"), std::string::npos) << refusal();
  setenv("PATH", "/nowhere", 1);  // NOLINT(concurrency-mt-unsafe)
  EXPECT_NE(refusal().find("not installed"), std::string::npos) << refusal();
  setenv("PATH", path.c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
}

TEST_F(MeshFiles, TheArmOfUniversalRobots) {
  const std::string file = ULNA_SHARED "/robots/ur_e_description/urdf/ur10e.urdf";
  if (!fs::exists(file)) GTEST_SKIP() << file << " is not there";
  int meshes = 0;
  for (const Graph graph = load_graph(file); const GraphBody& body : graph.bodies) {
    for (const Shape& shape : body.shapes) {
      if (shape.kind != Shape::Kind::mesh) continue;
      ++meshes;
      EXPECT_NE(find_mesh(shape, body), std::nullopt) << shape.mesh;
    }
  }
  EXPECT_EQ(meshes, 7);
}

}  // namespace
}  // namespace ulna
