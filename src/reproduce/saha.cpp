#include "reproduce/saha_counts.hpp"

namespace ulna::reproduction {

std::vector<SectionMaker> saha_sections() { return {{saha_table_one}, {saha_step_counts}}; }

}  // namespace ulna::reproduction
