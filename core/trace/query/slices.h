// The columns of a trace that queries read: slices by row and then by start; slices of a row do not overlap.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace seamark {

constexpr std::int32_t kNoSlice = -1;

struct SliceColumns {
  std::span<const std::int64_t> start;
  std::span<const std::int64_t> duration;
  std::span<const std::uint32_t> name;
  std::span<const std::int64_t> row_start;  // row i has the slices row_start[i] to row_start[i + 1]

  std::size_t size() const { return start.size(); }
  std::size_t rows() const { return row_start.empty() ? 0 : row_start.size() - 1; }
  std::int64_t end(std::size_t slice) const { return start[slice] + duration[slice]; }
};

// A range of slices.
struct SliceRange {
  std::size_t first;
  std::size_t end;
};

// The part of a slice in a window.
struct SlicePart {
  std::int64_t start;
  std::int64_t end;

  std::int64_t length() const { return end - start; }
};

inline SlicePart clip(const SliceColumns& slices, std::size_t slice, std::int64_t start, std::int64_t end) {
  const std::int64_t from = std::max(slices.start[slice], start);
  return {from, std::max(from, std::min(slices.end(slice), end))};
}

// How much of a part is in the slice around it, which may end a little earlier.
inline std::int64_t length_inside(const SliceColumns& slices, const SlicePart& part, std::size_t outer) {
  return std::max<std::int64_t>(0, std::min(part.end, slices.end(outer)) - part.start);
}

// Makes `longest` the slice if that is longer, or the first one.
inline void keep_longest(const SliceColumns& slices, std::size_t slice, std::int64_t& longest) {
  if (longest == kNoSlice || slices.duration[slice] > slices.duration[static_cast<std::size_t>(longest)]) {
    longest = static_cast<std::int64_t>(slice);
  }
}

// Throws invalid_argument for columns that do not fit together.
void check_slices(const SliceColumns& slices);

// The slices of a row that are visible in [start, end): also those that begin before it or have no length. Throws
// invalid_argument for a row that the trace does not have.
SliceRange visible_slices(const SliceColumns& slices, std::size_t row, std::int64_t start, std::int64_t end);

}  // namespace seamark
