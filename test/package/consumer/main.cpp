// What a user's first program looks like; built against the installed package.
#include <cmath>
#include <cstdio>
#include <ulna/ulna.hpp>
#include <vector>

struct Decay final : ulna::Ode<double> {
  std::size_t size() const override { return 1; }
  void rhs(const double&, std::span<const double> y, std::span<double> dy) override { dy[0] = -y[0]; }
};

/// e⁻¹, through SUNDIALS, which the installed library needs.
double decayed() {
  Decay decay;
  const auto integrator = ulna::make_integrator("bdf", decay, {});
  integrator->start(0.0, std::vector<double>{1.0});
  while (integrator->time() < 1.0 && integrator->step(1.0) == ulna::StepStatus::ok) continue;
  return integrator->state()[0];
}

int main() {
  const ulna::Model model = ulna::load("puma560");
  ulna::articulated_body::Workspace<double> workspace(model);
  const std::vector<double> q{0, -1.5, 1.5, 0, 0, 0}, v(6, 0.1), tau(6, 1.0);
  std::vector<double> a(6);
  ulna::articulated_body::forward_dynamics(model, workspace, q, v, tau, a);
  for (const double x : a) std::printf("%.17g\n", x);

  // Packs pass between this file, compiled for any machine, and the library, compiled for this one.
  ulna::articulated_body::Workspace<ulna::PackDouble> lanes(model);
  std::vector<ulna::PackDouble> Q, V, T, A(6);
  for (std::size_t i = 0; i < 6; ++i) {
    Q.emplace_back(q[i]);
    V.emplace_back(v[i]);
    T.emplace_back(tau[i]);
  }
  ulna::articulated_body::forward_dynamics(model, lanes, Q, V, T, A);
  ulna::Kinematics<ulna::PackDouble> kinematics(model);
  kinematics.update_positions(Q);
  kinematics.update_velocities(V);
  ulna::Kinematics<double> one(model);
  one.update_positions(q);
  one.update_velocities(v);
  const double off = kinematics.kinetic_energy(V)[3] - one.kinetic_energy(v);
  if (std::abs(decayed() - std::exp(-1.0)) > 1e-6) return 1;
  return off * off < 1e-24 && (A[0][2] - a[0]) * (A[0][2] - a[0]) < 1e-16 ? 0 : 1;
}
