// Rows as they arrive, before they are grouped by series.
#pragma once

#include <algorithm>

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

// A vector which never initialises, and keeps its memory when cleared: fresh pages cost as much as parsing does.
template <class Row>
class RowBuffer {
 public:
  std::size_t size() const { return size_; }
  std::span<const Row> rows() const { return {rows_.get(), size_}; }
  void clear() { size_ = 0; }

  void push(const Row& row) {
    if (size_ == capacity_) [[unlikely]] grow();
    rows_[size_++] = row;
  }

 private:
  void grow() {
    const std::size_t capacity = std::max<std::size_t>(256, capacity_ * 2);
    auto bigger = std::make_unique_for_overwrite<Row[]>(capacity);
    std::copy_n(rows_.get(), size_, bigger.get());
    rows_ = std::move(bigger);
    capacity_ = capacity;
  }

  std::unique_ptr<Row[]> rows_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

struct PendingRows {
  RowBuffer<ScalarRow> scalars;
  RowBuffer<PayloadRow> payloads;
};

}  // namespace seamark
