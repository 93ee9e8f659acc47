// Sums over the slices of an area: some rows between two times. Slices are clipped to the area.
#pragma once

#include <vector>

#include "trace/query/slices.h"

namespace seamark {

struct AreaQuery {
  std::span<const std::int64_t> rows;
  std::int64_t start;
  std::int64_t end;
};

constexpr std::int32_t kSeveralTracks = -1;

// One entry for each group.
struct AreaSums {
  std::vector<std::int64_t> count;
  std::vector<std::int64_t> total;
  std::vector<std::int64_t> self;     // without the slices directly below
  std::vector<std::int64_t> longest;  // a slice, or kNoSlice
  std::vector<std::int32_t> track;
};

// `group_of_name` has the group of each name; empty: a group is a track. The rows must be all rows of each track, so
// that the parent of each slice is in the area. Throws invalid_argument for unknown rows and groups.
AreaSums sum_area(const SliceColumns& slices, std::span<const std::int32_t> parent,
                  std::span<const std::int32_t> row_track, std::span<const std::uint32_t> group_of_name,
                  std::size_t groups, const AreaQuery& query);

// How long at least one slice of the area runs whose name is marked in `is_busy`.
std::int64_t busy_time(const SliceColumns& slices, std::span<const std::uint8_t> is_busy, const AreaQuery& query);

}  // namespace seamark
