#include "trace/query/slices.h"

#include <algorithm>
#include <stdexcept>

namespace seamark {

void check_slices(const SliceColumns& slices) {
  const std::size_t size = slices.size();
  if (slices.duration.size() != size || slices.name.size() != size) {
    throw std::invalid_argument("the columns of the slices differ in length");
  }
  std::int64_t last = 0;
  for (const std::int64_t row_start : slices.row_start) {
    if (row_start < last) throw std::invalid_argument("the rows are not in order");
    last = row_start;
  }
  if (static_cast<std::size_t>(last) > size) throw std::invalid_argument("the rows have more slices than there are");
}

SliceRange visible_slices(const SliceColumns& slices, std::size_t row, std::int64_t start, std::int64_t end) {
  if (row >= slices.rows()) throw std::invalid_argument("there is no such row");
  const auto begin = slices.start.begin();
  const auto row_begin = begin + slices.row_start[row];
  const auto row_end = begin + slices.row_start[row + 1];
  const auto first = std::lower_bound(row_begin, row_end, start);
  const auto last = std::lower_bound(first, row_end, end);
  SliceRange range{static_cast<std::size_t>(first - begin), static_cast<std::size_t>(last - begin)};
  if (first != row_begin && slices.end(range.first - 1) > start) --range.first;
  return range;
}

}  // namespace seamark
