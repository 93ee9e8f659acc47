#include "trace/query/pyramid.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

namespace seamark {
namespace {

std::size_t blocks_of(std::size_t entries) { return entries / kSlicesPerBlock + (entries % kSlicesPerBlock != 0); }

// Compares the slices that a range of entries stands for. Candidates come from both ends of the range, so that an
// equal slice may replace one with a larger index.
class Best {
 public:
  Best(std::span<const std::int64_t> duration, std::size_t first) : duration_(duration), index_(first) {}

  void add(std::size_t index) {
    const std::int64_t candidate = duration_[index];
    const std::int64_t best = duration_[index_];
    if (candidate > best || (candidate == best && index < index_)) index_ = index;
  }
  std::size_t index() const { return index_; }

 private:
  std::span<const std::int64_t> duration_;
  std::size_t index_;
};

template <class SliceOf>
std::vector<std::uint32_t> build_level(std::span<const std::int64_t> duration, std::size_t entries, SliceOf slice_of) {
  std::vector<std::uint32_t> level(blocks_of(entries));
  for (std::size_t block = 0; block < level.size(); ++block) {
    const std::size_t first = block * kSlicesPerBlock;
    const std::size_t end = std::min(first + kSlicesPerBlock, entries);
    Best best(duration, slice_of(first));
    for (std::size_t entry = first + 1; entry < end; ++entry) best.add(slice_of(entry));
    level[block] = static_cast<std::uint32_t>(best.index());
  }
  return level;
}

}  // namespace

std::vector<std::vector<std::uint32_t>> build_longest(std::span<const std::int64_t> duration) {
  if (duration.size() > std::numeric_limits<std::uint32_t>::max()) {
    throw std::invalid_argument("a trace has at most 2^32 slices");
  }
  std::vector<std::vector<std::uint32_t>> levels;
  if (duration.empty()) return levels;
  levels.push_back(build_level(duration, duration.size(), [](std::size_t entry) { return entry; }));
  while (levels.back().size() > kSlicesPerBlock) {
    const std::vector<std::uint32_t>& below = levels.back();
    levels.push_back(build_level(duration, below.size(), [&](std::size_t entry) { return std::size_t{below[entry]}; }));
  }
  return levels;
}

LongestView::LongestView(std::span<const std::int64_t> duration, std::vector<std::span<const std::uint32_t>> levels)
    : duration_(duration),
      levels_(std::move(levels)) {
  std::size_t entries = duration_.size();
  for (const auto& level : levels_) {
    entries = blocks_of(entries);
    if (level.size() != entries) throw std::invalid_argument("the levels of the longest slices do not fit the slices");
    // They may come from a damaged file.
    for (const std::uint32_t slice : level) {
      if (slice >= duration_.size()) throw std::invalid_argument("a level names a slice that does not exist");
    }
  }
}

std::size_t LongestView::longest(std::size_t first, std::size_t end) const {
  Best best(duration_, first);
  while (first < end && first % kSlicesPerBlock != 0) best.add(first++);
  while (first < end && end % kSlicesPerBlock != 0) best.add(--end);
  // Entries [first, end) of `level` are left; those outside of a whole block of the next level are compared here.
  for (std::size_t level = 0; first < end && level < levels_.size(); ++level) {
    const auto& entries = levels_[level];
    first /= kSlicesPerBlock;
    end /= kSlicesPerBlock;
    const bool is_last = level + 1 == levels_.size();
    while (first < end && (is_last || first % kSlicesPerBlock != 0)) best.add(entries[first++]);
    while (first < end && end % kSlicesPerBlock != 0) best.add(entries[--end]);
  }
  // Without levels, of a trace that has none yet.
  for (; levels_.empty() && first < end; ++first) best.add(first);
  return best.index();
}

}  // namespace seamark
