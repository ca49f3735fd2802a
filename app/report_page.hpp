// The report's page as this build has it.
#pragma once

#include <string_view>

#include "report/page.hpp"

namespace ulna::app {

/// Empty where the page was left out of the build.
inline std::string_view report_page_of_build() {
#if defined(ULNA_REPORT)
  return report_page();
#else
  return {};
#endif
}

}  // namespace ulna::app
