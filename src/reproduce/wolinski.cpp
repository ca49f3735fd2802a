#include "reproduce/wolinski_data.hpp"
#include "reproduce/wolinski_efficiency.hpp"
#include "reproduce/wolinski_equations.hpp"
#include "reproduce/wolinski_forward.hpp"
#include "reproduce/wolinski_inverse.hpp"
#include "reproduce/wolinski_other_engine.hpp"

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
