// Tasks and catalogues of `ulna size`: read or refused in plain lines.
#include <cmath>

#include "target.hpp"
#include "ulna/study/size/motors.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ulna;
  const std::string text = fuzz::text_of(data, size);
  fuzz::try_input([&] {
    const sizing::Cycle cycle = sizing::parse_cycle(text, "cycle.toml");
    fuzz::expect(!cycle.segments.empty() && cycle.every > 0.0, "a cycle has segments");
    for (const sizing::Segment& segment : cycle.segments) {
      fuzz::expect(segment.payload >= 0.0 && std::isfinite(segment.payload), "payloads are masses");
      fuzz::expect((!segment.to.empty()) + (!segment.points.empty()) + (segment.dwell > 0.0) == 1, "one kind each");
    }
  });
  fuzz::try_input([&] {
    const sizing::Catalogue catalogue = sizing::parse_catalogue(text, "motors.toml");
    fuzz::expect(!catalogue.motors.empty() && !catalogue.gears.empty(), "there is something to choose from");
    for (const sizing::Motor& motor : catalogue.motors)
      fuzz::expect(motor.torque > 0.0 && motor.peak_torque >= motor.torque && motor.full_speed <= motor.speed,
                   "motors give what they say");
  });
  return 0;
}
