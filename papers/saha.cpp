#include "papers/saha_counts.hpp"
#include "papers/saha_runs.hpp"
#include "papers/saha_steps.hpp"

namespace ulna::reproduction {

std::vector<SectionMaker> saha_sections() {
  return {{saha_decomposition}, {saha_table_one},  {saha_step_counts}, {saha_printed_steps},
          {saha_puma_data},     {saha_planar_arm}, {saha_free_fall},   {saha_gravity},
          {saha_forced},        {saha_tip},        {saha_deviation}};
}

}  // namespace ulna::reproduction
