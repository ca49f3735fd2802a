#include "papers/mujoco_engine.hpp"

#include "peers/peer_module.hpp"

namespace ulna::reproduction {

EngineAnswer simulate_with_mujoco(const PdTask& task) {
  EngineAnswer answer;
  const std::shared_ptr<trace::SharedObject> module = peers::open_module(peers::mujoco);
  if (module == nullptr) {
    answer.refusal = "MuJoCo was not there when Ulna was built, or is not now (Debian: libmujoco-dev)";
    return answer;
  }
  auto* simulate = reinterpret_cast<SimulatePd*>(module->find(simulate_pd_function));
  const char* refusal = simulate == nullptr ? "the module is of another version" : simulate(&task, &answer.samples);
  if (refusal != nullptr) answer.refusal = refusal;
  return answer;
}

}  // namespace ulna::reproduction
