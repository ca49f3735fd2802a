#include "papers/bhangale_arms.hpp"
#include "papers/bhangale_counts.hpp"

namespace ulna::reproduction {

std::vector<SectionMaker> bhangale_sections() {
  return {{bhangale_elements},           {bhangale_complexities},        {bhangale_appendix},
          {bhangale_planar_arms, false}, {bhangale_spatial_arms, false}, {bhangale_torques},
          {bhangale_time, false}};
}

}  // namespace ulna::reproduction
