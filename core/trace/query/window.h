// Slices of a trace between two times, at the width of a screen.
#pragma once

#include <vector>

#include "trace/query/pyramid.h"
#include "trace/query/slices.h"

namespace seamark {

struct TraceWindowQuery {
  std::span<const std::int64_t> rows;
  std::int64_t start;
  std::int64_t end;
  std::size_t width;  // pixels
};

// One entry for each slice of at least a pixel and for each block of narrower ones, by row and then by start.
struct TraceWindow {
  std::vector<std::int32_t> row;
  std::vector<std::int64_t> start;
  std::vector<std::int64_t> duration;  // of a block: from the first start to the last end
  std::vector<std::uint32_t> name;     // of a block, as the activity: that of its longest slice
  std::vector<std::uint8_t> activity;
  std::vector<std::uint32_t> slice;  // of a block: the longest
  std::vector<std::uint32_t> count;
};

// `activity_of_name` has the activity of each name. Narrow slices that start in the same pixel form a block, and blocks
// of the same activity with less than a pixel between them one block. Costs O(log n) for each pixel of each row. Throws
// invalid_argument for a window without length, without width or with unknown rows.
TraceWindow trace_window(const SliceColumns& slices, const LongestView& longest,
                         std::span<const std::uint8_t> activity_of_name, const TraceWindowQuery& query);

}  // namespace seamark
