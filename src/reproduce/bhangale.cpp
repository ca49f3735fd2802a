#include "reproduce/bhangale_arms.hpp"
#include "reproduce/bhangale_counts.hpp"

namespace ulna::reproduction {

std::vector<SectionMaker> bhangale_sections() {
  return {{bhangale_elements},           {bhangale_complexities},        {bhangale_appendix},
          {bhangale_planar_arms, false}, {bhangale_spatial_arms, false}, {bhangale_torques},
          {bhangale_time, false}};
}

}  // namespace ulna::reproduction
