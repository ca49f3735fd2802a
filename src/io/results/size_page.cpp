#include "io/results/size_page.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "io/results/book.hpp"
#include "io/results/figure.hpp"
#include "model/number_uses.hpp"

namespace ulna::sizing {

namespace {

class SizePage {
 public:
  SizePage(const Model& model, const CycleMotion& motion, const Catalogue& catalogue,
           const std::vector<MotorDemand>& motors, double margin)
      : model_(model),
        motion_(motion),
        catalogue_(catalogue),
        motors_(motors),
        margin_(margin),
        uses_(rate_uses(model)),
        n_(uses_.size()) {}

  std::string html(const std::string& title) const {
    Book book(title);
    book.paragraph(fmt::format("A cycle of {} takes {:.4g} s.", model_.name(), motion_.t.back()));
    for (const std::string& note : motion_.notes) book.paragraph(note);
    if (!motors_.empty()) add_motors(book);
    book.heading(2, "What the cycle asks of the joints");
    add_joints(book);
    book.heading(2, "Over the cycle");
    const auto torque = [this](std::size_t k, std::size_t i) { return motion_.tau[k * n_ + i]; };
    const auto speed = [this](std::size_t k, std::size_t i) { return motion_.v[k * n_ + i]; };
    const auto power = [&](std::size_t k, std::size_t i) { return torque(k, i) * speed(k, i); };
    book.figures({svg_of(over_time("torque", "N m or N", torque)), svg_of(over_time("speed", "rad/s or m/s", speed)),
                  svg_of(over_time("power", "W", power))},
                 "Power above zero is what the joints give, below zero what comes back.");
    return book.html();
  }

 private:
  template <class Value>
  Plot over_time(const char* title, const char* unit, const Value& value) const {
    Plot plot{.title = title, .x_label = "t (s)", .y_label = unit, .curves = {}};
    for (std::size_t i = 0; i < n_; ++i) {
      Curve curve{uses_[i].joint, motion_.t, {}};
      for (std::size_t k = 0; k < motion_.t.size(); ++k) curve.y.push_back(value(k, i));
      plot.curves.push_back(std::move(curve));
    }
    return plot;
  }

  void add_joints(Book& book) const {
    std::vector<std::vector<Cell>> rows;
    const std::vector<JointDemand> list = demands(motion_);
    for (std::size_t i = 0; i < n_; ++i) {
      const JointDemand& joint = list[i];
      std::vector<Cell> row{uses_[i].joint};
      for (const double x :
           {joint.peak, joint.rms, joint.speed, joint.power, joint.energy, joint.energy - joint.net_energy})
        row.emplace_back(fmt::format("{:.4g}", x));
      rows.push_back(std::move(row));
    }
    book.table({"joint", "peak N m or N", "rms", "speed rad/s or m/s", "power W", "energy J", "fed back J"}, rows,
               "Energy of a cycle when nothing is fed back, and what comes back where everything is.");
  }

  void add_motors(Book& book) const {
    book.heading(2, "Motors");
    std::vector<std::vector<Cell>> rows;
    BarChart chart{
        .title = "what is asked, in percent of what the motor gives", .y_label = "%", .groups = {}, .series = {}};
    for (const char* what : {"torque at its speed", "heat", "speed"}) chart.series.push_back({what, {}});
    for (std::size_t i = 0; i < n_; ++i) {
      const MotorDemand& demand = motors_[i];
      const std::array<double, 3> shares{demand.torque_share, demand.thermal_share, demand.speed_share};
      std::vector<Cell> row{uses_[i].joint, catalogue_.motors[demand.motor].name,
                            fmt::format("{:.4g}", catalogue_.gears[demand.gear].ratio)};
      for (const double x : {demand.peak, demand.rms, demand.speed}) row.emplace_back(fmt::format("{:.4g}", x));
      for (std::size_t k = 0; k < shares.size(); ++k) {
        row.emplace_back(fmt::format("{:.0f} %", 100.0 * shares[k]),
                         margin_ * shares[k] > 1.0 ? Cell::Mark::bad : Cell::Mark::none);
        chart.series[k].values.push_back(100.0 * shares[k]);
      }
      row.emplace_back(fmt::format("{:.4g}", demand.energy));
      chart.groups.push_back(uses_[i].joint);
      rows.push_back(std::move(row));
    }
    book.table({"joint", "motor", "gear", "peak N m", "rms", "speed rad/s", "of its torque", "of its heat",
                "of its speed", "energy J"},
               rows,
               margin_ > 1.0 ? fmt::format("At the motor's shaft. A motor is to give {:.4g} times what is asked: "
                                           "at most {:.0f} % may be asked.",
                                           margin_, 100.0 / margin_)
                             : std::string("At the motor's shaft."));
    std::vector<std::string> pictures{svg_of(chart)};
    constexpr double still = 1e-6;  // rad/s
    std::string at_rest;
    for (std::size_t i = 0; i < n_; ++i) {
      if (motors_[i].speed > still)
        pictures.push_back(svg_of(torque_over_speed(i)));
      else
        at_rest += (at_rest.empty() ? "" : ", ") + uses_[i].joint;
    }
    book.figures(pictures,
                 "Magnitudes at the motor's shaft over the cycle, below what the motor can give for a moment and all "
                 "the time; the root mean square of the torque must stay below the latter.");
    if (!at_rest.empty()) book.paragraph("Joints that rest all the time have no picture: " + at_rest + ".");
  }

  Plot torque_over_speed(std::size_t i) const {
    const MotorDemand& demand = motors_[i];
    const Motor& motor = catalogue_.motors[demand.motor];
    const Gear& gear = catalogue_.gears[demand.gear];
    Curve cycle{"cycle", {}, {}};
    for (std::size_t k = 0; k < motion_.t.size(); ++k) {
      const std::size_t at = k * n_ + i;
      const ShaftState shaft =
          shaft_at(motion_.v[at], motion_.a[at], motion_.tau[at], model_.armature()[i], motor, gear);
      cycle.x.push_back(std::abs(shaft.speed));
      cycle.y.push_back(std::abs(shaft.torque));
    }
    const double top = std::max(motor.speed, demand.speed);
    return {
        .title = fmt::format("{}: {}, gear {:.4g}", uses_[i].joint, motor.name, gear.ratio),
        .x_label = "speed of the motor (rad/s)",
        .y_label = "N m",
        .curves = {std::move(cycle),
                   {"for a moment", {0.0, motor.full_speed, motor.speed}, {motor.peak_torque, motor.peak_torque, 0.0}},
                   {"all the time", {0.0, motor.speed}, {motor.torque, motor.torque}, Curve::Style::dashed},
                   {"rms", {0.0, top}, {demand.rms, demand.rms}, Curve::Style::dashed}}};
  }

  const Model& model_;
  const CycleMotion& motion_;
  const Catalogue& catalogue_;
  const std::vector<MotorDemand>& motors_;
  double margin_;
  std::vector<NumberUse> uses_;
  std::size_t n_;
};

}  // namespace

std::string size_page(const std::string& title, const Model& model, const CycleMotion& motion,
                      const Catalogue& catalogue, const std::vector<MotorDemand>& motors, double margin) {
  return SizePage(model, motion, catalogue, motors, margin).html(title);
}

}  // namespace ulna::sizing
