#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "integrate/cvode.hpp"
#include "integrate/explicit_integrator.hpp"
#include "integrate/gauss_legendre.hpp"
#include "ulna/base/error.hpp"

namespace ulna {

namespace {

using Maker = std::unique_ptr<Integrator> (*)(Ode<double>&, const IntegratorOptions&);

std::unique_ptr<Integrator> make_gauss(Ode<double>& system, const IntegratorOptions& options) {
  return std::make_unique<GaussLegendre>(tableaux::gauss6, system, options);
}

struct Row {
  IntegratorInfo info;
  bool takes_step = false;           // can go by fixed steps
  const Tableau* tableau = nullptr;  // of an explicit method
  Maker make = nullptr;              // of another one
};

constexpr std::array rows{
    Row{.info =
            {.name = "rk4", .title = "the classical Runge–Kutta method, fixed steps", .order = 4, .needs_step = true},
        .takes_step = true,
        .tableau = &tableaux::rk4},
    Row{.info = {.name = "rkf45",
                 .title = "Runge–Kutta–Fehlberg 4(5), advanced by order 5",
                 .order = 5,
                 .takes_tolerance = true},
        .takes_step = true,
        .tableau = &tableaux::rkf45},
    Row{.info = {.name = "dp5", .title = "Dormand–Prince 5(4) with dense output", .order = 5, .takes_tolerance = true},
        .takes_step = true,
        .tableau = &tableaux::dp5},
    Row{.info =
            {.name = "dop853", .title = "Dormand–Prince 8(5,3) with dense output", .order = 8, .takes_tolerance = true},
        .takes_step = true,
        .tableau = &tableaux::dop853},
#ifdef ULNA_CVODE
    Row{.info = {.name = "adams",
                 .title = "Adams–Bashforth–Moulton of orders 1 to 12 (SUNDIALS CVODE)",
                 .order = 12,
                 .takes_tolerance = true,
                 .remembers = true},
        .make = make_adams},
    Row{.info = {.name = "bdf",
                 .title = "backward differentiation of orders 1 to 5, for stiff systems (SUNDIALS CVODE)",
                 .order = 5,
                 .takes_tolerance = true,
                 .remembers = true},
        .make = make_bdf},
#endif
    Row{.info = {.name = "symplectic",
                 .title = "Gauss–Legendre of order 6: no drift of the energy over long times, fixed steps",
                 .order = 6,
                 .needs_step = true,
                 .canonical = true},
        .takes_step = true,
        .make = make_gauss},
};

constexpr auto infos = [] {
  std::array<IntegratorInfo, rows.size()> list{};
  std::transform(rows.begin(), rows.end(), list.begin(), [](const Row& row) { return row.info; });
  return list;
}();

const Row& find(std::string_view name) {
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return row.info.name == name; });
  if (found != rows.end()) return *found;
  std::string known;
  for (const Row& row : rows) known += (known.empty() ? "" : ", ") + std::string(row.info.name);
  throw InputError(fmt::format("unknown integrator '{}'; known: {}", name, known));
}

void expect(bool good, const std::string& sentence) {
  if (!good) throw InputError(sentence);
}

void expect_options(const Row& row, const IntegratorOptions& o) {
  const auto not_negative = [](double x) { return std::isfinite(x) && x >= 0.0; };
  expect(not_negative(o.fixed_step), fmt::format("the step is {}; give a positive one, or 0 for none", o.fixed_step));
  expect(not_negative(o.largest_step),
         fmt::format("the largest step is {}; give a positive one, or 0 for no bound", o.largest_step));
  expect(!row.info.needs_step || o.fixed_step > 0.0,
         fmt::format("integrator '{}' goes by fixed steps; give it a step", row.info.name));
  expect(row.takes_step || o.fixed_step == 0.0,
         fmt::format("integrator '{}' chooses its steps itself; give a tolerance instead of a step", row.info.name));
  if (o.fixed_step > 0.0) return;
  const auto in_range = [](double x) { return x >= 0.0 && x < 1.0; };
  expect(in_range(o.relative), fmt::format("the relative tolerance is {}; give one from 0 to below 1", o.relative));
  expect(o.relative == 0.0 || o.relative >= 1e-15,
         fmt::format("the relative tolerance is {}, far below rounding; give 1e-14 or so", o.relative));
  expect(not_negative(o.absolute), fmt::format("the absolute tolerance is {}; give a positive one", o.absolute));
  expect(o.absolute > 0.0,
         "the absolute tolerance is 0, which no component that passes zero can meet; give a small one");
  expect(o.absolute >= 1e-30,
         fmt::format("the absolute tolerance is {}, far below rounding; give 1e-15 or so", o.absolute));
}

}  // namespace

std::string_view reason_of(StepStatus status) {
  switch (status) {
    case StepStatus::ok: return "ok";
    case StepStatus::step_too_small: return "the tolerance cannot be met, however small the step";
    case StepStatus::not_finite: return "the right-hand side is not finite";
    case StepStatus::not_converged: return "the equations of an implicit step could not be solved";
  }
  return "";
}

std::span<const IntegratorInfo> integrators() { return infos; }

const IntegratorInfo& integrator_info(std::string_view name) { return find(name).info; }

const Tableau* explicit_tableau(std::string_view name) { return find(name).tableau; }

void expect_options(std::string_view name, const IntegratorOptions& options) { expect_options(find(name), options); }

std::unique_ptr<Integrator> make_integrator(std::string_view name, Ode<double>& system,
                                            const IntegratorOptions& options) {
  const Row& row = find(name);
  expect_options(row, options);
  if (row.tableau != nullptr) return std::make_unique<ExplicitIntegrator>(*row.tableau, system, options);
  return row.make(system, options);
}

}  // namespace ulna
