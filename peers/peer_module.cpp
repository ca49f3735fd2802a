#include "peers/peer_module.hpp"

#include <dlfcn.h>

namespace ulna::peers {

std::shared_ptr<trace::SharedObject> open_module(const PeerModule& module) {
  // Without a slash: the loader looks where the command's own library is.
  void* handle = dlopen(module.file, RTLD_NOW | RTLD_LOCAL);
  return handle == nullptr ? nullptr : std::make_shared<trace::SharedObject>(handle);
}

LoadedPeer load_peer(const PeerModule& module, const Graph& graph, const Model& model) {
  LoadedPeer loaded{open_module(module), {}};
  if (loaded.module == nullptr) {
    loaded.made.refusal = "was not there when Ulna was built, or is not now";
    return loaded;
  }
  auto* make = reinterpret_cast<MakePeer*>(loaded.module->find(make_peer_function));
  if (make == nullptr)
    loaded.made.refusal = "its module is of another version";
  else
    make(&graph, &model, &loaded.made);
  return loaded;
}

}  // namespace ulna::peers
