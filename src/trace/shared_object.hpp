// C source to a loaded shared object, through a cache in the user's folder.
#pragma once

#include <memory>
#include <string>

namespace ulna::trace {

/// A loaded object; functions stay valid as long as it lives.
class SharedObject {
 public:
  explicit SharedObject(void* handle) : handle_(handle) {}
  ~SharedObject();  // NOLINT(performance-trivially-destructible): where code is loaded it is not
  SharedObject(const SharedObject&) = delete;
  SharedObject& operator=(const SharedObject&) = delete;

  /// nullptr if there is none of this name.
  void* find(const std::string& name) const;

 private:
  void* handle_;
};

struct LoadedObject {
  std::shared_ptr<SharedObject> object;  // nullptr: `note` says why
  std::string note;
};

/// Compiles unless the cache holds it, and loads. `scheduled`: the compiler is to order instructions
/// before it gives them registers (gcc; others do as they like).
LoadedObject compile_and_load(const std::string& source, bool scheduled);

}  // namespace ulna::trace
