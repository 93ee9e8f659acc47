#include "trace/build/nest.h"

#include <algorithm>

namespace seamark {

namespace {

// Files with whole microseconds cut start and duration, so that a slice may seem to end after the one around it.
constexpr TraceTime kTolerance = 1000;
constexpr std::size_t kNoParent = std::numeric_limits<std::size_t>::max();

bool is_before(const NestItem& a, const NestItem& b) {
  if (a.start != b.start) return a.start < b.start;
  if (a.duration != b.duration) return a.duration > b.duration;
  return a.slice < b.slice;
}

bool contains(TraceTime outer_end, const NestItem& item) {
  if (item.end() <= outer_end) return true;
  return item.end() - outer_end <= kTolerance && (outer_end - item.start) >= item.end() - outer_end;
}

}  // namespace

std::uint32_t Nester::nest(std::span<NestItem> items, std::size_t first, std::span<FlowPoint> flows) {
  if (!std::is_sorted(items.begin(), items.end(), is_before)) std::sort(items.begin(), items.end(), is_before);
  rows_.clear();
  open_ = 0;
  std::size_t enclosing = 0, next = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    for (; enclosing < flows.size() && flows[enclosing].time < items[i].start; ++enclosing) {
      if (!flows[enclosing].binds_to_next) bind_enclosing(flows[enclosing]);
    }
    place(items[i], first + i);
    for (; next < flows.size() && flows[next].time <= items[i].start; ++next) {
      if (flows[next].binds_to_next) flows[next].track = items[i].slice;
    }
  }
  for (; enclosing < flows.size(); ++enclosing) {
    if (!flows[enclosing].binds_to_next) bind_enclosing(flows[enclosing]);
  }
  for (; next < flows.size(); ++next) {
    if (flows[next].binds_to_next) flows[next].track = kNone;
  }
  return static_cast<std::uint32_t>(rows_.size());
}

void Nester::place(const NestItem& item, std::size_t position) {
  while (open_ > 0 && rows_[open_ - 1].end <= item.start) --open_;
  const std::size_t parent = find_parent(item);
  const std::size_t wanted = parent == kNoParent ? 0 : parent + 1;
  std::size_t row = wanted;
  bool overlaps = false;
  for (; row < open_ && rows_[row].end > item.start; ++row) overlaps |= rows_[row].is_annotation == item.is_annotation;
  overlaps_ += overlaps;
  columns_.self_time[position] = item.duration;
  columns_.parent[position] = kNone;
  if (row >= kMaxRows) {
    ++left_out_;
    columns_.row[position] = kNoRow;
    return;
  }
  if (parent != kNoParent) {
    const Row& outer = rows_[parent];
    columns_.parent[position] = outer.position;
    TraceTime& self_time = columns_.self_time[outer.position];
    self_time = std::max<TraceTime>(0, self_time - (std::min(item.end(), outer.end) - item.start));
  }
  if (row == rows_.size()) rows_.emplace_back();
  rows_[row] = {item.start, item.end(), static_cast<std::uint32_t>(position), item.slice, item.is_annotation};
  columns_.row[position] = static_cast<std::uint16_t>(row);
  open_ = std::max(open_, row + 1);
}

// The deepest row whose slice is around the item.
std::size_t Nester::find_parent(const NestItem& item) const {
  for (std::size_t row = open_; row-- > 0;) {
    if (rows_[row].end > item.start && contains(rows_[row].end, item)) return row;
  }
  return kNoParent;
}

void Nester::bind_enclosing(FlowPoint& flow) const {
  flow.track = kNone;
  for (std::size_t row = open_; row-- > 0;) {
    if (rows_[row].end > flow.time || rows_[row].start == flow.time) {
      flow.track = rows_[row].slice;
      return;
    }
  }
}

}  // namespace seamark
