// Models made from models.
#pragma once

#include "ulna/model/model.hpp"

namespace ulna {

/// The same robot with inertial parameters moved along the chain wherever they are seen alike from
/// both sides of a joint (the grouping of Gautier and Khalil 1990): same dynamics, and zeros where
/// algorithms multiply. A link of a revolute chain keeps 7 of its 10 parameters; a sliding link is
/// described at its mass centre and keeps its mass.
/// The parts that are left are not bodies any more: no mass data for check(), no energies, and
/// methods that invert a link's own inertia do not take them. `com` stays what it was, so that
/// external wrenches act where they did.
Model regrouped(const Model& model);

/// The robot without gravity, friction and springs, at rest all of which its torques are: forward
/// dynamics at v = 0 is then a = M⁻¹ tau.
Model with_inertia_alone(const Model& model);

}  // namespace ulna
