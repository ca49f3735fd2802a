// The text that a robot's name stands for.
#pragma once

#include <optional>
#include <string>

#include "ulna/io/robot/format.hpp"

namespace ulna {

struct RobotText {
  std::string text;
  std::string file;           // what messages call it
  std::string name;           // what the robot is called where the text does not say
  const RobotFormat& format;  // what the text is written in
};

/// Of a file, a stream or a bundled robot; nothing for one that is made by a rule (generated.hpp). Throws InputError
/// for a robot that is not known.
std::optional<RobotText> robot_text(const std::string& robot);

}  // namespace ulna
