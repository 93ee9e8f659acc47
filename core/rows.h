// Rows as they arrive, before they are grouped by series.
#pragma once

#include <algorithm>
#include <utility>

#include "bytes.h"

namespace seamark {

struct ScalarRow {
  std::int64_t step;
  double wall_time;
  double value;
  std::uint32_t series;
};

struct PayloadRow {
  std::int64_t step;
  double wall_time;
  std::uint64_t offset;
  std::uint64_t length;
  std::uint32_t series;
};

// A vector which never initialises. Fresh pages cost as much as parsing does, so a cleared buffer leaves its memory to
// the next one that fills on this thread: thousands of idle scanners hold none, and a busy thread touches no new page.
template <class Row>
class RowBuffer {
 public:
  std::size_t size() const { return size_; }
  std::span<const Row> rows() const { return {memory_.rows.get(), size_}; }

  void clear() {
    size_ = 0;
    if (memory_.capacity > spare().capacity && memory_.capacity <= kLargestSpare) std::swap(memory_, spare());
    memory_ = {};
  }

  // Keeps its memory, for whoever fills it next.
  void forget() { size_ = 0; }

  void push(const Row& row) {
    if (size_ == memory_.capacity) [[unlikely]] grow();
    memory_.rows[size_++] = row;
  }

 private:
  static constexpr std::size_t kLargestSpare = std::size_t{1} << 20;

  struct Memory {
    std::unique_ptr<Row[]> rows;
    std::size_t capacity = 0;
  };

  static Memory& spare() {
    thread_local Memory memory;
    return memory;
  }

  void grow() {
    Memory bigger;
    if (spare().capacity > memory_.capacity) {
      std::swap(bigger, spare());
    } else {
      bigger.capacity = std::max<std::size_t>(256, memory_.capacity * 2);
      bigger.rows = std::make_unique_for_overwrite<Row[]>(bigger.capacity);
    }
    std::copy_n(memory_.rows.get(), size_, bigger.rows.get());
    memory_ = std::move(bigger);
  }

  Memory memory_;
  std::size_t size_ = 0;
};

struct PendingRows {
  RowBuffer<ScalarRow> scalars;
  RowBuffer<PayloadRow> payloads;

  void forget() {
    scalars.forget();
    payloads.forget();
  }
};

}  // namespace seamark
