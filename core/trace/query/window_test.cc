#include "trace/query/window.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <stdexcept>

#include "testing/testing.h"

namespace seamark {
namespace {

struct TestTrace {
  std::vector<std::int64_t> start, duration;
  std::vector<std::uint32_t> name;
  std::vector<std::int64_t> row_start{0};
  std::vector<std::uint8_t> activities{0, 0, 1, 2};
  std::vector<std::vector<std::uint32_t>> levels;

  void add(std::int64_t from, std::int64_t length, std::uint32_t named) {
    start.push_back(from);
    duration.push_back(length);
    name.push_back(named);
  }
  void end_row() { row_start.push_back(static_cast<std::int64_t>(start.size())); }
  SliceColumns columns() const { return {start, duration, name, row_start}; }
  std::int64_t end(std::size_t slice) const { return start[slice] + duration[slice]; }
  TraceWindow window(const std::vector<std::int64_t>& rows, std::int64_t from, std::int64_t to,
                     std::size_t width) const {
    const LongestView view(duration, {levels.begin(), levels.end()});
    return trace_window(columns(), view, activities, {rows, from, to, width});
  }
};

TestTrace random_trace(unsigned seed, std::size_t rows) {
  std::mt19937 random(seed);
  const auto pick = [&](std::int64_t most) { return std::uniform_int_distribution<std::int64_t>(0, most)(random); };
  TestTrace trace;
  for (std::size_t row = 0; row < rows; ++row) {
    std::int64_t time = pick(100);
    const std::int64_t count = pick(400);
    for (std::int64_t slice = 0; slice < count; ++slice) {
      const std::int64_t length = pick(9) == 0 ? pick(500) : pick(12);
      trace.add(time, length, static_cast<std::uint32_t>(pick(3)));
      time += length + (pick(5) == 0 ? pick(100) : pick(3));
      if (length == 0) ++time;
    }
    trace.end_row();
  }
  trace.levels = build_longest(trace.duration);
  return trace;
}

// Whether the slices are those of a scan over the row, whatever the blocks are.
void check_row(const TestTrace& trace, const TraceWindow& window, std::int64_t row, std::int64_t from, std::int64_t to,
               double pixel) {
  std::size_t at = static_cast<std::size_t>(trace.row_start[static_cast<std::size_t>(row)]);
  const auto row_end = static_cast<std::size_t>(trace.row_start[static_cast<std::size_t>(row) + 1]);
  while (at < row_end && trace.start[at] < from && trace.end(at) <= from) ++at;
  for (std::size_t entry = 0; entry < window.row.size(); ++entry) {
    if (window.row[entry] != row) continue;
    const std::size_t count = window.count[entry];
    CHECK(at + count <= row_end);
    CHECK(window.start[entry] == trace.start[at]);
    CHECK(window.start[entry] + window.duration[entry] == trace.end(at + count - 1));
    const auto first = trace.duration.begin() + static_cast<std::ptrdiff_t>(at);
    const auto longest = std::max_element(first, first + static_cast<std::ptrdiff_t>(count));
    CHECK(trace.duration[window.slice[entry]] == *longest);
    CHECK(window.slice[entry] >= at && window.slice[entry] < at + count);
    CHECK(window.name[entry] == trace.name[window.slice[entry]]);
    CHECK(window.activity[entry] == trace.activities[window.name[entry]]);
    for (std::size_t slice = at; slice < at + count; ++slice) {
      CHECK(count == 1 || static_cast<double>(trace.duration[slice]) < pixel);
      CHECK(slice == at || static_cast<double>(trace.start[slice] - trace.end(slice - 1)) < pixel);
    }
    at += count;
  }
  CHECK(at == row_end || trace.start[at] >= to);
}

}  // namespace

TEST(trace_window_shows_wide_slices_alone_and_merges_narrow_ones) {
  TestTrace trace;
  trace.add(0, 100, 0);
  trace.add(100, 2, 2);
  trace.add(102, 3, 2);
  trace.add(105, 200, 3);
  trace.add(400, 1, 0);
  trace.add(411, 2, 1);  // a pixel later: joins, as it has the same activity
  trace.add(423, 1, 2);
  trace.end_row();
  trace.levels = build_longest(trace.duration);
  const TraceWindow window = trace.window({0}, 0, 1000, 100);
  CHECK(window.start == std::vector<std::int64_t>{0, 100, 105, 400, 411, 423});
  CHECK(window.count == std::vector<std::uint32_t>{1, 2, 1, 1, 1, 1});
  CHECK(window.slice == std::vector<std::uint32_t>{0, 2, 3, 4, 5, 6});
  const TraceWindow coarse = trace.window({0}, 0, 1000, 50);
  CHECK(coarse.start == std::vector<std::int64_t>{0, 100, 105, 400, 423});
  CHECK(coarse.duration == std::vector<std::int64_t>{100, 5, 200, 13, 1});
  CHECK(coarse.slice == std::vector<std::uint32_t>{0, 2, 3, 5, 6});
}

TEST(trace_window_agrees_with_a_scan) {
  std::mt19937 random(3);
  for (unsigned seed = 0; seed < 20; ++seed) {
    const TestTrace trace = random_trace(seed, 5);
    for (int trial = 0; trial < 20; ++trial) {
      std::uniform_int_distribution<std::int64_t> any(-1000, 9000);
      const std::int64_t from = any(random);
      const std::int64_t to = from + 1 + std::abs(any(random));
      const auto width = static_cast<std::size_t>(1 + std::abs(any(random)));
      const double pixel = static_cast<double>(to - from) / static_cast<double>(width);
      const TraceWindow window = trace.window({0, 1, 2, 3, 4}, from, to, width);
      for (std::int64_t row = 0; row < 5; ++row) check_row(trace, window, row, from, to, pixel);
    }
  }
}

TEST(trace_window_has_at_most_two_entries_for_each_pixel) {
  TestTrace trace;
  for (std::int64_t slice = 0; slice < 100'000; ++slice) {
    trace.add(slice * 10, 1, static_cast<std::uint32_t>(slice % 7 == 0 ? 2 : 0));
  }
  trace.end_row();
  trace.levels = build_longest(trace.duration);
  const TraceWindow window = trace.window({0}, 0, 1'000'000, 50);
  CHECK(window.row.size() <= 100);
  CHECK(std::accumulate(window.count.begin(), window.count.end(), 0U) == 100'000U);
}

TEST(trace_window_rejects_what_it_cannot_show) {
  const TestTrace trace = random_trace(1, 2);
  CHECK_THROWS(std::invalid_argument, trace.window({0}, 5, 5, 10));
  CHECK_THROWS(std::invalid_argument, trace.window({0}, 5, 6, 0));
  CHECK_THROWS(std::invalid_argument, trace.window({2}, 5, 6, 1));
  CHECK_THROWS(std::invalid_argument, trace.window({-1}, 5, 6, 1));
  SliceColumns columns = trace.columns();
  check_slices(columns);
  columns.name = columns.name.first(1);
  CHECK_THROWS(std::invalid_argument, check_slices(columns));
}

}  // namespace seamark
