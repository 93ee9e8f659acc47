#include "file_map.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <mutex>
#include <vector>

namespace seamark {
namespace {

// The handler may run at any moment, in any thread: it sees atomics only. Linux allows 65,530 maps.
constexpr std::size_t kMaxMaps = 65536;

struct Slot {
  std::atomic<std::uintptr_t> start{0};
  std::atomic<std::uintptr_t> end{0};
  std::atomic<bool> is_lost{false};
};

Slot slots[kMaxMaps];
std::atomic<std::size_t> used_slots{0};  // none behind it was ever taken
std::atomic<std::uint64_t> lost_count{0};
std::uintptr_t page_bytes = 4096;
struct sigaction earlier_action;

std::mutex& slots_lock() {
  static std::mutex lock;
  return lock;
}

std::vector<std::size_t>& free_slots() {
  static std::vector<std::size_t> free;
  return free;
}

// Zeros from the missing page to the end of the map. True when the address lies in one of ours.
bool replace_lost(std::uintptr_t address) {
  const std::size_t used = used_slots.load(std::memory_order_acquire);
  for (std::size_t i = 0; i < used; ++i) {
    const std::uintptr_t end = slots[i].end.load(std::memory_order_acquire);
    if (address < slots[i].start.load(std::memory_order_acquire) || address >= end) continue;
    const std::uintptr_t page = address & ~(page_bytes - 1);
    void* const made = mmap(reinterpret_cast<void*>(page), end - page, PROT_READ,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
    if (made == MAP_FAILED) return false;
    if (!slots[i].is_lost.exchange(true)) lost_count.fetch_add(1);
    return true;
  }
  return false;
}

void on_bus_error(int number, siginfo_t* info, void* context) {
  const int errno_before = errno;
  const bool is_ours = replace_lost(reinterpret_cast<std::uintptr_t>(info->si_addr));
  errno = errno_before;
  if (is_ours) return;
  if ((earlier_action.sa_flags & SA_SIGINFO) != 0) {
    earlier_action.sa_sigaction(number, info, context);
  } else if (earlier_action.sa_handler != SIG_DFL && earlier_action.sa_handler != SIG_IGN) {
    earlier_action.sa_handler(number);
  } else {
    sigaction(SIGBUS, &earlier_action, nullptr);  // the access is repeated, and ends as it would have without us
  }
}

void install_handler() {
  static std::once_flag once;
  std::call_once(once, [] {
    page_bytes = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    struct sigaction action {};
    action.sa_sigaction = on_bus_error;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(SIGBUS, &action, &earlier_action);
  });
}

bool take_slot(std::size_t& slot) {
  const std::lock_guard guard(slots_lock());
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

void give_back(std::size_t slot) {
  const std::lock_guard guard(slots_lock());
  free_slots().push_back(slot);
}

}  // namespace

FileMap::FileMap(int file, std::size_t length) {
  install_handler();
  if (length == 0) return;
  if (!take_slot(slot_)) {
    error_ = ENOMEM;
    return;
  }
  void* const memory = mmap(nullptr, length, PROT_READ, MAP_SHARED, file, 0);
  if (memory == MAP_FAILED) {
    error_ = errno;
    give_back(slot_);
    return;
  }
  data_ = static_cast<std::uint8_t*>(memory);
  length_ = length;
  const auto start = reinterpret_cast<std::uintptr_t>(memory);
  slots[slot_].is_lost.store(false);
  slots[slot_].end.store((start + length + page_bytes - 1) & ~(page_bytes - 1), std::memory_order_release);
  slots[slot_].start.store(start, std::memory_order_release);
}

FileMap::~FileMap() {
  if (data_ == nullptr) return;
  slots[slot_].end.store(0, std::memory_order_release);
  slots[slot_].start.store(0, std::memory_order_release);
  munmap(data_, length_);
  give_back(slot_);
}

bool FileMap::is_lost() const { return data_ != nullptr && slots[slot_].is_lost.load(); }

std::uint64_t lost_maps() { return lost_count.load(); }

}  // namespace seamark
