// The default classes of an MJCF file: what an element does not say, its class or a class around that may.
#pragma once

#include <map>
#include <string>

#include "io/xml/xml.hpp"

#pragma GCC visibility push(hidden)
namespace ulna {

/// All kinds of actuators share one set of defaults.
bool is_mjcf_actuator(std::string_view tag);

class MjcfDefaults {
 public:
  explicit MjcfDefaults(const XmlElement& root);

  /// The element with what its class says beside: the one that it names, else `around` (a body's childclass), else the
  /// outermost. Throws InputError for a class that is not there.
  XmlElement completed(const XmlElement& element, const std::string& around) const;

  /// Throws InputError, naming the element, unless there is such a class.
  void expect_class(const XmlElement& element, const std::string& name) const;

 private:
  using Values = std::map<std::string, std::string, std::less<>>;
  using Class = std::map<std::string, Values, std::less<>>;  // by tag

  void add(const XmlElement& element, const Class& outer, std::size_t depth);

  std::map<std::string, Class, std::less<>> classes_;
  std::string outermost_ = "main";
};

}  // namespace ulna
#pragma GCC visibility pop
