#include "ulna/mpi.hpp"

#include <chrono>
#include <cstring>
#include <limits>
#include <thread>

#include "study/mpi_module.hpp"
#include "ulna/version.hpp"

namespace ulna {

namespace {

/// Tallies and the word to stop are in a window of the first rank, which every rank reads and changes one-sidedly.
/// Where the network has no atomics of its own, the first rank serves them whenever it is in goes_on().
class MpiCommunicator final : public Communicator {
 public:
  /// `ends`: leave() is the end of MPI too.
  MpiCommunicator(MPI_Comm comm, bool ends) : ends_(ends), thread_(std::this_thread::get_id()) {
    MPI_Comm_dup(comm, &comm_);
    MPI_Comm_rank(comm_, &rank_);
    MPI_Comm_size(comm_, &size_);
    MPI_Comm here = MPI_COMM_NULL;
    MPI_Comm_split_type(comm_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &here);
    MPI_Comm_size(here, &ranks_here_);
    MPI_Comm_free(&here);
    int level = MPI_THREAD_SINGLE;
    MPI_Query_thread(&level);
    any_thread_ = level >= MPI_THREAD_SERIALIZED;
    const MPI_Aint bytes = rank_ == 0 ? places * static_cast<MPI_Aint>(sizeof(std::uint64_t)) : 0;
    MPI_Win_allocate(bytes, sizeof(std::uint64_t), MPI_INFO_NULL, comm_, &memory_, &window_);
    if (rank_ == 0) std::memset(memory_, 0, static_cast<std::size_t>(bytes));
    MPI_Win_lock_all(MPI_MODE_NOCHECK, window_);
    MPI_Win_sync(window_);
    MPI_Barrier(comm_);
  }

  ~MpiCommunicator() override {
    int finalised = 0;
    MPI_Finalized(&finalised);
    if (ends_ || finalised != 0) return;  // MPI is at its end, or the process ends without it
    release();
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  int ranks_here() const override { return ranks_here_; }

  std::uint64_t add(Tally tally, std::uint64_t more) override { return change(static_cast<MPI_Aint>(tally), more); }

  bool goes_on() override {
    if (stopped_) return false;
    if (!any_thread_ && std::this_thread::get_id() != thread_) return true;
    int arrived = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm_, &arrived, MPI_STATUS_IGNORE);  // lets MPI work
    const auto now = std::chrono::steady_clock::now();
    if (now - looked_ < std::chrono::milliseconds(20)) return true;
    looked_ = now;
    stopped_ = change(stop_place, 0) != 0;
    return !stopped_;
  }

  void stop() override {
    change(stop_place, 1);
    stopped_ = true;
  }

  void begin() override {
    MPI_Barrier(comm_);
    if (rank_ == 0)
      for (MPI_Aint place = 0; place < places; ++place) change(place, std::uint64_t{0} - change(place, 0));
    stopped_ = false;
    MPI_Barrier(comm_);
  }

  void sum(std::span<std::int64_t> numbers) override {
    constexpr std::size_t most = 1 << 24;
    for (; !numbers.empty(); numbers = numbers.subspan(std::min(most, numbers.size())))
      MPI_Allreduce(MPI_IN_PLACE, numbers.data(), static_cast<int>(std::min(most, numbers.size())), MPI_INT64_T,
                    MPI_SUM, comm_);
  }

  std::vector<std::string> gather(const std::string& own) override {
    const int length = static_cast<int>(std::min<std::size_t>(own.size(), std::numeric_limits<int>::max() / 2));
    std::vector<int> lengths(static_cast<std::size_t>(size_)), places_of(lengths.size());
    MPI_Allgather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, comm_);
    int all = 0;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      places_of[i] = all;
      all += lengths[i];
    }
    std::string text(static_cast<std::size_t>(all), '\0');
    MPI_Allgatherv(own.data(), length, MPI_CHAR, text.data(), lengths.data(), places_of.data(), MPI_CHAR, comm_);
    std::vector<std::string> texts;
    texts.reserve(lengths.size());
    for (std::size_t i = 0; i < lengths.size(); ++i)
      texts.push_back(text.substr(static_cast<std::size_t>(places_of[i]), static_cast<std::size_t>(lengths[i])));
    return texts;
  }

  void leave() override {
    if (!ends_) return;
    release();
    MPI_Finalize();
  }

 private:
  static constexpr MPI_Aint stop_place = 3, places = 4;

  std::uint64_t change(MPI_Aint place, std::uint64_t more) {
    std::uint64_t before = 0;
    MPI_Fetch_and_op(&more, &before, MPI_UINT64_T, 0, place, MPI_SUM, window_);
    MPI_Win_flush(0, window_);
    return before;
  }

  void release() {
    if (comm_ == MPI_COMM_NULL) return;
    MPI_Win_unlock_all(window_);
    MPI_Win_free(&window_);
    MPI_Comm_free(&comm_);
  }

  bool ends_, any_thread_ = true;
  std::thread::id thread_;
  MPI_Comm comm_ = MPI_COMM_NULL;
  MPI_Win window_ = MPI_WIN_NULL;
  std::uint64_t* memory_ = nullptr;
  int rank_ = 0, size_ = 1, ranks_here_ = 1;
  bool stopped_ = false;
  std::chrono::steady_clock::time_point looked_{};
};

}  // namespace

std::unique_ptr<Communicator> mpi_communicator(MPI_Comm comm) { return std::make_unique<MpiCommunicator>(comm, false); }

extern "C" {

__attribute__((visibility("default"))) const char* ulna_mpi_version() { return version; }

__attribute__((visibility("default"))) Communicator* ulna_mpi_world() {
  int begun = 0;
  MPI_Initialized(&begun);
  int level = MPI_THREAD_SINGLE;
  if (begun == 0) MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &level);
  return new MpiCommunicator(MPI_COMM_WORLD, begun == 0);
}

__attribute__((visibility("default"))) Communicator* ulna_mpi_ranks(const void* comm) {
  return new MpiCommunicator(*static_cast<const MPI_Comm*>(comm), false);
}

}  // extern "C"

}  // namespace ulna
