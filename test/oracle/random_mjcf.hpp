// Random robots as MJCF text: every spelling of orientations, classes within classes, several joints on a body,
// inertias given or from geoms.
#pragma once

#include <fmt/format.h>

#include <random>
#include <string>

namespace ulna::test {

enum class Inertias { principal, any };

class RandomMjcf {
 public:
  RandomMjcf(std::uint64_t seed, Inertias inertias) : random_(seed), inertias_(inertias) {}

  std::string text() {
    degrees_ = coin();
    const char* orders[] = {"xyz", "zyx", "XYZ", "zxz", "ZyX"};
    std::string out = fmt::format("<mujoco model=\"random\">\n<compiler angle=\"{}\" eulerseq=\"{}\"{}{}/>\n",
                                  degrees_ ? "degree" : "radian", orders[pick(5)],
                                  coin() ? " settotalmass=\"7.5\"" : "", coin() ? " boundmass=\"0.01\"" : "");
    out += fmt::format("<option gravity=\"{}\"/>\n", triple(10.0));
    out += fmt::format("<default><joint armature=\"{}\"/><geom density=\"{}\"/>\n", positive(0.1), positive(2000.0));
    out += fmt::format("<default class=\"stiff\"><joint stiffness=\"{}\" springref=\"{}\" type=\"slide\"/>\n",
                       positive(5.0), uniform(1.0));
    out += fmt::format("<default class=\"damped\"><joint damping=\"{}\" type=\"hinge\"/>", positive(2.0));
    out += "<geom type=\"box\" size=\"0.1 0.2 0.3\"/><default class=\"turned\"><geom euler=\"1 2 3\"/></default>\n";
    out += "</default></default></default>\n<worldbody>\n";
    out += body(0, coin());
    if (coin()) out += body(0, false);
    return out + "</worldbody>\n</mujoco>\n";
  }

 private:
  double uniform(double size) { return std::uniform_real_distribution<double>(-size, size)(random_); }
  double positive(double size) { return std::uniform_real_distribution<double>(0.2 * size, size)(random_); }
  bool coin() { return pick(2) == 0; }
  int pick(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random_); }
  std::string triple(double size) { return fmt::format("{} {} {}", uniform(size), uniform(size), uniform(size)); }
  double angle() { return uniform(degrees_ ? 180.0 : 3.0); }

  std::string orientation() {
    switch (pick(7)) {
      case 0: return fmt::format(" quat=\"{} {}\"", positive(1.0), triple(1.0));
      case 1: return fmt::format(" axisangle=\"{} {}\"", triple(1.0), angle());
      case 2: return fmt::format(" euler=\"{} {} {}\"", angle(), angle(), angle());
      case 3: return fmt::format(" xyaxes=\"{} {}\"", triple(1.0), triple(1.0));
      case 4: return fmt::format(" zaxis=\"{}\"", triple(1.0));
      case 5: return " quat=\"1 -1 0 0\"";
      default: return "";
    }
  }
  std::string place() { return fmt::format(" pos=\"{}\"{}", triple(0.5), orientation()); }

  std::string joint(bool may_be_ball) {
    const std::string name = fmt::format("j{}", ++joints_);
    const int kind = pick(may_be_ball ? 5 : 4);
    if (kind == 4)
      return fmt::format("<joint name=\"{}\" type=\"ball\" stiffness=\"0\" pos=\"{}\" damping=\"{}\"/>\n", name,
                         triple(0.2), positive(1.0));
    const std::string type = kind == 0   ? " class=\"stiff\""
                             : kind == 1 ? " class=\"damped\""
                             : kind == 2 ? " type=\"slide\""
                                         : "";
    return fmt::format("<joint name=\"{}\"{} pos=\"{}\" axis=\"{}\"{}/>\n", name, type, triple(0.2), triple(1.0),
                       coin() ? fmt::format(" ref=\"{}\"", uniform(2.0)) : "");
  }

  std::string inertial() {
    const double a = positive(0.1), b = positive(0.1), c = std::max(a, b) * 1.01;  // a body can have these
    if (inertias_ == Inertias::any && coin())
      return fmt::format("<inertial pos=\"{}\" mass=\"{}\" fullinertia=\"{} {} {} {} {} {}\"/>\n", triple(0.3),
                         positive(3.0), a + 0.1, b + 0.1, c + 0.1, uniform(0.02), uniform(0.02), uniform(0.02));
    return fmt::format("<inertial{} mass=\"{}\" diaginertia=\"{} {} {}\"/>\n", place(), positive(3.0), a, b, c);
  }

  std::string geom() {
    switch (pick(8)) {
      case 0: return fmt::format("<geom size=\"{}\"{}/>\n", positive(0.2), place());
      case 1: return fmt::format("<geom type=\"capsule\" size=\"{} {}\"{}/>\n", positive(0.1), positive(0.3), place());
      case 2:
        return fmt::format("<geom type=\"capsule\" size=\"{}\" fromto=\"{} {}\"/>\n", positive(0.1), triple(0.3),
                           triple(0.3));
      case 3:
        return fmt::format("<geom type=\"cylinder\" size=\"{}\" fromto=\"{} {}\" mass=\"{}\"/>\n", positive(0.1),
                           triple(0.3), triple(0.3), positive(2.0));
      case 4:
        return fmt::format("<geom type=\"ellipsoid\" size=\"{} {} {}\"{}/>\n", positive(0.1), positive(0.2),
                           positive(0.3), place());
      case 5:
        return fmt::format("<geom type=\"box\" size=\"{}\" fromto=\"{} {}\"/>\n", positive(0.1), triple(0.3),
                           triple(0.3));
      case 6: return fmt::format("<geom class=\"turned\" mass=\"{}\" pos=\"{}\"/>\n", positive(2.0), triple(0.3));
      default:
        return fmt::format("<geom type=\"cylinder\" size=\"{} {}\"{} density=\"{}\"/>\n", positive(0.1), positive(0.3),
                           place(), positive(900.0));
    }
  }

  std::string body(int depth, bool is_free) {
    std::string out =
        fmt::format("<body name=\"b{}\"{}{}>\n", ++bodies_, place(), pick(4) == 0 ? " childclass=\"damped\"" : "");
    if (is_free) {
      out += fmt::format("<freejoint name=\"j{}\"/>\n", ++joints_);
    } else {
      const int count = pick(4);  // 0: fixed
      for (int k = 0; k < count; ++k) out += joint(k + 1 == count);
    }
    const bool from_geoms = inertias_ == Inertias::any && coin();
    out += from_geoms ? geom() + (coin() ? geom() : "") : inertial();
    out += fmt::format("<site name=\"s{}\"{}/>\n", bodies_, place());
    const int children = depth == 0 ? 1 + pick(2) : depth < 4 ? pick(3) : 0;
    for (int k = 0; k < children; ++k) out += body(depth + 1, false);
    if (depth == 0)
      out +=
          fmt::format("<body name=\"last{0}\"><joint name=\"l{0}\" axis=\"0 1 0\"/>{1}</body>\n", bodies_, inertial());
    return out + "</body>\n";
  }

  std::mt19937_64 random_;
  Inertias inertias_;
  bool degrees_ = true;
  int bodies_ = 0, joints_ = 0;
};

}  // namespace ulna::test
