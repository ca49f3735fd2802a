// Numbers that are legal and yet likely in another unit or about another point than is meant: what check() tells and
// mend() corrects. Each rule judges the robot as a whole, because files have one unit throughout; of the published arms
// in robots/catalogue none breaks one.
#pragma once

#include <string>
#include <vector>

#include "tree.hpp"
#include "ulna/model/graph.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

/// How large a robot and its links are.
struct Measures {
  std::vector<double> size;         // of each body: from its origin to the farthest joint, frame or shape on it
  std::vector<std::size_t> moving;  // bodies with mass that move
  double reach = 0.0;               // of all links together

  /// What a link's inertia is measured by. A wrist link may have no length of its own: then the whole arm is.
  double length(const GraphBody& body, std::size_t index) const;
};
Measures measures_of(const Graph& graph, const Tree& tree);

/// What makes SI of a robot's numbers.
struct Units {
  double length = 1.0, mass = 1.0, inertia = 1.0;
  const char *length_name = "metres", *mass_name = "kilograms", *inertia_name = "kg m²";

  /// "masses in grams and inertias in g m²": what is not in SI.
  std::string text() const;
};

/// The units that a robot's numbers may be in where they are not in SI, as far as can be told. The evidence is the
/// links' middle density (mass in the cube of what they measure) and their middle radius of gyration over their length,
/// which are 50 to 600 kg/m³ and 0.23 to 0.39 in the arms of robots/catalogue, and how far they reach.
struct LikelyUnits {
  std::vector<Units> fitting;            // none: SI, or unknown; several fit as well: only the author can tell
  double density = 0.0, gyration = 0.0;  // the evidence, of the numbers as they are

  /// Those that are sure enough to correct by; SI where there are none.
  Units sure() const { return fitting.size() == 1 ? fitting.front() : Units{}; }
};
LikelyUnits likely_units(const Graph& graph, const Measures& measures);

/// Limits of a hinge of more than seven turns; beyond a thousand they stand for none.
bool has_degrees(const GraphJoint& joint);
/// Of its limits, the one that is farther out.
double widest_limit(const GraphJoint& joint);

/// The radius of gyration that the largest moment means.
double gyration(const MassData& mass);

/// About the mass centre, if the tensor is about the origin of the link.
Sym3<double> moved_to_centre(const MassData& mass);
/// Whether the tensors of all links likely are. About the origin they hold m c² of the mass centre's distance c, and
/// are those of a body still when that is taken away; of tensors about the mass centre that is so for some bulky links,
/// and not for all of several.
bool are_about_origins(const Graph& graph);

/// Moving links with the same tensor: one that no part has, the same about all axes, with the same mass; or that of
/// links whose masses differ. Exporters and templates write so where nobody knew better. None unless they are three at
/// least and most of the robot: a machine may have equal parts.
struct Placeholders {
  std::vector<std::size_t> links;
  bool have_same_mass = false;
};
Placeholders placeholders(const Graph& graph, const Measures& measures);

/// Square axes of length one, the third of which points the wrong way.
bool is_left_handed(const Mat3<double>& axes);

}  // namespace ulna
#pragma GCC visibility pop
