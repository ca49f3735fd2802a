// The explicit methods of the registry.
#pragma once

#include <vector>

#include "ulna/integrate/integrator.hpp"

namespace ulna::test {

inline std::vector<const Tableau*> explicit_tableaux() {
  std::vector<const Tableau*> tableaux;
  for (const IntegratorInfo& info : integrators())
    if (const Tableau* tableau = explicit_tableau(info.name)) tableaux.push_back(tableau);
  return tableaux;
}

}  // namespace ulna::test
