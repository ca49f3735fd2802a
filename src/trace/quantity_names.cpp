#include "quantity_names.hpp"

#include <fmt/format.h>

#include "ulna/dynamics/articulated_body/articulated_body.hpp"
#include "ulna/dynamics/composite_body/composite_body.hpp"
#include "ulna/dynamics/newton_euler/newton_euler.hpp"

namespace ulna::trace {

namespace {

class Names {
 public:
  void add(const std::string& name, const Trace& x) {
    if (!x.is_constant()) names_.emplace(x.node, x.negative ? "minus_" + name : name);  // the first name stays
  }
  void add(const std::string& name, const Vec3<Trace>& x) {
    add(name + "_x", x.x);
    add(name + "_y", x.y);
    add(name + "_z", x.z);
  }
  void add(const std::string& name, const Mat3<Trace>& m) {
    add(name + "_x", m.row_x());
    add(name + "_y", m.row_y());
    add(name + "_z", m.row_z());
  }
  void add(const std::string& name, const Sym3<Trace>& m) {
    const Trace* const entries[] = {&m.xx, &m.yy, &m.zz, &m.xy, &m.xz, &m.yz};
    const char* const suffixes[] = {"_xx", "_yy", "_zz", "_xy", "_xz", "_yz"};
    for (int k = 0; k < 6; ++k) add(name + suffixes[k], *entries[k]);
  }

  void add_bodies(const std::vector<newton_euler::BodyRates<Trace>>& rates, const std::vector<Force<Trace>>& wrench) {
    for (std::size_t i = 0; i < rates.size(); ++i) {
      add(fmt::format("omega{}", i + 1), rates[i].omega);
      add(fmt::format("alpha{}", i + 1), rates[i].alpha);
      add(fmt::format("acceleration{}", i + 1), rates[i].a);
      add(fmt::format("A{}", i + 1), rates[i].A);
      add(fmt::format("moment{}", i + 1), wrench[i].moment);
      add(fmt::format("force{}", i + 1), wrench[i].force);
    }
  }

  std::map<std::uint32_t, std::string> take() { return std::move(names_); }

 private:
  std::map<std::uint32_t, std::string> names_;
};

void add_inverse(const Model& model, const std::vector<std::vector<Trace>>& in, Names& names) {
  newton_euler::Workspace<Trace> ws(model);
  std::vector<Trace> tau(static_cast<std::size_t>(model.nv()));
  newton_euler::inverse_dynamics(model, ws, in[0], in[1], in[2], tau);
  names.add_bodies(ws.rates, ws.wrench);
}

void add_articulated(const Model& model, const std::vector<std::vector<Trace>>& in, Names& names) {
  articulated_body::Workspace<Trace> ws(model);
  std::vector<Trace> a(static_cast<std::size_t>(model.nv()));
  articulated_body::forward_dynamics(model, ws, in[0], in[1], in[2], a);
  names.add_bodies(ws.rates, ws.p);
  for (std::size_t i = 0; i < ws.IA.size(); ++i) {
    names.add(fmt::format("J{}", i + 1), ws.IA[i].J);
    names.add(fmt::format("H{}", i + 1), ws.IA[i].H);
    names.add(fmt::format("mass{}", i + 1), ws.IA[i].M);
    names.add(fmt::format("difference{}_angular", i + 1), ws.acceleration[i].angular);
    names.add(fmt::format("difference{}_linear", i + 1), ws.acceleration[i].linear);
  }
  for (std::size_t k = 0; k < ws.W.size(); ++k) {
    names.add(fmt::format("W{}_moment", k + 1), ws.W[k].moment);
    names.add(fmt::format("W{}_force", k + 1), ws.W[k].force);
    names.add(fmt::format("y{}", k + 1), ws.y[k]);
  }
}

void add_composite(const Model& model, Quantity quantity, const std::vector<std::vector<Trace>>& in, Names& names) {
  composite_body::Workspace<Trace> ws(model);
  const MatrixView<Trace> M{ws.M.data(), model.nv(), model.nv()};
  if (quantity == Quantity::forward_dynamics) {
    std::vector<Trace> a(static_cast<std::size_t>(model.nv()));
    composite_body::forward_dynamics(model, ws, in[0], in[1], in[2], a);
    names.add_bodies(ws.bias.rates, ws.bias.wrench);
    for (int c = 0; c < model.nv(); ++c)
      for (int r = 0; r <= c; ++r)
        names.add(r == c ? fmt::format("D{}", c + 1) : fmt::format("L{}_{}", c + 1, r + 1), M(r, c));
  }
  composite_body::mass_matrix(model, ws, in[0], M);
  for (std::size_t i = 0; i < ws.composite.size(); ++i) {
    names.add(fmt::format("h{}", i + 1), ws.composite[i].h);
    names.add(fmt::format("I{}", i + 1), ws.composite[i].about_origin);
  }
  for (int c = 0; c < model.nv(); ++c)
    for (int r = 0; r <= c; ++r) names.add(fmt::format("M{}_{}", c + 1, r + 1), M(r, c));
}

}  // namespace

std::map<std::uint32_t, std::string> quantity_names(const Model& model, Quantity quantity, std::string_view method,
                                                    const std::vector<std::vector<Trace>>& inputs) {
  Names names;
  if (quantity == Quantity::inverse_dynamics && method == "newton_euler") add_inverse(model, inputs, names);
  if (quantity == Quantity::forward_dynamics && method == "articulated_body") add_articulated(model, inputs, names);
  if ((quantity == Quantity::forward_dynamics || quantity == Quantity::mass_matrix) && method == "composite_body")
    add_composite(model, quantity, inputs, names);
  return names.take();
}

}  // namespace ulna::trace
