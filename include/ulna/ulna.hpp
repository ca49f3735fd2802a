// All of Ulna.
#pragma once

#include "ulna/dynamics/articulated_body/articulated_body.hpp"
#include "ulna/dynamics/composite_body/composite_body.hpp"
#include "ulna/dynamics/composite_body/coriolis.hpp"
#include "ulna/dynamics/constraint_force/constraint_force.hpp"
#include "ulna/dynamics/constraint_force/parallel.hpp"
#include "ulna/dynamics/denoc/convective_inertia.hpp"
#include "ulna/dynamics/denoc/denoc.hpp"
#include "ulna/dynamics/homogeneous/homogeneous.hpp"
#include "ulna/dynamics/method.hpp"
#include "ulna/dynamics/newton_euler/newton_euler.hpp"
#include "ulna/dynamics/spatial_operator/spatial_operator.hpp"
#include "ulna/import/load.hpp"
#include "ulna/kinematics/kinematics.hpp"
#include "ulna/model/build.hpp"
#include "ulna/spatial/lie.hpp"
#include "ulna/version.hpp"
