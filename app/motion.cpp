#include "motion.hpp"

#include <fmt/format.h>

#include "command.hpp"
#include "interrupt.hpp"
#include "output.hpp"
#include "progress.hpp"

namespace ulna::app {

int tell_motion(const MotionFiles& files, bool json, const std::function<MotionRecord(const MotionProceed&)>& compute) {
  const InterruptGuard guard;
  const MotionRecord record = [&] {
    Progress progress(!json);
    return compute([&](const MotionProgress& at) {
      progress.at([&] { return fmt::format("{} rows, {:.0f} %", at.rows, 100.0 * at.share); });
      return !InterruptGuard::interrupted();
    });
  }();
  for (const auto& [joint, line, limits] : record.outside)
    fmt::print(stderr, "{}:{}: note: '{}' is outside its limits {:g} … {:g}\n", files.input, line, joint, limits.lower,
               limits.upper);
  if (!record.complete) fmt::print(stderr, "interrupted: {} holds the first {} rows\n", files.output, record.rows);
  json ? print_json({{"file", files.output}, {"rows", record.rows}})
       : fmt::print("wrote {} row{} to {}\n", record.rows, record.rows == 1 ? "" : "s", files.output);
  return record.complete ? 0 : InterruptGuard::exit_code();
}

}  // namespace ulna::app
