// A lattice in two or three dimensions with a yes or no at its vertices, cut into simplices (Kuhn 1960): the size of
// what says yes, its holes and its boundary.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#pragma GCC visibility push(hidden)
namespace ulna::reach {

using Coordinates = std::array<double, 3>;

struct LatticeBox {
  int dimensions = 3;
  Coordinates low{}, high{};
  bool revolved = false;  // about x = 0: the size is that of the body of revolution, and there is nothing beyond x = 0
};

class Lattice {
 public:
  enum State : std::uint8_t { out, in, unknown };

  /// So many cells along the longest side.
  Lattice(const LatticeBox& box, int along);

  /// Twice as fine. Vertices keep their states; new ones have that of the cell they are in where all its corners and
  /// its neighbours' have one and none of them is `touched`, and are unknown elsewhere.
  Lattice finer(const std::vector<char>& touched) const;

  /// Of the lattice that this is finer than.
  std::size_t same_vertex(const Lattice& wider, std::size_t vertex_of_wider) const;

  std::size_t size() const { return state.size(); }
  double edge() const { return edge_; }
  Coordinates place(std::size_t vertex) const;
  /// Of the cell that holds a place within the box; cells are numbered by their lowest vertex.
  std::size_t cell_of(const Coordinates& at) const;
  /// Whether the vertex nearest to a place within the box is in.
  bool is_in_near(const Coordinates& at) const;
  bool at_rim(std::size_t vertex) const;

  /// An edge of a simplex of which one end is in: from it, and to.
  struct Crossing {
    std::size_t from, to;
  };
  std::vector<Crossing> crossings() const;
  /// Where an edge leaves, as a part of its length.
  void set_crossing(const Crossing& crossing, double part);

  struct Measures {
    double size = 0.0, boundary = 0.0;  // m³ and m², of a planar one m² and m
    int holes = 0;
    double hole_size = 0.0;
    double doubt = 0.0;  // the size of cells that are touched and have no corner inside
  };
  Measures measure(const std::vector<char>& touched) const;

  /// Of the boundary: a triangle, against the clock as seen from outside; in two dimensions a line, the inside to its
  /// left.
  using Piece = std::array<Coordinates, 3>;
  void each_piece(const std::function<void(const Piece&)>& see) const;

  std::vector<std::uint8_t> state;

 private:
  struct Simplex;
  template <class See>
  void each_simplex(std::size_t cell, const See& see) const;
  std::array<int, 3> index(std::size_t vertex) const;
  bool is_cell(const std::array<int, 3>& at) const;
  std::size_t vertex(const std::array<int, 3>& at) const;
  Coordinates cut(const Simplex& simplex, int inside, int outside) const;
  double content(const std::array<Coordinates, 4>& corners) const;
  double inside_of(const Simplex& simplex) const;
  void pieces_of(const Simplex& simplex, const std::function<void(const Piece&)>& see) const;
  std::vector<int> outer_parts(int& count) const;
  double cell_size(std::size_t cell) const;

  LatticeBox box_;
  double edge_ = 0.0;
  std::array<int, 3> cells_{};
  std::unordered_map<std::uint64_t, double> crossings_;
};

}  // namespace ulna::reach
#pragma GCC visibility pop
