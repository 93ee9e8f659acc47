// Slices of a trace by name.
#pragma once

#include <vector>

#include "trace/query/slices.h"

namespace seamark {

struct SliceMatches {
  std::vector<std::uint32_t> slices;  // by start
  std::size_t total = 0;
  std::int64_t longest = kNoSlice;
};

// The first `limit` slices by start whose name is marked in `is_match`, which has an entry for each name. In one pass.
SliceMatches search_slices(const SliceColumns& slices, std::span<const std::uint8_t> is_match, std::size_t limit);

}  // namespace seamark
