#include "trace/query/search.h"

#include <algorithm>

namespace seamark {

SliceMatches search_slices(const SliceColumns& slices, std::span<const std::uint8_t> is_match, std::size_t limit) {
  SliceMatches found;
  const auto is_earlier = [&](std::uint32_t a, std::uint32_t b) {
    return slices.start[a] != slices.start[b] ? slices.start[a] < slices.start[b] : a < b;
  };
  // A heap with the latest match in front, which the next earlier one replaces.
  std::vector<std::uint32_t>& heap = found.slices;
  for (std::size_t slice = 0; slice < slices.size(); ++slice) {
    const std::uint32_t name = slices.name[slice];
    if (name >= is_match.size() || is_match[name] == 0) continue;
    ++found.total;
    const auto index = static_cast<std::uint32_t>(slice);
    if (found.longest == kNoSlice ||
        slices.duration[slice] > slices.duration[static_cast<std::size_t>(found.longest)]) {
      found.longest = index;
    }
    if (heap.size() < limit) {
      heap.push_back(index);
      if (heap.size() == limit) std::make_heap(heap.begin(), heap.end(), is_earlier);
    } else if (limit > 0 && is_earlier(index, heap.front())) {
      std::pop_heap(heap.begin(), heap.end(), is_earlier);
      heap.back() = index;
      std::push_heap(heap.begin(), heap.end(), is_earlier);
    }
  }
  std::sort(heap.begin(), heap.end(), is_earlier);
  return found;
}

}  // namespace seamark
