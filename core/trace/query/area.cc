#include "trace/query/area.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace seamark {
namespace {

SliceRange range_of(const SliceColumns& slices, std::int64_t row, const AreaQuery& query) {
  if (row < 0) throw std::invalid_argument("there is no such row");
  return visible_slices(slices, static_cast<std::size_t>(row), query.start, query.end);
}

// Appends to intervals in order of start, merging those that touch.
void append(std::vector<SlicePart>& intervals, SlicePart next) {
  if (!intervals.empty() && next.start <= intervals.back().end) {
    intervals.back().end = std::max(intervals.back().end, next.end);
  } else {
    intervals.push_back(next);
  }
}

std::vector<SlicePart> merge(const std::vector<SlicePart>& a, const std::vector<SlicePart>& b) {
  std::vector<SlicePart> both;
  both.reserve(a.size() + b.size());
  auto at = a.begin();
  for (const SlicePart& next : b) {
    for (; at != a.end() && at->start <= next.start; ++at) append(both, *at);
    append(both, next);
  }
  for (; at != a.end(); ++at) append(both, *at);
  return both;
}

class AreaSummer {
 public:
  AreaSummer(const SliceColumns& slices, std::span<const std::int32_t> parent,
             std::span<const std::uint32_t> group_of_name, std::size_t groups, const AreaQuery& query)
      : slices_(slices),
        parent_(parent),
        group_of_name_(group_of_name),
        groups_(groups),
        query_(query) {
    for (auto* column : {&sums_.count, &sums_.total, &sums_.self}) column->assign(groups, 0);
    sums_.longest.assign(groups, kNoSlice);
    sums_.track.assign(groups, kSeveralTracks);
  }

  void add(std::size_t slice, std::int32_t track) {
    const SlicePart part = clip(slices_, slice, query_.start, query_.end);
    const std::size_t group = group_of(slice, track);
    const bool is_first = sums_.longest[group] == kNoSlice;
    sums_.track[group] = is_first || sums_.track[group] == track ? track : kSeveralTracks;
    keep_longest(slices_, slice, sums_.longest[group]);
    ++sums_.count[group];
    sums_.total[group] += part.length();
    sums_.self[group] += part.length();
    const std::int32_t above = parent_[slice];
    if (above < 0 || static_cast<std::size_t>(above) >= slices_.size()) return;
    const auto outer = static_cast<std::size_t>(above);
    sums_.self[group_of(outer, track)] -= length_inside(slices_, part, outer);
  }

  AreaSums take() { return std::move(sums_); }

 private:
  std::size_t group_of(std::size_t slice, std::int32_t track) const {
    const std::uint32_t name = slices_.name[slice];
    std::size_t group = groups_;
    if (group_of_name_.empty()) {
      group = static_cast<std::size_t>(track);
    } else if (name < group_of_name_.size()) {
      group = group_of_name_[name];
    }
    if (group >= groups_) throw std::invalid_argument("there is no such group");
    return group;
  }

  const SliceColumns& slices_;
  std::span<const std::int32_t> parent_;
  std::span<const std::uint32_t> group_of_name_;
  std::size_t groups_;
  const AreaQuery& query_;
  AreaSums sums_;
};

}  // namespace

AreaSums sum_area(const SliceColumns& slices, std::span<const std::int32_t> parent,
                  std::span<const std::int32_t> row_track, std::span<const std::uint32_t> group_of_name,
                  std::size_t groups, const AreaQuery& query) {
  if (parent.size() != slices.size() || row_track.size() != slices.rows()) {
    throw std::invalid_argument("the columns of the slices differ in length");
  }
  AreaSummer summer(slices, parent, group_of_name, groups, query);
  for (const std::int64_t row : query.rows) {
    const SliceRange range = range_of(slices, row, query);
    const std::int32_t track = row_track[static_cast<std::size_t>(row)];
    for (std::size_t slice = range.first; slice < range.end; ++slice) summer.add(slice, track);
  }
  return summer.take();
}

std::int64_t busy_time(const SliceColumns& slices, std::span<const std::uint8_t> is_busy, const AreaQuery& query) {
  std::vector<SlicePart> busy;
  for (const std::int64_t row : query.rows) {
    const SliceRange range = range_of(slices, row, query);
    std::vector<SlicePart> of_row;
    for (std::size_t slice = range.first; slice < range.end; ++slice) {
      const std::uint32_t name = slices.name[slice];
      if (name < is_busy.size() && is_busy[name] != 0) append(of_row, clip(slices, slice, query.start, query.end));
    }
    busy = busy.empty() ? std::move(of_row) : merge(busy, of_row);
  }
  std::int64_t sum = 0;
  for (const SlicePart& interval : busy) sum += interval.length();
  return sum;
}

}  // namespace seamark
