#include "reproduce/mujoco_engine.hpp"

#include <dlfcn.h>

#include "trace/shared_object.hpp"

namespace ulna::reproduction {

EngineAnswer simulate_with_mujoco(const PdTask& task) {
  EngineAnswer answer;
  // Without a slash: the loader looks where the command's own library is.
  void* handle = dlopen(mujoco_module, RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    answer.refusal = "MuJoCo was not there when Ulna was built, or is not now (Debian: libmujoco-dev)";
    return answer;
  }
  const trace::SharedObject module(handle);
  auto* simulate = reinterpret_cast<SimulatePd*>(module.find(mujoco_function));
  const char* refusal = simulate == nullptr ? "the module is of another version" : simulate(&task, &answer.samples);
  if (refusal != nullptr) answer.refusal = refusal;
  return answer;
}

}  // namespace ulna::reproduction
