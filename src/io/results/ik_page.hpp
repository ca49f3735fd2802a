// Postures that bring frames where they are wanted, as a page of pictures.
#pragma once

#include "ulna/kinematics/inverse_kinematics.hpp"

namespace ulna {

/// "8 postures, in closed form".
std::string words_for_postures(const InverseKinematics::Postures& postures);

/// All postures of targets: the arm in each, its joints, how near their limits are and how far a singular posture is.
/// Of families what changes along them.
std::string ik_page(const std::string& title, const Model& model, std::span<const IkTarget> targets,
                    const InverseKinematics::Postures& postures);
/// One, from three sides, with what is left of the way where it was not reached.
std::string ik_page(const std::string& title, const Model& model, std::span<const IkTarget> targets,
                    const IkSolution& solution);

}  // namespace ulna
