// The longest slice of any range: of each block of 16 slices, of 256, … the index of the longest is stored.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace seamark {

constexpr std::size_t kSlicesPerBlock = 16;

// Level 0 has the index of the longest slice of each block of 16, level 1 of each block of 256, and so on up to a level
// of at most 16 entries. Blocks are aligned to the index 0; the last one may be shorter. Of equal slices the first
// counts. Throws invalid_argument for more than 2^32 slices.
std::vector<std::vector<std::uint32_t>> build_longest(std::span<const std::int64_t> duration);

// The levels of `build_longest` with the durations that they were built from.
class LongestView {
 public:
  // Throws invalid_argument for levels that do not fit the slices.
  LongestView(std::span<const std::int64_t> duration, std::vector<std::span<const std::uint32_t>> levels);

  // The first of the longest slices of [first, end), which must not be empty. In O(log n).
  std::size_t longest(std::size_t first, std::size_t end) const;

 private:
  std::span<const std::int64_t> duration_;
  std::vector<std::span<const std::uint32_t>> levels_;
};

}  // namespace seamark
