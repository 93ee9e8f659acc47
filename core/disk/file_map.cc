#include "disk/file_map.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <mutex>
#include <utility>
#include <vector>

namespace seamark {
namespace {

// The handler may run at any time, in any thread, so it uses only atomics. Linux allows 65,530 maps.
constexpr std::size_t kMaxMaps = 65536;

struct Slot {
  std::atomic<std::uintptr_t> start{0};
  std::atomic<std::uintptr_t> end{0};
  std::atomic<bool> is_truncated{false};
};

Slot slots[kMaxMaps];
std::atomic<std::size_t> used_slots{0};  // slots after these were never used
std::atomic<std::uint64_t> truncated_count{0};
std::uintptr_t page_bytes = 4096;
struct sigaction earlier_action;

std::mutex& slots_mutex() {
  static std::mutex lock;
  return lock;
}

std::vector<std::size_t>& free_slots() {
  static std::vector<std::size_t> free;
  return free;
}

// Maps zeros from the missing page to the end of the map. True if the address is in one of our maps.
bool replace_missing_pages(std::uintptr_t address) {
  const std::size_t used = used_slots.load(std::memory_order_acquire);
  for (std::size_t i = 0; i < used; ++i) {
    const std::uintptr_t end = slots[i].end.load(std::memory_order_acquire);
    if (address < slots[i].start.load(std::memory_order_acquire) || address >= end) continue;
    const std::uintptr_t page = address & ~(page_bytes - 1);
    void* const start = reinterpret_cast<void*>(page);  // NOLINT(performance-no-int-to-ptr)
    void* const made =
        mmap(start, end - page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
    if (made == MAP_FAILED) return false;
    if (!slots[i].is_truncated.exchange(true)) truncated_count.fetch_add(1);
    return true;
  }
  return false;
}

void on_bus_error(int number, siginfo_t* info, void* context) {
  const int errno_before = errno;
  const bool is_ours = replace_missing_pages(reinterpret_cast<std::uintptr_t>(info->si_addr));
  errno = errno_before;
  if (is_ours) return;
  if ((earlier_action.sa_flags & SA_SIGINFO) != 0) {
    earlier_action.sa_sigaction(number, info, context);
  } else if (earlier_action.sa_handler != SIG_DFL && earlier_action.sa_handler != SIG_IGN) {
    earlier_action.sa_handler(number);
  } else {
    sigaction(SIGBUS, &earlier_action, nullptr);  // the access is repeated, with the effect it would have without us
  }
}

void install_handler() {
  static std::once_flag once;
  std::call_once(once, [] {
    page_bytes = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    struct sigaction action{};
    action.sa_sigaction = on_bus_error;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(SIGBUS, &action, &earlier_action);
  });
}

bool take_slot(std::size_t& slot) {
  const std::lock_guard guard(slots_mutex());
  if (!free_slots().empty()) {
    slot = free_slots().back();
    free_slots().pop_back();
    return true;
  }
  slot = used_slots.load();
  if (slot == kMaxMaps) return false;
  used_slots.store(slot + 1, std::memory_order_release);
  return true;
}

void release_slot(std::size_t slot) {
  const std::lock_guard guard(slots_mutex());
  free_slots().push_back(slot);
}

}  // namespace

Result<FileMap> FileMap::open(int file, std::size_t length) {
  install_handler();
  FileMap map;
  if (length == 0) return map;
  if (!take_slot(map.slot_)) return Error::from_system(ENOMEM);
  void* const memory = mmap(nullptr, length, PROT_READ, MAP_SHARED, file, 0);
  if (memory == MAP_FAILED) {
    const int code = errno;
    release_slot(map.slot_);
    return Error::from_system(code);
  }
  map.data_ = static_cast<std::uint8_t*>(memory);
  map.length_ = length;
  const auto start = reinterpret_cast<std::uintptr_t>(memory);
  Slot& slot = slots[map.slot_];
  slot.is_truncated.store(false);
  slot.end.store((start + length + page_bytes - 1) & ~(page_bytes - 1), std::memory_order_release);
  slot.start.store(start, std::memory_order_release);
  return map;
}

FileMap::FileMap(FileMap&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      length_(std::exchange(other.length_, 0)),
      slot_(other.slot_) {}

FileMap::~FileMap() {
  if (data_ == nullptr) return;
  slots[slot_].end.store(0, std::memory_order_release);
  slots[slot_].start.store(0, std::memory_order_release);
  munmap(data_, length_);
  release_slot(slot_);
}

bool FileMap::is_truncated() const { return data_ != nullptr && slots[slot_].is_truncated.load(); }

std::uint64_t truncated_map_count() { return truncated_count.load(); }

}  // namespace seamark
