#include "trace/query/window.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace seamark {
namespace {

class PixelGrid {
 public:
  PixelGrid(std::int64_t start, std::int64_t end, std::size_t width)
      : start_(start),
        nanoseconds_(static_cast<double>(end - start) / static_cast<double>(width)),
        per_nanosecond_(1 / nanoseconds_),
        shortest_wide_(static_cast<std::int64_t>(std::ceil(nanoseconds_))) {}

  bool is_wide(std::int64_t duration) const { return duration >= shortest_wide_; }

  // The end of the pixel of a time, which is after the time.
  std::int64_t pixel_end(std::int64_t time) const {
    const std::int64_t visible = std::max(time, start_);
    const auto pixel = static_cast<std::int64_t>(static_cast<double>(visible - start_) * per_nanosecond_);
    const auto end = static_cast<std::int64_t>(static_cast<double>(pixel + 1) * nanoseconds_);
    return std::max(start_ + end, visible + 1);
  }

 private:
  std::int64_t start_;
  double nanoseconds_;  // of one pixel
  double per_nanosecond_;
  std::int64_t shortest_wide_;
};

// Pixels with at most so many slices are read slice by slice, which is faster than searching.
constexpr std::size_t kFewSlices = 48;

// The first slice of [first, end) that starts at `time` or later.
std::size_t next_from(std::span<const std::int64_t> start, std::size_t first, std::size_t end, std::int64_t time) {
  std::size_t step = 1;
  while (first + step < end && start[first + step] < time) step *= 2;
  const auto begin = start.begin();
  const auto from = begin + static_cast<std::ptrdiff_t>(first + step / 2);
  const auto to = begin + static_cast<std::ptrdiff_t>(std::min(first + step, end));
  return static_cast<std::size_t>(std::lower_bound(from, to, time) - begin);
}

class WindowBuilder {
 public:
  WindowBuilder(const SliceColumns& slices, const LongestView& longest, std::span<const std::uint8_t> activities,
                const PixelGrid& grid)
      : slices_(slices),
        longest_(longest),
        activities_(activities),
        grid_(grid) {}

  void add_row(std::int64_t row, SliceRange range) {
    row_ = static_cast<std::int32_t>(row);
    last_is_block_ = false;
    std::size_t at = range.first;
    while (at < range.end) {
      if (grid_.is_wide(slices_.duration[at])) {
        append({at, at + 1}, at);
        last_is_block_ = false;
        ++at;
        continue;
      }
      at = add_pixel({at, range.end});
    }
  }

  TraceWindow take() { return std::move(out_); }

 private:
  // Adds the narrow slices that start in the same pixel as the first one, which is narrow. Returns the next slice.
  std::size_t add_pixel(SliceRange range) {
    const std::int64_t pixel_end = grid_.pixel_end(slices_.start[range.first]);
    const std::size_t few = range.first + kFewSlices;
    if (few < range.end && slices_.start[few] < pixel_end)
      return add_full_pixel({few, range.end}, range.first, pixel_end);
    std::size_t longest = range.first;
    std::int64_t longest_duration = slices_.duration[longest];
    std::size_t at = range.first + 1;
    for (; at < range.end && slices_.start[at] < pixel_end; ++at) {
      const std::int64_t duration = slices_.duration[at];
      // Only the last slice that starts in a pixel can be wide.
      if (grid_.is_wide(duration)) break;
      longest = duration > longest_duration ? at : longest;
      longest_duration = std::max(duration, longest_duration);
    }
    add_block({range.first, at}, longest);
    return at;
  }

  // The same for a pixel with many slices: at least those up to the first one of `rest`.
  std::size_t add_full_pixel(SliceRange rest, std::size_t first, std::int64_t pixel_end) {
    std::size_t end = next_from(slices_.start, rest.first, rest.end, pixel_end);
    if (grid_.is_wide(slices_.duration[end - 1])) --end;
    add_block({first, end}, longest_.longest(first, end));
    return end;
  }

  void add_block(SliceRange range, std::size_t longest) {
    if (!last_is_block_ || !joins(range, longest)) {
      append(range, longest);
      last_is_block_ = true;
      return;
    }
    out_.duration.back() = slices_.end(range.end - 1) - out_.start.back();
    out_.count.back() += static_cast<std::uint32_t>(range.end - range.first);
    if (slices_.duration[longest] > slices_.duration[out_.slice.back()]) {
      out_.slice.back() = static_cast<std::uint32_t>(longest);
      out_.name.back() = slices_.name[longest];
    }
  }

  bool joins(SliceRange range, std::size_t longest) const {
    const std::int64_t gap = slices_.start[range.first] - (out_.start.back() + out_.duration.back());
    return !grid_.is_wide(gap) && activity_of(longest) == out_.activity.back();
  }

  void append(SliceRange range, std::size_t longest) {
    out_.row.push_back(row_);
    out_.start.push_back(slices_.start[range.first]);
    out_.duration.push_back(slices_.end(range.end - 1) - slices_.start[range.first]);
    out_.name.push_back(slices_.name[longest]);
    out_.activity.push_back(activity_of(longest));
    out_.slice.push_back(static_cast<std::uint32_t>(longest));
    out_.count.push_back(static_cast<std::uint32_t>(range.end - range.first));
  }

  std::uint8_t activity_of(std::size_t slice) const {
    const std::uint32_t name = slices_.name[slice];
    return name < activities_.size() ? activities_[name] : std::uint8_t{0};
  }

  const SliceColumns& slices_;
  const LongestView& longest_;
  std::span<const std::uint8_t> activities_;
  PixelGrid grid_;
  TraceWindow out_;
  std::int32_t row_ = 0;
  bool last_is_block_ = false;
};

}  // namespace

TraceWindow trace_window(const SliceColumns& slices, const LongestView& longest,
                         std::span<const std::uint8_t> activity_of_name, const TraceWindowQuery& query) {
  if (query.end <= query.start) throw std::invalid_argument("the window must end after it starts");
  if (query.width == 0) throw std::invalid_argument("the window must be at least one pixel wide");
  WindowBuilder builder(slices, longest, activity_of_name, PixelGrid(query.start, query.end, query.width));
  for (const std::int64_t row : query.rows) {
    if (row < 0) throw std::invalid_argument("there is no such row");
    builder.add_row(row, visible_slices(slices, static_cast<std::size_t>(row), query.start, query.end));
  }
  return builder.take();
}

}  // namespace seamark
