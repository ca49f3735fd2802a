#include "ulna/study/communicator.hpp"

#include <algorithm>
#include <exception>

#include "base/packed_bytes.hpp"
#include "ulna/base/error.hpp"

namespace ulna {

namespace {

std::string packed_error(const Finding& finding) {
  Packer packer;
  packer.text(finding.source.file);
  packer.number(std::int64_t{finding.source.line});
  packer.text(finding.link);
  packer.text(finding.reason);
  packer.text(finding.remedy);
  return packer.take();
}

InputError unpacked_error(const std::string& text) {
  Unpacker from(text);
  Finding finding{Finding::Severity::error, "", "", "", {}, false};
  finding.source.file = from.text();
  finding.source.line = static_cast<int>(from.number<std::int64_t>());
  finding.link = from.text();
  finding.reason = from.text();
  finding.remedy = from.text();
  return InputError({finding});
}

}  // namespace

void all_succeed(Communicator& ranks, const std::function<void()>& work) {
  std::string text;
  std::exception_ptr own;
  try {
    work();
  } catch (const InputError& error) {
    text = packed_error(error.findings().front());
    own = std::current_exception();
  } catch (const std::exception& error) {
    text = packed_error({Finding::Severity::error, "", error.what(), "", {}, false});
    own = std::current_exception();
  }
  const std::vector<std::string> all = ranks.gather(text);
  const auto first = std::find_if(all.begin(), all.end(), [](const std::string& one) { return !one.empty(); });
  if (first == all.end()) return;
  if (ranks.rank() != 0) throw FailedElsewhere{};
  if (own) std::rethrow_exception(own);
  throw unpacked_error(*first);
}

}  // namespace ulna
