#include "papers/legnani_program.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "papers/deviation.hpp"
#include "papers/traced_operations.hpp"
#include "ulna/dynamics/homogeneous/homogeneous.hpp"
#include "ulna/io/robot/load.hpp"

namespace ulna::reproduction {

namespace {

using homogeneous::LinkMatrices;

/// SCARA.DAT of SpaceLib, number by number.
constexpr const char* scara = R"(
title = "SpaceLib's example of a SCARA"
source = "SpaceLib, BIGEXA/SCARA.DAT"
gravity = [0, 0, -9.8]
dh = "standard"
link = [
  {joint = "revolute", a = 0.33, mass = 10, com = [-0.05, 0, 0], inertia = [0.03, 0.03, 0.05]},
  {joint = "revolute", a = 0.33, mass = 10, com = [-0.05, 0, 0], inertia = [0.03, 0.03, 0.05]},
  {joint = "prismatic", b = -0.1, alpha = 3.14159, mass = 3, com = [0, 0, -0.1], inertia = [0.008, 0.008, 0.0015]},
]
)";

/// An instant of SCARA.MOT, and what SCARA.OUT has as “Actions on Joint (i)”: moment and force in frame (0).
struct Instant {
  std::array<double, 3> q, v, a;
  std::array<std::array<double, 6>, 3> printed;  // with four decimals
};

const std::array instants{
    Instant{{0, 0, 0},
            {1, 2, 0},
            {10, 20, 0},
            {{{0.0, 106.6240, -107.3910, 41.2000, -184.6000, -225.4000},
              {0.0, 79.1840, -99.0510, 38.4000, -156.6000, -127.4000},
              {0.0, 19.4040, -26.1810, 9.9000, -39.6000, -29.4000}}}},
    Instant{{0.1, 0.1, 0},
            {1.1, 2.1, 0},
            {11, 21, 0},
            {{{-14.3156, 105.5365, -114.3210, 78.4527, -187.8961, -225.4000},
              {-11.5762, 78.2336, -105.1470, 72.0067, -157.5882, -127.4000},
              {-2.8961, 19.1621, -27.7795, 18.5085, -39.7505, -29.4000}}}},
};

std::array<double, 6> action_of(const LinkMatrices<double>& link) {
  const Force<double> action = homogeneous::force_of(link.Psi_0);
  return {action.moment.x, action.moment.y, action.moment.z, action.force.x, action.force.y, action.force.z};
}

/// The instant's matrices by Ulna, and the drives' torques.
struct Output {
  std::vector<LinkMatrices<double>> links;
  std::vector<double> tau = std::vector<double>(3);

  Output(const Model& model, const Instant& instant) {
    homogeneous::Workspace<double> ws(model);
    homogeneous::inverse_dynamics(model, ws, instant.q, instant.v, instant.a, tau);
    links = ws.links;
  }
};

std::string text_of(const std::array<double, 6>& x) {
  return fmt::format("({:.4f}, {:.4f}, {:.4f}), ({:.4f}, {:.4f}, {:.4f})", x[0], x[1], x[2], x[3], x[4], x[5]);
}

void add_actions(const Instant& instant, int number, const Output& output, std::vector<Claim>& claims) {
  // Half a unit of the last decimal, and single precision: 24 bits of the largest number that is added.
  const double allowed = 0.5e-4 + std::ldexp(largest(instant.printed[0]), -24);
  for (std::size_t joint = 0; joint < 3; ++joint) {
    const std::array<double, 6> computed = action_of(output.links[joint]);
    const double off = largest_difference(computed, instant.printed[joint]);
    claims.push_back(sentence_claim(
        {fmt::format("SCARA.OUT, instant {}", number), fmt::format("action on joint {}: moment, force", joint + 1),
         text_of(instant.printed[joint])},
        fmt::format("all six within {:.1e}", off), off <= allowed,
        joint == 0 && number == 1 ? "Equal: to half a unit of the last printed digit, and the single precision of "
                                    "the program."
                                  : ""));
  }
}

/// Section 7: operations of the matrices and of Newton–Euler in link axes.
void add_complexity(Section& section) {
  Table table{
      "Inverse dynamics, multiplications (M) and additions (A), traced for each arm: zeros in its data cost nothing.",
      {"arm", "homogeneous matrices", "Newton–Euler in link axes"},
      {}};
  const auto count = [](const Model& model, const char* method) {
    return traced_operations(model, Quantity::inverse_dynamics, method);
  };
  std::string six;
  for (const char* arm : {"stanford", "puma560", "kuka_lwr4", "general:6"}) {
    const Model model = load(arm);
    const TracedOperations matrices = count(model, "homogeneous"), classical = count(model, "newton_euler");
    table.rows.push_back({arm, matrices.text(), classical.text()});
    six = fmt::format("for a general arm of six joints {:.1f} times those of Newton–Euler",
                      static_cast<double>(matrices.sum()) / classical.sum());
  }
  section.tables.push_back(table);
  section.claims.push_back(
      undetermined_claim({"Section 7", "operations of a program by these matrices", "close to the minimum"},
                         "The paper guesses; it says neither of what nor how close.", six));
}

}  // namespace

Section legnani_program() {
  Section section{"Sections 6 and 7: the sample program", {}, {}, {}, {}};
  section.text = {
      "The program of Figure 6 computes the kinematics and the inverse dynamics of any serial arm from two files, "
      "one of the robot, one of the motion; the paper prints no files and no output. SpaceLib, the library of the "
      "paper, comes with the program as ROB-MAT.C and ROBSCARA.C and with an example, the robot SCARA.DAT, the "
      "motion SCARA.MOT and the output SCARA.OUT: its “Actions on Joint (i)” Ψ are computed here from the same "
      "numbers. In the listing of Figure 6 dt is never read, though SCARA.MOT begins with it; the later ROB-MAT.C "
      "reads it. With Ulna: ulna id ROBOT --method homogeneous --motion FILE --actions -o FILE."};
  const Model model = build(parse_toml(scara, "scara_of_spacelib"));
  Table table{"The drives' torques −Ψᵢ ⊗ Lᵢ, which the program leaves to its reader.",
              {"instant", "joint 1, N m", "joint 2, N m", "joint 3, N"},
              {}};
  int number = 1;
  for (const Instant& instant : instants) {
    const Output output(model, instant);
    add_actions(instant, number, output, section.claims);
    std::vector<std::string> row{fmt::format("{}", number++)};
    for (const double tau : output.tau) row.push_back(fmt::format("{:.4f}", tau));
    table.rows.push_back(row);
  }
  section.tables.push_back(table);
  add_complexity(section);
  section.claims.push_back(undetermined_claim({"Fig. 6", "output of the sample program", "–"},
                                              "The paper prints none; SpaceLib's example above takes its place."));
  return section;
}

}  // namespace ulna::reproduction
