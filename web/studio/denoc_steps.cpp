#include <array>

#include "studio/steps.hpp"
#include "ulna/dynamics/denoc/convective_inertia.hpp"
#include "ulna/dynamics/denoc/denoc.hpp"
#include "ulna/dynamics/denoc/one_degree.hpp"
#include "ulna/dynamics/denoc/udu.hpp"
#include "ulna/dynamics/newton_euler/newton_euler_impl.hpp"
#include "ulna/model/body_inertia.hpp"

namespace ulna::studio {

namespace {

using Numbers = std::vector<double>;
using SixNumbers = std::array<double, 6>;

SixNumbers six_of(const Motion<double>& t) {
  return {t.angular.x, t.angular.y, t.angular.z, t.linear.x, t.linear.y, t.linear.z};
}
SixNumbers six_of(const Force<double>& w) {
  return {w.moment.x, w.moment.y, w.moment.z, w.force.x, w.force.y, w.force.z};
}

/// The matrix of a linear map of twists.
template <class Map>
StepMatrix matrix_of(const char* name, std::size_t link, const Map& map) {
  StepMatrix out{name, static_cast<int>(link) + 1, 6, {}};
  for (std::size_t k = 0; k < 6; ++k) {
    SixNumbers e{};
    e[k] = 1.0;
    for (const double x : six_of(map(Motion<double>{{e[0], e[1], e[2]}, {e[3], e[4], e[5]}}))) out.columns.push_back(x);
  }
  return out;
}

class DenocWalk {
 public:
  explicit DenocWalk(const StepInput& in)
      : in_(in), links_(in.model.bodies()), n_(links_.size()), ws_(in.model), convective_(in.model), C_(n_ * n_) {
    const int n = in.model.nv();
    denoc::convective_inertia<double>(in.model, convective_, in.q, in.v, {C_.data(), n, n});
  }

  Walk operator()() {
    return {"", {twists(), wrenches(), torques(), inertia(), convective(), decomposition(), a(), b(), c()}};
  }

 private:
  Step twists() {
    Step step{
        "Twists",
        "t_i = B_{i,i−1} t_{i−1} + p_i θ̇_i",
        "saha2001 (3)–(5)",
        "Angular part first, at O_i on the axis of joint i, in the axes of link i. p of a slider is [0; e], which the "
        "paper leaves out (erratum 0.7).",
        {}};
    step.matrices.push_back(per_link("p", n_, [&](std::size_t i) { return six_of(denoc::p_times(links_[i], 1.0)); }));
    for (std::size_t i = 1; i < n_; ++i)
      step.matrices.push_back(
          matrix_of("B_{i,i−1}", i, [&](const Motion<double>& t) { return convective_.poses[i].to_body(t); }));
    step.matrices.push_back(per_link("t", n_, [&](std::size_t i) { return six_of(convective_.links[i].twist); }));
    return step;
  }

  Step wrenches() {
    Step step{"Wrenches",
              "w_i = M_i ṫ_i + W_i M_i E_i t_i",
              "bhangale2004 (1)",
              "With the dot that its print lacks (erratum 2.1). Gravity stands in ṫ as an acceleration of the base.",
              {}};
    for (std::size_t i = 0; i < n_; ++i)
      step.matrices.push_back(matrix_of("M_i", i, [&](const Motion<double>& t) { return own(i) * t; }));
    ws_.poses.update(in_.model, in_.q);
    newton_euler::outward<double>(in_.model, ws_.poses, in_.model.gravity(), in_.v, in_.a, ws_.rates, ws_.w);
    step.matrices.push_back(per_link("w", n_, [&](std::size_t i) { return six_of(ws_.w[i]); }));
    return step;
  }

  Step torques() {
    Numbers tau(n_);
    denoc::inverse_dynamics<double>(in_.model, ws_, in_.q, in_.v, in_.a, tau);
    return {"Torques",
            "w̃_i = w_i + B_{i+1,i}ᵀ w̃_{i+1},  τ_i = p_iᵀ w̃_i",
            "bhangale2004 (8), (9)",
            "Friction, springs and armature of the joints are in τ.",
            {per_link("w̃", n_, [&](std::size_t i) { return six_of(ws_.w[i]); }), row_of("τ", tau)}};
  }

  Step inertia() {
    I_.resize(n_ * n_);
    denoc::mass_matrix<double>(in_.model, ws_, in_.q, {I_.data(), in_.model.nv(), in_.model.nv()});
    Step step{"The generalised inertia matrix",
              "M̃_i = M_i + B_{i+1,i}ᵀ M̃_{i+1} B_{i+1,i},  i_ij = p_iᵀ M̃_i B_ij p_j",
              "saha2001 (2), (6); bhangale2004 (10), (13)",
              "M̃_i is the mass of the composite body of links i … n." + armature_note(in_.model),
              {}};
    for (std::size_t i = 0; i < n_; ++i)
      step.matrices.push_back(matrix_of("M̃_i", i, [&](const Motion<double>& t) { return ws_.M_tilde[i] * t; }));
    step.matrices.push_back({"I", 0, in_.model.nv(), I_});
    return step;
  }

  Step convective() const {
    return {
        "The matrix of convective inertia",
        "c_ij = p_iᵀ (A_jiᵀ M̃_j W_j + A_{j+1,i}ᵀ H̃_{j+1,j} + A_jiᵀ M̃_j) p_j for i ≤ j,  I θ̈ + C θ̇ = τ",
        "bhangale2004 (10)–(12)",
        "A is B above. The last M̃_j is another one than the first: the composite of W M E (erratum 2.3). Only C θ̇ is "
        "unique: Ṁ − 2C is not skew for this C (erratum 2.17).",
        {{"C", 0, in_.model.nv(), C_}}};
  }

  /// Forward dynamics leaves M̂, ψ, η, μ and m̂ behind.
  Step decomposition() {
    theta_.resize(n_);
    denoc::forward_dynamics<double>(in_.model, ws_, in_.q, in_.v, in_.tau, theta_);
    const int n = in_.model.nv();
    Numbers rest = I_, U(n_ * n_), D(n_);
    denoc::reverse_gaussian_elimination<double>({rest.data(), n, n}, {U.data(), n, n}, D.data());
    Step step{"I = U D Uᵀ",
              "m̂_i = p_iᵀ M̂_i p_i,  ψ_i = M̂_i p_i / m̂_i,  D = diag(m̂),  α_ik = p_iᵀ ψ_ik",
              "saha2001 (7)–(11), (19)–(28)",
              "M̂_i is the mass of the articulated body: links i … n with the outer joints free to give way." +
                  armature_note(in_.model),
              {}};
    for (std::size_t i = 0; i < n_; ++i)
      step.matrices.push_back(matrix_of("M̂_i", i, [&](const Motion<double>& t) { return articulated(i) * t; }));
    step.matrices.push_back(per_link("ψ", n_, [&](std::size_t i) { return six_of(ws_.psi[i]); }));
    step.matrices.push_back({"U", 0, n, U});
    step.matrices.push_back(row_of("D", D));
    return step;
  }

  Step a() const {
    return {"Step A",
            "τ̂ = U⁻¹ φ:  τ̂_i = φ_i − p_iᵀ η_{i,i+1}",
            "saha2001 (1), (12), (13)",
            "φ = τ − C θ̇ with the given τ; (12) prints τ in its place (erratum 0.5), and A3 leaves out each link's own "
            "inertia (erratum 0.1).",
            {row_of("φ", ws_.phi), per_link("η_{i,i+1}", n_ - 1, [&](std::size_t i) { return six_of(ws_.eta[i]); }),
             row_of("τ̂", ws_.tau_tilde)}};
  }
  Step b() const {
    Numbers tau(n_);
    for (std::size_t i = 0; i < n_; ++i) tau[i] = ws_.tau_tilde[i] / ws_.m_hat[i];
    return {"Step B", "τ̃ = D⁻¹ τ̂", "saha2001 section 2.2", "", {row_of("m̂", ws_.m_hat), row_of("τ̃", tau)}};
  }
  Step c() const {
    return {"Step C",
            "θ̈ = U⁻ᵀ τ̃:  θ̈_i = τ̃_i − ψ_iᵀ μ_{i,i−1}",
            "saha2001 (14), (15)",
            "C3 prints the upper half of μ twice (erratum 0.2).",
            {per_link("μ", n_, [&](std::size_t i) { return six_of(ws_.mu[i]); }), row_of("θ̈", theta_)}};
  }

  RigidInertia<double> own(std::size_t i) const { return body_inertia<double>(links_[i]); }
  ArticulatedInertia<double> articulated(std::size_t i) const {
    return i + 1 < n_ ? ws_.M_hat[i] + own(i) : ArticulatedInertia<double>::from_rigid(own(i));
  }

  const StepInput& in_;
  std::span<const Body> links_;
  std::size_t n_;
  denoc::Workspace<double> ws_;
  denoc::ConvectiveWorkspace<double> convective_;
  Numbers C_, I_, theta_;
};

}  // namespace

Walk denoc_walk(const StepInput& input) { return DenocWalk(input)(); }

}  // namespace ulna::studio
