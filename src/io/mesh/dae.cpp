// COLLADA: geometries, the tree of nodes that places them, and the materials that colour them.
#include <fmt/format.h>

#include <unordered_map>

#include "io/xml/xml.hpp"
#include "io/xml/xml_numbers.hpp"
#include "mesh_files.hpp"
#include "ulna/spatial/lie.hpp"
#include "ulna/spatial/pose.hpp"

namespace ulna {

namespace {

/// x ↦ A x + b; other than a pose it may stretch.
struct Affine {
  Mat3<double> A = Mat3<double>::identity();
  Vec3<double> b{0, 0, 0};

  friend Affine operator*(const Affine& f, const Affine& g) { return {f.A * g.A, f.A * g.b + f.b}; }
  Vec3<double> operator()(const Vec3<double>& x) const { return A * x + b; }
  bool mirrors() const { return dot(cross(A.column_x(), A.column_y()), A.column_z()) < 0.0; }
};

Mat3<double> scale_matrix(const Vec3<double>& s) { return {s.x, 0, 0, 0, s.y, 0, 0, 0, s.z}; }

class DaeReader {
 public:
  DaeReader(const XmlElement& root, const std::string& file) : root_(root), file_(file) {
    std::vector<const XmlElement*> stack{&root};
    while (!stack.empty()) {
      const XmlElement& element = *stack.back();
      stack.pop_back();
      if (const std::string* id = element.find("id")) by_id_.emplace(*id, &element);
      for (const XmlElement& child : element.children) stack.push_back(&child);
    }
  }

  Mesh read() {
    const XmlElement* scene = root_.child("scene");
    const XmlElement* shown = scene == nullptr ? nullptr : scene->child("instance_visual_scene");
    if (shown == nullptr) throw InputError(root_.source(), "this COLLADA file has no <scene> that shows anything");
    const XmlElement& nodes = named(*shown, "url");
    const double metre = unit();
    for (const XmlElement& node : nodes.children)
      if (node.name == "node") add_node(node, {scale_matrix({metre, metre, metre}), {0, 0, 0}}, 0);
    for (const MeshPart& part : mesh_.parts) expect_finite_points(part, file_);
    return std::move(mesh_);
  }

 private:
  double unit() const {
    const XmlElement* asset = root_.child("asset");
    const XmlElement* unit = asset == nullptr ? nullptr : asset->child("unit");
    return unit == nullptr ? 1.0 : number_or(1.0, *unit, "meter");
  }

  const XmlElement* find(std::string_view url) const {
    const auto found = by_id_.find(std::string(url.starts_with('#') ? url.substr(1) : url));
    return found == by_id_.end() ? nullptr : found->second;
  }
  /// What an attribute names.
  const XmlElement& named(const XmlElement& element, std::string_view key) const {
    const std::string url = name_attribute(element, key);
    const XmlElement* found = find(url);
    if (found == nullptr)
      throw InputError(element.source(), fmt::format("<{}> names '{}', which is not in the file", element.name, url));
    return *found;
  }

  void add_node(const XmlElement& node, Affine place, int depth) {
    constexpr int deepest = 100;         // nodes may instance nodes, even themselves
    constexpr std::size_t most = 10000;  // and twice each
    if (depth > deepest || ++nodes_ > most)
      throw InputError(node.source(), "the nodes are too many or too deep for a picture");
    for (const XmlElement& child : node.children) {
      if (child.name == "matrix" || child.name == "translate" || child.name == "rotate" || child.name == "scale")
        place = place * step_of(child);
      else if (child.name == "node")
        add_node(child, place, depth + 1);
      else if (child.name == "instance_node")
        add_node(named(child, "url"), place, depth + 1);
      else if (child.name == "instance_geometry")
        add_geometry(child, place);
    }
  }

  static Affine step_of(const XmlElement& element) {
    if (element.name == "matrix") {
      const std::vector<double> m = numbers_between(element, 16, 16);
      return {{m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10]}, {m[3], m[7], m[11]}};
    }
    if (element.name == "rotate") {
      const std::vector<double> r = numbers_between(element, 4, 4);
      const Vec3<double> axis{r[0], r[1], r[2]};
      const double length = norm(axis);
      if (!(length > 0.0)) return {};
      return {exp_rotation((r[3] * (M_PI / 180.0) / length) * axis), {0, 0, 0}};
    }
    const std::vector<double> v = numbers_between(element, 3, 3);
    if (element.name == "translate") return {Mat3<double>::identity(), {v[0], v[1], v[2]}};
    return {scale_matrix({v[0], v[1], v[2]}), {0, 0, 0}};
  }

  // ---- colours

  /// Which materials the symbols of a geometry stand for.
  using Binding = std::unordered_map<std::string, std::string>;
  static void collect_bindings(const XmlElement& element, Binding& binding) {
    for (const XmlElement& child : element.children) {
      if (child.name == "instance_material")
        binding[child.attribute("symbol")] = child.attribute("target");
      else
        collect_bindings(child, binding);
    }
  }

  std::optional<Colour> colour_of(const std::string& material) const {
    const XmlElement* found = find(material);
    const XmlElement* instance = found == nullptr ? nullptr : found->child("instance_effect");
    const XmlElement* effect = instance == nullptr ? nullptr : find(instance->attribute("url"));
    const XmlElement* profile = effect == nullptr ? nullptr : effect->child("profile_COMMON");
    const XmlElement* technique = profile == nullptr ? nullptr : profile->child("technique");
    if (technique == nullptr) return std::nullopt;
    for (const XmlElement& shader : technique->children) {
      const XmlElement* diffuse = shader.child("diffuse");
      const XmlElement* colour = diffuse == nullptr ? nullptr : diffuse->child("color");
      if (colour == nullptr) continue;
      const std::vector<double> c = numbers_between(*colour, 3, 4);
      return Colour{c[0], c[1], c[2], 1.0};
    }
    return std::nullopt;
  }

  // ---- triangles

  void add_geometry(const XmlElement& instance, const Affine& place) {
    constexpr std::size_t most_instances = 10000;
    if (++instances_ > most_instances)
      throw InputError(instance.source(), "the geometries are too many for a picture; give a simpler mesh");
    const XmlElement& geometry = named(instance, "url");
    const XmlElement* mesh = geometry.child("mesh");
    if (mesh == nullptr) return;  // a spline
    Binding binding;
    collect_bindings(instance, binding);
    for (const XmlElement& child : mesh->children) {
      if (child.name != "triangles" && child.name != "polylist" && child.name != "polygons") continue;
      MeshPart part = part_of(child, place);
      const auto bound = binding.find(child.attribute("material"));
      if (bound != binding.end()) part.colour = colour_of(bound->second);
      if (!part.triangles.empty()) mesh_.parts.push_back(std::move(part));
    }
  }

  struct Corners {
    std::size_t stride = 1, offset = 0;  // which numbers of <p> are points
    const XmlElement* points = nullptr;
  };

  Corners corners_of(const XmlElement& faces) const {
    constexpr double widest = 64;
    Corners corners;
    for (const XmlElement& input : faces.children) {
      if (input.name != "input") continue;
      const double offset = number_or(0.0, input, "offset");
      if (!(offset >= 0.0 && offset <= widest)) throw InputError(input.source(), "'offset' is not from 0 to 64");
      corners.stride = std::max(corners.stride, static_cast<std::size_t>(offset) + 1);
      if (input.attribute("semantic") != "VERTEX") continue;
      corners.offset = static_cast<std::size_t>(offset);
      const XmlElement& vertices = named(input, "source");
      for (const XmlElement& own : vertices.children)
        if (own.name == "input" && own.attribute("semantic") == "POSITION") corners.points = &named(own, "source");
    }
    if (corners.points == nullptr || corners.points->child("float_array") == nullptr)
      throw InputError(faces.source(), fmt::format("<{}> has no points; give it an <input> of VERTEX", faces.name));
    return corners;
  }

  /// The points of a source; files use one for several sets of faces.
  const std::vector<double>& numbers_of(const XmlElement& source) {
    const XmlElement& array = *source.child("float_array");
    const auto [found, is_new] = numbers_.try_emplace(&array);
    if (is_new) found->second = numbers_in(array.words, array, "<float_array>");
    return found->second;
  }

  MeshPart part_of(const XmlElement& faces, const Affine& place) {
    const Corners corners = corners_of(faces);
    const std::vector<double>& xyz = numbers_of(*corners.points);
    MeshPart part;
    std::unordered_map<std::size_t, std::uint32_t> index_of;
    const auto point = [&](double written) {
      if (!(written >= 0.0 && 3.0 * written + 2.0 < static_cast<double>(xyz.size())))
        throw InputError(faces.source(), fmt::format("<p> names point {}; there are {}", written, xyz.size() / 3));
      const auto k = static_cast<std::size_t>(written);
      const auto [found, is_new] = index_of.emplace(k, static_cast<std::uint32_t>(part.points.size()));
      if (is_new) part.points.push_back(place({xyz[3 * k], xyz[3 * k + 1], xyz[3 * k + 2]}));
      return found->second;
    };
    std::vector<double> counts;
    if (const XmlElement* vcount = faces.child("vcount")) counts = numbers_in(vcount->words, *vcount, "<vcount>");
    for (const XmlElement& p : faces.children) {
      if (p.name != "p") continue;
      const std::vector<double> indices = numbers_in(p.words, p, "<p>");
      constexpr std::size_t most_indices = 50'000'000;  // of all instances; faces of one point make no triangle
      indices_ += indices.size() + 1;
      if (indices_ > most_indices) throw InputError(p.source(), "the faces are too many for a picture");
      const std::size_t all = indices.size() / corners.stride;
      const auto corner = [&](std::size_t k) { return point(indices[k * corners.stride + corners.offset]); };
      std::size_t at = 0, face = 0;
      while (at < all) {
        const std::size_t size = faces.name == "triangles"  ? 3
                                 : faces.name == "polygons" ? all
                                                            : size_of_face(counts, face, faces);
        if (at + size > all) throw InputError(faces.source(), "<p> ends within a face; it was cut off");
        add_fan(part, at, size, corner, place.mirrors());
        at += size;
        ++face;
        expect_triangles(triangles_ + part.triangles.size(), file_);
      }
    }
    triangles_ += part.triangles.size();
    return part;
  }

  static std::size_t size_of_face(const std::vector<double>& counts, std::size_t face, const XmlElement& faces) {
    if (face >= counts.size() || !(counts[face] >= 1.0 && counts[face] <= 1e6))
      throw InputError(faces.source(), "<vcount> does not say how many points each face has; correct it");
    return static_cast<std::size_t>(counts[face]);
  }

  static void add_fan(MeshPart& part, std::size_t at, std::size_t size, const auto& corner, bool mirrored) {
    for (std::size_t k = 2; k < size; ++k) {
      const std::uint32_t b = corner(at + k - 1), c = corner(at + k);
      part.triangles.push_back({corner(at), mirrored ? c : b, mirrored ? b : c});
    }
  }

  const XmlElement& root_;
  const std::string& file_;
  std::unordered_map<std::string, const XmlElement*> by_id_;
  std::unordered_map<const XmlElement*, std::vector<double>> numbers_;
  Mesh mesh_;
  std::size_t nodes_ = 0, instances_ = 0, indices_ = 0, triangles_ = 0;
};

}  // namespace

Mesh parse_dae(std::string_view text, const std::string& file) {
  const XmlElement root = parse_xml(text, file);
  if (root.name != "COLLADA")
    throw InputError(root.source(), fmt::format("not a COLLADA file: it begins with <{}>", root.name));
  return DaeReader(root, file).read();
}

}  // namespace ulna
