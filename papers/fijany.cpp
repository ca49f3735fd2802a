#include "papers/fijany_factorisation.hpp"
#include "papers/fijany_scaling.hpp"

namespace ulna::reproduction {

std::vector<SectionMaker> fijany_sections() {
  return {{fijany_factorisation}, {fijany_floating_base}, {fijany_exactness},  {fijany_accuracy},
          {fijany_critical_path}, {fijany_serial_cost},   {fijany_time, false}};
}

}  // namespace ulna::reproduction
