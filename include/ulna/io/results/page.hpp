// The page of the reports, as this build has it.
#pragma once

#include <string_view>

namespace ulna {

/// The report page without its data: an HTML text with the placeholder /*ULNA_DATA*/ once, to be
/// replaced by a run as web/README.md describes it. Lives as long as the program. Empty where the page was left out of
/// the build.
std::string_view report_page();

}  // namespace ulna
