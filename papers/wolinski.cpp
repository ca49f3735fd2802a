#include "papers/wolinski_data.hpp"
#include "papers/wolinski_efficiency.hpp"
#include "papers/wolinski_equations.hpp"
#include "papers/wolinski_forward.hpp"
#include "papers/wolinski_inverse.hpp"
#include "papers/wolinski_other_engine.hpp"

namespace ulna::reproduction {

std::vector<SectionMaker> wolinski_sections() {
  return {{wolinski_equations},
          {wolinski_data},
          {wolinski_inverse},
          {wolinski_forward},
          {wolinski_other_engine, false},
          {wolinski_efficiency, false}};
}

}  // namespace ulna::reproduction
