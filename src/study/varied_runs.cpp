#include <fmt/format.h>

#include <cmath>

#include <algorithm>

#include "model/number_uses.hpp"
#include "study/joint_lookup.hpp"
#include "ulna/base/nearest_word.hpp"
#include "ulna/model/payload.hpp"
#include "ulna/simulate/random_numbers.hpp"
#include "ulna/study/scenario.hpp"

namespace ulna {

namespace {

using What = Variation::What;
using Law = Variation::Law;

std::uint64_t key_of(const std::string& name) {
  std::uint64_t key = 0;
  for (const char c : name) key = mixed(key ^ static_cast<unsigned char>(c));
  return key;
}

/// A link heavier by a factor has a tensor larger by it.
void set_mass(MassData& body, double mass) {
  const double factor = mass / body.mass;
  Sym3<double>& i = body.inertia;
  i = {factor * i.xx, factor * i.yy, factor * i.zz, factor * i.xy, factor * i.xz, factor * i.yz};
  body.mass = mass;
}

/// How the parameters of one quantity are called.
struct Naming {
  std::string prefix, turning, sliding;
};
Naming naming_of(What what) {
  switch (what) {
    case What::position: return {"q", "rad", "m"};
    case What::velocity: return {"v", "rad/s", "m/s"};
    case What::torque: return {"tau", "N m", "N"};
    case What::kp: return {"kp", "N m/rad", "N/m"};
    case What::kd: return {"kd", "N m s/rad", "N s/m"};
    case What::target: return {"to", "rad", "m"};
    case What::friction: return {"friction", "N m s/rad", "N s/m"};
    case What::coulomb: return {"coulomb", "N m", "N"};
    case What::mass:
    case What::payload: break;
  }
  return {"", "kg", "kg"};
}

/// Whether a robot can have it.
bool is_possible(What what, double value) {
  switch (what) {
    case What::mass: return value > 0.0;
    case What::payload:
    case What::friction:
    case What::coulomb:
    case What::kp:
    case What::kd: return value >= 0.0;
    default: return true;
  }
}

/// The gains of a drive that has them.
std::vector<double>* gains_of(DriveSpec& drive, What what) {
  if (auto* pd = std::get_if<PdDrive>(&drive)) return what == What::kp ? &pd->kp : &pd->kd;
  if (auto* computed = std::get_if<ComputedTorqueDrive>(&drive))
    return what == What::kp ? &computed->kp : &computed->kd;
  return nullptr;
}

/// What a joint's number is in the nominal run.
double nominal_of(What what, std::size_t k, std::size_t iq, const Scenario& scenario, SimulationSetup& nominal,
                  const Model& model) {
  switch (what) {
    case What::position: return nominal.q0[iq];
    case What::velocity: return nominal.v0[k];
    case What::torque: return std::get<ConstantDrive>(nominal.actions.drive).torque[k];
    case What::friction: return model.viscous()[k];
    case What::coulomb: return model.coulomb()[k];
    case What::target: return scenario.drive.motion->to[scenario.drive.motion->to.size() == 1 ? 0 : k].in_si();
    default: return (*gains_of(nominal.actions.drive, what))[k];
  }
}

}  // namespace

void VariedRuns::fail(const Variation& variation, const std::string& what) {
  throw InputError(variation.source, fmt::format("{}: {}", variation.where(), what));
}

VariedRuns::VariedRuns(const Scenario& scenario, const Graph& graph, const Model& model)
    : scenario_(scenario), graph_(graph), model_(model), nominal_(setup_of(scenario, model)) {
  const auto nv = static_cast<std::size_t>(model.nv());
  if (nominal_.v0.empty()) nominal_.v0.assign(nv, 0.0);
  for (const Variation& variation : scenario.ensemble.vary) expand(variation);
  if (parameters_.empty() && scenario.disturbances.empty())
    throw InputError(scenario.source, "all runs would be alike; say what differs, as in vary q=normal:5deg");
}

void VariedRuns::expand(const Variation& variation) {
  const std::size_t before = parameters_.size();
  switch (variation.what) {
    case What::mass: add_bodies(variation); break;
    case What::payload:
      add(variation, "payload", "kg", 0, 0.0);
      varies_robot_ = true;
      break;
    default: {
      adapt_drive(variation);
      add_joints(variation);
    }
  }
  for (std::size_t i = before; i < parameters_.size(); ++i) {
    for (std::size_t k = 0; k < before; ++k)
      if (parameters_[i].name == parameters_[k].name)
        fail(variation, fmt::format("{} is varied already, by '{}'", parameters_[i].name, parameters_[k].law->text));
  }
}

void VariedRuns::add(const Variation& variation, std::string name, std::string unit, std::size_t index, double nominal,
                     const NumberUse& use) {
  const double high = resolve(variation.high, use, variation.where()),
               low = resolve(variation.low, use, variation.where());
  if (!std::isfinite(low) || !std::isfinite(high) || (variation.law == Law::normal && high < 0.0))
    fail(variation, "the spread must be finite, and a deviation zero or positive");
  if (!is_possible(variation.what, nominal))  // or a normal law would be drawn again for ever
    fail(variation, fmt::format("{} is {:g} {}, and what is below 0 cannot be varied; give it a value from 0", name,
                                nominal, unit));
  // all of a normal law that is impossible is drawn again; of a range nobody asked for that
  const double least = nominal + (variation.relative ? low * nominal : low);
  if (variation.law == Law::uniform && !is_possible(variation.what, least))
    fail(variation, fmt::format("{} would go down to {:g} {}, which no robot can have", name, least, unit));
  if (variation.relative && nominal == 0.0)
    fail(variation, fmt::format("{} is 0, and a part of it is 0 too; give an amount", name));
  const std::uint64_t key = key_of(name);
  parameters_.push_back({std::move(name), std::move(unit), &variation, index, nominal, low, high, key});
}

void VariedRuns::add_joints(const Variation& variation) {
  const Model& model = model_;
  const Naming naming = naming_of(variation.what);
  if (variation.number > model.nv()) fail(variation, fmt::format("this robot has {} degrees of freedom", model.nv()));
  const std::vector<NumberUse> uses = rate_uses(model);
  std::vector<std::string> names;
  for (std::size_t k = 0; k < uses.size(); ++k) {
    const int iq = model.q_of_v()[k];
    const std::string& name = uses[k].joint;
    const bool meant = (variation.name.empty() && variation.number == 0) || name == variation.name ||
                       variation.number == static_cast<int>(k) + 1;
    if (iq >= 0) names.push_back(name);
    if (!meant || iq < 0) continue;
    const bool slides = uses[k].kind == NumberUse::Kind::length;
    const double nominal = nominal_of(variation.what, k, static_cast<std::size_t>(iq), scenario_, nominal_, model);
    add(variation, fmt::format("{}{}", naming.prefix, k + 1), slides ? naming.sliding : naming.turning, k, nominal,
        uses[k]);
    if (variation.what == What::friction || variation.what == What::coulomb) {
      const auto nv = static_cast<std::size_t>(model.nv());
      nominal_.actions.friction = {std::vector<double>(nv, 0.0), std::vector<double>(nv, 0.0)};
    }
  }
  const bool found = !parameters_.empty() && parameters_.back().law == &variation;
  if (found) return;
  fail(variation, fmt::format("there is no such joint with one degree of freedom; {}there are {}",
                              guess_for(variation.name, names), some_of(names)));
}

void VariedRuns::add_bodies(const Variation& variation) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < graph_.bodies.size(); ++i) {
    const GraphBody& body = graph_.bodies[i];
    if (body.mass.mass <= 0.0) continue;
    names.push_back(body.name);
    if (!variation.name.empty() && body.name != variation.name) continue;
    add(variation, body.name + ".mass", "kg", i, body.mass.mass);
  }
  varies_robot_ = true;
  if (!parameters_.empty() && parameters_.back().law == &variation) return;
  fail(variation, fmt::format("there is no link with mass of that name; {}there are {}",
                              guess_for(variation.name, names), some_of(names)));
}

/// Whether the scenario's drive has what is varied; no torques are constant ones of zero.
void VariedRuns::adapt_drive(const Variation& variation) {
  DriveSpec& drive = nominal_.actions.drive;
  switch (variation.what) {
    case What::torque:
      if (std::holds_alternative<FreeDrive>(drive) && nominal_.actions.held.steps.times.empty())
        drive = ConstantDrive{std::vector<double>(static_cast<std::size_t>(model_.nv()), 0.0)};
      if (!std::holds_alternative<ConstantDrive>(drive))
        fail(variation, "torques are varied of drives free and constant");
      return;
    case What::kp:
    case What::kd:
      if (gains_of(drive, variation.what) == nullptr)
        fail(variation, "gains are varied of drives pd and computed_torque");
      return;
    case What::target:
      if (!scenario_.drive.motion || scenario_.drive.motion->to.empty())
        fail(variation, "there is no motion with a 'to' in this scenario");
      if (const std::size_t n = scenario_.drive.motion->to.size(); n != 1 && n != static_cast<std::size_t>(model_.nv()))
        fail(variation, "give the motion's 'to' one number per degree of freedom");
      varies_target_ = true;
      return;
    default: return;
  }
}

double VariedRuns::draw_one(const VariedParameter& parameter, std::size_t k, long& repeated) const {
  const Variation& law = *parameter.law;
  const std::uint64_t name = mixed(mixed(mixed(scenario_.seed) + k) ^ parameter.key);
  for (std::uint64_t turn = 0;; ++turn, ++repeated) {
    const std::uint64_t a = mixed(name + 2 * turn), b = mixed(name + 2 * turn + 1);
    const double shift = law.law == Law::normal ? parameter.high * normal_number(a, b)
                                                : parameter.low + (parameter.high - parameter.low) * unit_number(a);
    const double value = parameter.nominal + (law.relative ? shift * parameter.nominal : shift);
    // nominal values are possible, so that every second draw is at least
    if (is_possible(law.what, value)) return value;
  }
}

DrawnNumbers VariedRuns::draw(std::size_t k) const {
  DrawnNumbers drawn;
  drawn.values.reserve(parameters_.size());
  for (const VariedParameter& parameter : parameters_) drawn.values.push_back(draw_one(parameter, k, drawn.repeated));
  return drawn;
}

EnsembleRun VariedRuns::run(std::size_t k) const {
  EnsembleRun run{.q0 = nominal_.q0, .v0 = nominal_.v0, .friction = nominal_.actions.friction, .drawn = draw(k)};
  const std::vector<double>& drawn = run.drawn.values;
  run.seed = mixed(mixed(scenario_.seed) + k);
  if (varies_target_) {
    Scenario own = scenario_;
    JointNumbers& to = own.drive.motion->to;
    to.resize(static_cast<std::size_t>(model_.nv()), to[0]);
    for (std::size_t i = 0; i < drawn.size(); ++i)
      if (parameters_[i].law->what == What::target) to[parameters_[i].index] = drawn[i];
    run.drive = setup_of(own, model_).actions.drive;
  }
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    const VariedParameter& parameter = parameters_[i];
    switch (parameter.law->what) {
      case What::position: run.q0[static_cast<std::size_t>(model_.q_of_v()[parameter.index])] = drawn[i]; break;
      case What::velocity: run.v0[parameter.index] = drawn[i]; break;
      case What::friction: run.friction.viscous[parameter.index] = drawn[i] - parameter.nominal; break;
      case What::coulomb: run.friction.coulomb[parameter.index] = drawn[i] - parameter.nominal; break;
      default: apply_to_drive(parameter, drawn[i], run);
    }
  }
  if (varies_robot_) run.model = robot(drawn);
  return run;
}

std::vector<int> VariedRuns::varied_bodies() const {
  std::vector<int> bodies;
  for (const VariedParameter& parameter : parameters_) {
    if (parameter.law->what == What::payload) bodies.push_back(model_.tip().body);
    if (parameter.law->what != What::mass) continue;
    for (const Frame& link : model_.links())
      if (link.name == graph_.bodies[parameter.index].name) bodies.push_back(link.body);
  }
  std::ranges::sort(bodies);
  bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
  std::erase_if(bodies, [](int body) { return body < 0; });  // the ground does not move
  return bodies;
}

void VariedRuns::apply_to_drive(const VariedParameter& parameter, double value, EnsembleRun& run) const {
  const What what = parameter.law->what;
  if (what != What::torque && what != What::kp && what != What::kd) return;
  if (!run.drive) run.drive = nominal_.actions.drive;
  if (what == What::torque)
    std::get<ConstantDrive>(*run.drive).torque[parameter.index] = value;
  else
    (*gains_of(*run.drive, what))[parameter.index] = value;
}

std::shared_ptr<const Model> VariedRuns::robot(std::span<const double> values) const {
  Graph graph = graph_;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (parameters_[i].law->what == What::mass) set_mass(graph.bodies[parameters_[i].index].mass, values[i]);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (parameters_[i].law->what == What::payload) add_payload(graph, {model_.tip().name, {.mass = values[i]}});
  return std::make_shared<const Model>(build(graph));
}

}  // namespace ulna
