// A design sweep for people (texts, a page with pictures) and for programs (a table, JSON).
#pragma once

#include <span>
#include <string>

#include "output_folder.hpp"
#include "ulna/study/select/design_summary.hpp"

namespace ulna::selection {

/// How many arms there are, how many cannot be compared or cannot do the task, and which one leads.
std::string verdict(const DesignSweep& sweep, const DesignSummary& summary);
/// At most `most` points of the front, evenly spread over it, its ends among them.
std::vector<DesignSummary::Point> some_of(std::span<const DesignSummary::Point> front, std::size_t most);

std::string design_page(const DesignSweep& sweep, const DesignSummary& summary);

/// sweep.csv, report.html and select.json, in the place of an earlier result. `rows`: all arms.
void put_in_place(const OutputFolder& folder, const std::string& path, const DesignSweep& sweep,
                  const DesignSummary& summary, const DesignRows& rows);

}  // namespace ulna::selection
