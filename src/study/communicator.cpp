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

/// A rank found in a call of all that another has failed.
struct OtherFailed {};

/// Before each call of all ranks together they tell each other whether one has failed, which comes to no such call any
/// more.
class WatchedRanks final : public Communicator {
 public:
  explicit WatchedRanks(Communicator& ranks) : ranks_(ranks) {}

  int rank() const override { return ranks_.rank(); }
  int size() const override { return ranks_.size(); }
  int ranks_here() const override { return ranks_.ranks_here(); }
  std::uint64_t add(Tally tally, std::uint64_t more) override { return ranks_.add(tally, more); }
  bool goes_on() override { return ranks_.goes_on(); }
  void stop() override { ranks_.stop(); }
  void begin() override {
    expect_no_failure();
    ranks_.begin();
  }
  void sum(std::span<std::int64_t> numbers) override {
    expect_no_failure();
    ranks_.sum(numbers);
  }
  std::vector<std::string> gather(const std::string& own) override {
    expect_no_failure();
    return ranks_.gather(own);
  }

  /// Whether one has; every rank asks as often as the others.
  bool any_failed(bool own) {
    std::array<std::int64_t, 1> failed{own ? 1 : 0};
    ranks_.sum(failed);
    return failed[0] > 0;
  }

 private:
  void expect_no_failure() {
    if (any_failed(false)) throw OtherFailed{};
  }

  Communicator& ranks_;
};

/// What went wrong in a piece of work.
struct Failure {
  std::string text;          // packed; empty: nothing
  std::exception_ptr error;  // the same
};

Failure failure_of(const std::function<void()>& work) {
  try {
    work();
    return {};
  } catch (const OtherFailed&) {
    throw;
  } catch (const InputError& error) {
    return {packed_error(error.findings().front()), std::current_exception()};
  } catch (const std::exception& error) {
    return {packed_error({Finding::Severity::error, "", error.what(), "", {}, false}), std::current_exception()};
  } catch (...) {  // such as a word to stop
    return {packed_error({Finding::Severity::error, "", "the work was ended", "", {}, false}),
            std::current_exception()};
  }
}

/// Throws on all ranks if there is a failure on any.
void end_together(Communicator& ranks, const Failure& own) {
  const std::vector<std::string> all = ranks.gather(own.text);
  const auto first = std::find_if(all.begin(), all.end(), [](const std::string& one) { return !one.empty(); });
  if (first == all.end()) return;
  if (ranks.rank() != 0) throw FailedElsewhere{};
  if (own.error) std::rethrow_exception(own.error);
  throw unpacked_error(*first);
}

}  // namespace

void all_succeed(Communicator& ranks, const std::function<void()>& work) { end_together(ranks, failure_of(work)); }

void all_succeed_together(Communicator& ranks, const std::function<void(Communicator& together)>& work) {
  WatchedRanks watched(ranks);
  Failure own;
  try {
    own = failure_of([&] { work(watched); });
    watched.any_failed(own.error != nullptr);  // others may wait in a call of all
  } catch (const OtherFailed&) {
  }
  end_together(ranks, own);
}

}  // namespace ulna
