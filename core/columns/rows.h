// Rows in order of arrival, before they are grouped by series.
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

// A vector that never initialises its memory and keeps it when it is cleared: touching fresh pages costs as much as
// parsing.
template <class Row>
class RowBuffer {
 public:
  RowBuffer() = default;
  RowBuffer(RowBuffer&& other) noexcept { swap(other); }
  RowBuffer& operator=(RowBuffer&& other) noexcept {
    RowBuffer taken(std::move(other));
    swap(taken);
    return *this;
  }

  std::size_t size() const { return size_; }
  std::size_t capacity() const { return capacity_; }
  std::span<const Row> rows() const { return {memory_.get(), size_}; }

  void clear() { size_ = 0; }

  void push(const Row& row) {
    if (size_ == capacity_) [[unlikely]]
      grow();
    memory_[size_++] = row;
  }

 private:
  void swap(RowBuffer& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(capacity_, other.capacity_);
    std::swap(size_, other.size_);
  }

  void grow() {
    const std::size_t capacity = std::max<std::size_t>(256, capacity_ * 2);
    auto memory = std::make_unique_for_overwrite<Row[]>(capacity);
    std::copy_n(memory_.get(), size_, memory.get());
    memory_ = std::move(memory);
    capacity_ = capacity;
  }

  std::unique_ptr<Row[]> memory_;
  std::size_t capacity_ = 0;
  std::size_t size_ = 0;
};

struct PendingRows {
  RowBuffer<ScalarRow> scalars;
  RowBuffer<PayloadRow> payloads;

  std::size_t size() const { return scalars.size() + payloads.size(); }
  void clear() {
    scalars.clear();
    payloads.clear();
  }
};

}  // namespace seamark
