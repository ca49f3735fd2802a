// Tableau: a Runge–Kutta method as data. The numbers are in src/integrate/tableaux.cpp.
//
// Sources: Hairer, Nørsett, Wanner, "Solving Ordinary Differential Equations I", 2nd ed. (HNW), and
// Hairer, Lubich, Wanner, "Geometric Numerical Integration", 2nd ed. (HLW).
#pragma once

#include <span>
#include <string_view>

#include "ulna/real/real.hpp"

namespace ulna {

/// How the step size follows the error: h_new = h · safety · error^(−α) · previous_error^β with
/// α = exponent − 0.75 β, between the two limits (HNW II.4 and the step control of HNW IV.2).
struct StepConstants {
  double exponent;  // 1/(q + 1), q the order of the error estimate
  double beta;      // 0: no memory of the previous error
  double safety;    // HNW II.4
  double least_factor, most_factor;
};

/// An explicit method: y₁ = y₀ + h Σ bᵢ kᵢ, kᵢ = f(t₀ + cᵢ h, y₀ + h Σⱼ aᵢⱼ kⱼ).
///
/// The slopes are numbered: the stages, then f(t₁, y₁) where it is not one of them already, then the
/// further stages that only the dense output needs.
struct Tableau {
  std::string_view name;
  int order;
  int embedded_order = 0;  // of the formula that the error is measured against; 0: none
  bool fsal = false;       // the last stage is f(t₁, y₁): first of the next step same as last
  std::size_t stages;
  std::span<const double> a;  // the lower triangle row by row: row i has i numbers, i = 0, 1, …
  std::span<const double> b, c;
  std::span<const double> error{};         // h Σ eᵢ kᵢ = y₁ − ŷ₁
  std::span<const double> second_error{};  // a coarser estimate that is combined with it (HNW II.10)
  int dense_order = 0;                     // 0: there is none
  std::span<const double> dense{};         // rows of as many numbers as there are slopes: see RungeKutta
  StepConstants control{};

  std::size_t end() const { return fsal ? stages - 1 : stages; }  // which slope is f(t₁, y₁)
  std::size_t slopes() const { return c.size() > stages ? c.size() : end() + 1; }
  std::size_t dense_rows() const { return dense.size() / slopes(); }
  std::span<const double> row(std::size_t i) const { return a.subspan(i * (i - 1) / 2, i); }
};

/// A collocation method: all stages depend on each other. A is full, row by row.
struct CollocationTableau {
  std::string_view name;
  int order;
  std::size_t stages;
  std::span<const double> a, b, c;
  // A coefficient that is not a binary fraction is wrong by its rounding in the same sense in every
  // step, which shows as drift; what `a` and `b` miss of the true numbers (Hairer, McLachlan,
  // Razakarivony 2008, "Achieving Brouwer's law with implicit Runge–Kutta methods").
  std::span<const double> a_rest, b_rest;
};

namespace tableaux {

extern const Tableau rk4;     // the classical one
extern const Tableau rkf45;   // Fehlberg 4(5), advanced by the formula of order 5
extern const Tableau dp5;     // Dormand–Prince 5(4), dense output of order 4
extern const Tableau dop853;  // Dormand–Prince 8(5,3), dense output of order 7

extern const CollocationTableau gauss4, gauss6;  // Gauss–Legendre with 2 and 3 stages

}  // namespace tableaux

}  // namespace ulna
