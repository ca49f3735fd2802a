// Numbers that are legal and yet likely in another unit or about another point than is meant: what check() tells and
// mend() corrects. Each rule has its evidence beside it; of the published arms in robots/catalogue none breaks one.
#pragma once

#include "tree.hpp"
#include "ulna/model/graph.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

/// How large a robot and its links are.
struct Measures {
  std::vector<double> size;  // of each body: from its origin to the farthest joint, frame or shape on it
  double reach = 0.0;        // of all links together, with the travel of slides
  double mass = 0.0;
  bool is_known = true;  // false where a slide has no end

  /// What a link's inertia is measured by. A wrist link may have no length of its own: then the whole arm is.
  double length(const GraphBody& body, std::size_t index) const;
};
Measures measures_of(const Graph& graph, const Tree& tree);

/// Arms fill the cube of their reach with 0.1 to 120 kg/m³, in grams with a thousand times that.
bool has_grams(const Measures& measures);
/// Links fill the cube of their mean length with 0.1 to 2000 kg/m³, in millimetres with a thousandth cubed of that; or
/// they measure a hundred metres each.
bool has_millimetres(const Measures& measures);

/// An angle of seven turns and more.
bool has_degrees(const GraphJoint& joint);
/// Of its limits, the one that is farther out.
double widest_limit(const GraphJoint& joint);

/// The radius of gyration that the largest moment means.
double gyration(const MassData& mass);

/// Whether it is ten times the link's length.
bool has_far_gyration(const MassData& mass, double length);

/// What makes kg m² of the inertias that are too large for their links, and its unit: the one that fits all of them
/// best. A factor of 1 if there are none, or nothing fits.
struct InertiaUnit {
  double factor = 1.0;
  const char* name = "";
};
InertiaUnit likely_unit(const Graph& graph, const Measures& measures);

/// About the mass centre, if the tensor is about the origin of the link.
Sym3<double> moved_to_centre(const MassData& mass);
/// Whether the tensors of all links likely are. About the origin they hold m c² of the mass centre's distance c, and
/// are those of a body still when that is taken away; of tensors about the mass centre that is so for some bulky links,
/// and not for all.
bool are_about_origins(const Graph& graph);

/// Square axes of length one, the third of which points the wrong way.
bool is_left_handed(const Mat3<double>& axes);

}  // namespace ulna
#pragma GCC visibility pop
