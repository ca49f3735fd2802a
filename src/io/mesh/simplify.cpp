// Fewer triangles for the same surface: edges collapse into points, those first that move the surface least, measured
// by the squared distances to the planes that met there (M. Garland, P. S. Heckbert, Surface simplification using
// quadric error metrics, SIGGRAPH 1997). Written by hand because Debian's libraries for it are parts of large ones.
#include <algorithm>
#include <cmath>
#include <queue>
#include <tuple>

#include "ulna/io/mesh/mesh.hpp"
#include "weld.hpp"

namespace ulna {

namespace {

/// The sum of weighted squared distances to planes, n·x + d = 0, as a function of x: xᵀ A x + 2 bᵀ x + c.
struct Quadric {
  Sym3<double> A{0, 0, 0, 0, 0, 0};
  Vec3<double> b{0, 0, 0};
  double c = 0.0;

  void add_plane(const Vec3<double>& n, double d, double weight) {
    A += Sym3<double>{weight * n.x * n.x, weight * n.y * n.y, weight * n.z * n.z,
                      weight * n.x * n.y, weight * n.x * n.z, weight * n.y * n.z};
    b = b + (weight * d) * n;
    c += weight * d * d;
  }
  friend Quadric operator+(const Quadric& p, const Quadric& q) { return {p.A + q.A, p.b + q.b, p.c + q.c}; }
  double at(const Vec3<double>& x) const { return std::max(0.0, dot(x, A * x) + 2.0 * dot(b, x) + c); }

  /// Where it is least, if that is one point.
  std::optional<Vec3<double>> least() const {
    const Mat3<double> m{A.xx, A.xy, A.xz, A.xy, A.yy, A.yz, A.xz, A.yz, A.zz};
    const Vec3<double> x = m.column_x(), y = m.column_y(), z = m.column_z();
    const double det = dot(x, cross(y, z)), size = A.xx + A.yy + A.zz;
    if (!(std::fabs(det) > 1e-6 * size * size * size)) return std::nullopt;
    return (-1.0 / det) * Vec3<double>{dot(b, cross(y, z)), dot(x, cross(b, z)), dot(x, cross(y, b))};
  }
};

class EdgeCollapse {
 public:
  explicit EdgeCollapse(MeshPart part) : part_(std::move(part)), points_(part_.points.size()) {
    left_ = part_.triangles.size();
    for (std::uint32_t t = 0; t < part_.triangles.size(); ++t) {
      for (const std::uint32_t corner : part_.triangles[t]) points_[corner].triangles.push_back(t);
      const Vec3<double> normal = area_normal(part_.triangles[t]);
      const double area = norm(normal);
      if (!(area > 0.0)) continue;
      const Vec3<double> n = (1.0 / area) * normal;
      for (const std::uint32_t corner : part_.triangles[t])
        points_[corner].quadric.add_plane(n, -dot(n, part_.points[corner]), area);
    }
    is_gone_.assign(part_.triangles.size(), false);
    add_edges();
  }

  MeshPart reduce(std::size_t most) {
    while (left_ > most && !edges_.empty()) {
      const Edge edge = edges_.top();
      edges_.pop();
      const bool is_old = edge.age_a != points_[edge.a].age || edge.age_b != points_[edge.b].age;
      if (!is_old && keeps_sides(edge)) collapse(edge);
    }
    return kept();
  }

 private:
  struct Point {
    Quadric quadric{};
    std::vector<std::uint32_t> triangles{};
    std::uint32_t age = 0;
  };
  struct Edge {
    double cost;
    std::uint32_t a, b, age_a, age_b;
    Vec3<double> to;
    bool operator<(const Edge& other) const { return cost > other.cost; }  // the cheapest on top
  };
  using Triangle = std::array<std::uint32_t, 3>;

  Vec3<double> area_normal(const Triangle& t) const {
    return cross(part_.points[t[1]] - part_.points[t[0]], part_.points[t[2]] - part_.points[t[0]]);
  }

  /// Rims are held by planes that stand upright on them.
  void add_edges() {
    struct Side {
      std::uint32_t a, b, triangle;
    };
    std::vector<Side> sides;
    for (std::uint32_t t = 0; t < part_.triangles.size(); ++t) {
      for (std::size_t k = 0; k < 3; ++k) {
        const std::uint32_t a = part_.triangles[t][k], b = part_.triangles[t][(k + 1) % 3];
        sides.push_back({std::min(a, b), std::max(a, b), t});
      }
    }
    const auto same = [](const Side& p, const Side& q) { return p.a == q.a && p.b == q.b; };
    std::sort(sides.begin(), sides.end(),
              [](const Side& p, const Side& q) { return std::tie(p.a, p.b) < std::tie(q.a, q.b); });
    for (std::size_t k = 0; k < sides.size(); ++k) {
      const bool is_shared =
          (k > 0 && same(sides[k - 1], sides[k])) || (k + 1 < sides.size() && same(sides[k], sides[k + 1]));
      if (!is_shared) hold_rim(sides[k].a, sides[k].b, area_normal(part_.triangles[sides[k].triangle]));
    }
    for (std::size_t k = 0; k < sides.size(); ++k)
      if (k == 0 || !same(sides[k - 1], sides[k])) push(sides[k].a, sides[k].b);
  }

  void hold_rim(std::uint32_t a, std::uint32_t b, const Vec3<double>& normal) {
    constexpr double firm = 10.0;
    const Vec3<double> along = part_.points[b] - part_.points[a], across = cross(along, normal);
    const double length = norm(across);
    if (!(length > 0.0)) return;
    const Vec3<double> n = (1.0 / length) * across;
    for (const std::uint32_t p : {a, b})
      points_[p].quadric.add_plane(n, -dot(n, part_.points[a]), firm * dot(along, along));
  }

  void push(std::uint32_t a, std::uint32_t b) {
    const Quadric sum = points_[a].quadric + points_[b].quadric;
    const Vec3<double>&pa = part_.points[a], &pb = part_.points[b];
    Vec3<double> to = 0.5 * (pa + pb);
    double cost = sum.at(to);
    const auto better = [&](const Vec3<double>& x) {
      if (const double other = sum.at(x); other < cost) {
        cost = other;
        to = x;
      }
    };
    better(pa);
    better(pb);
    // Where planes are nearly the same it may be anywhere.
    if (const auto x = sum.least(); x && norm(*x - to) < 2.0 * norm(pb - pa)) better(*x);
    edges_.push({cost, a, b, points_[a].age, points_[b].age, to});
  }

  /// Whether no triangle turns over, or becomes a sliver.
  bool keeps_sides(const Edge& edge) const {
    constexpr std::size_t crowd = 1000;  // triangles at a point, which are all walked
    if (points_[edge.a].triangles.size() + points_[edge.b].triangles.size() > crowd) return false;
    const auto keeps = [&](std::uint32_t own, std::uint32_t other) {
      return std::all_of(points_[own].triangles.begin(), points_[own].triangles.end(), [&](std::uint32_t t) {
        const Triangle& corners = part_.triangles[t];
        if (is_gone_[t] || std::find(corners.begin(), corners.end(), other) != corners.end()) return true;
        std::array<Vec3<double>, 3> moved;
        for (std::size_t k = 0; k < 3; ++k) moved[k] = corners[k] == own ? edge.to : part_.points[corners[k]];
        const Vec3<double> before = area_normal(corners), after = cross(moved[1] - moved[0], moved[2] - moved[0]);
        return dot(before, after) > 0.2 * norm(before) * norm(after);
      });
    };
    return keeps(edge.a, edge.b) && keeps(edge.b, edge.a);
  }

  void collapse(const Edge& edge) {
    Point &a = points_[edge.a], &b = points_[edge.b];
    part_.points[edge.a] = edge.to;
    a.quadric = a.quadric + b.quadric;
    for (const std::uint32_t t : b.triangles) {
      if (is_gone_[t]) continue;
      Triangle& corners = part_.triangles[t];
      if (std::find(corners.begin(), corners.end(), edge.a) != corners.end()) {
        is_gone_[t] = true;
        --left_;
      } else {
        std::replace(corners.begin(), corners.end(), edge.b, edge.a);
        a.triangles.push_back(t);
      }
    }
    b.triangles = {};
    ++b.age;
    ++a.age;
    std::erase_if(a.triangles, [&](std::uint32_t t) { return is_gone_[t]; });
    std::vector<std::uint32_t> around;
    for (const std::uint32_t t : a.triangles)
      for (const std::uint32_t corner : part_.triangles[t])
        if (corner != edge.a) around.push_back(corner);
    std::sort(around.begin(), around.end());
    around.erase(std::unique(around.begin(), around.end()), around.end());
    for (const std::uint32_t other : around) push(edge.a, other);
  }

  MeshPart kept() const {
    constexpr auto none = static_cast<std::uint32_t>(-1);
    MeshPart out;
    out.colour = part_.colour;
    std::vector<std::uint32_t> index(part_.points.size(), none);
    for (std::size_t t = 0; t < part_.triangles.size(); ++t) {
      if (is_gone_[t]) continue;
      Triangle triangle = part_.triangles[t];
      for (std::uint32_t& corner : triangle) {
        if (index[corner] == none) {
          index[corner] = static_cast<std::uint32_t>(out.points.size());
          out.points.push_back(part_.points[corner]);
        }
        corner = index[corner];
      }
      out.triangles.push_back(triangle);
    }
    return out;
  }

  MeshPart part_;
  std::vector<Point> points_;
  std::vector<bool> is_gone_;
  std::priority_queue<Edge> edges_;
  std::size_t left_ = 0;
};

}  // namespace

Mesh simplified(const Mesh& mesh, std::size_t most_triangles) {
  constexpr std::size_t least = 12;  // a box
  const double share =
      static_cast<double>(most_triangles) / static_cast<double>(std::max<std::size_t>(1, mesh.triangle_count()));
  Mesh out;
  for (const MeshPart& part : mesh.parts) {
    MeshPart whole = welded(part);
    const auto most = std::max(least, static_cast<std::size_t>(share * static_cast<double>(part.triangles.size())));
    MeshPart reduced = whole.triangles.size() <= most ? std::move(whole) : EdgeCollapse(std::move(whole)).reduce(most);
    if (!reduced.triangles.empty()) out.parts.push_back(std::move(reduced));
  }
  return out;
}

}  // namespace ulna
