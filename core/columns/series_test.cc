#include "columns/series.h"

#include <algorithm>
#include <stdexcept>

#include "testing/stored_series.h"

namespace seamark {
using testing::Points;
using testing::Random;
using testing::StoredSeries;

namespace {

Points of_steps(std::initializer_list<std::int64_t> steps) {
  Points points;
  for (const std::int64_t step : steps) points.add(step, static_cast<double>(points.size()), static_cast<double>(step));
  return points;
}

std::vector<std::int64_t> kept_steps(const Series& series, bool all) {
  const SeriesColumns columns = series.columns(all);
  return {columns.steps.get(), columns.steps.get() + columns.rows};
}

std::vector<std::int64_t> steps_of(const std::vector<SegmentRange>& ranges) {
  std::vector<std::int64_t> out;
  for (const SegmentRange& range : ranges)
    out.insert(out.end(), range.segment.steps + range.begin, range.segment.steps + range.end);
  return out;
}

}  // namespace

TEST(series_without_spans_counts_every_point_wherever_its_steps_go) {
  const StoredSeries stored(of_steps({0, 1, 2, 3, 4, 2, 3}), 3);
  CHECK(stored.series().attempts() == 1 && stored.series().count() == 7);
  CHECK(kept_steps(stored.series(), false).size() == 7 && stored.series().replaced().empty());
  const Point last = stored.series().last();
  CHECK(last.step == 4 && last.wall == 4);
}

TEST(series_restart_replaces_what_was_done_again) {
  const StoredSeries stored(of_steps({0, 1, 2, 3, 4, 2, 3}), 3, {{0, 0, 2}, {5, 1, {}}});
  CHECK(stored.series().attempts() == 2 && stored.series().count() == 7);
  CHECK(kept_steps(stored.series(), false) == std::vector<std::int64_t>({0, 1, 2, 3}));
  CHECK(kept_steps(stored.series(), true).size() == 7);
  const SeriesColumns columns = stored.series().columns(true);
  CHECK(columns.attempts[4] == 0 && columns.attempts[5] == 1);
  const auto replaced = stored.series().replaced();
  CHECK(replaced.size() == 1 && replaced[0].attempt == 0 &&
        steps_of(replaced[0].ranges) == std::vector<std::int64_t>({2, 3, 4}));
  CHECK(stored.series().by_attempt().size() == 2 && stored.series().last().step == 3);
}

TEST(series_last_is_the_latest_written_of_the_greatest_step) {
  const StoredSeries stored(of_steps({1, 7, 3, 7, 2}), 2);
  CHECK(stored.series().last().step == 7 && stored.series().last().wall == 3);
  CHECK(stored.series().stats().first_step == 1 && stored.series().stats().last_step == 7);
}

TEST(series_spans_equal_their_definition_however_it_is_cut) {
  Random random(11);
  for (int round = 0; round < 200; ++round) {
    Points points;
    const std::size_t count = 1 + random.below(60);
    std::int64_t step = 0;
    for (std::size_t i = 0; i < count; ++i) {
      step = random.below(8) == 0 ? static_cast<std::int64_t>(random.below(20))
                                  : step + static_cast<std::int64_t>(random.below(3));
      points.add(step, static_cast<double>(i), 0);
    }
    std::vector<Span> spans;
    for (std::uint64_t begin = random.below(10); begin < count + 5; begin += random.below(30)) {
      spans.push_back({begin, static_cast<std::uint32_t>(spans.size()), {}});
      if (random.below(3) > 0) spans.back().replaced_from = static_cast<std::int64_t>(random.below(20));
      if (spans.size() > 20) break;
    }
    std::vector<std::int64_t> current, replaced;
    for (std::size_t i = 0; i < count; ++i) {
      const Span* own = nullptr;
      for (const Span& span : spans) own = span.begin <= i ? &span : own;
      const bool is_replaced = own != nullptr && own->replaced_from && points.steps[i] >= *own->replaced_from;
      (is_replaced ? replaced : current).push_back(points.steps[i]);
    }
    const StoredSeries stored(points, 1 + random.below(20), spans);
    CHECK(kept_steps(stored.series(), false) == current && steps_of(stored.series().current()) == current);
    std::vector<std::int64_t> found;
    for (const auto& part : stored.series().replaced()) {
      const auto steps = steps_of(part.ranges);
      found.insert(found.end(), steps.begin(), steps.end());
    }
    CHECK(found == replaced);
  }
}

TEST(series_stats_are_of_the_points_that_count) {
  Points points;
  points.add(5, 10, 1);
  points.add(9, 11, 100);
  points.add(2, 12, -std::numeric_limits<double>::infinity());
  points.add(8, 13, 7);
  points.add(3, 14, std::nan(""));
  const StoredSeries stored(points, 3, {{0, 0, 6}, {2, 1, {}}});
  const SeriesStats stats = stored.series().stats();
  CHECK(stats.count == 5 && stats.attempts == 2 && stats.first_step == 2 && stats.last_step == 8);
  CHECK(stats.first_wall == 12 && stats.last_wall == 13);
  CHECK(stats.last_value == 7 && stats.min_value == 1 && stats.max_value == 7);
  CHECK(stats.nan == 1 && stats.posinf == 0 && stats.neginf == 1);
}

TEST(series_without_points) {
  const Series series({});
  CHECK(series.count() == 0 && series.attempts() == 1 && series.columns(false).rows == 0);
  CHECK(series.stats().count == 0 && std::isnan(series.stats().last_value));
  CHECK_THROWS(std::invalid_argument, series.last());
}

}  // namespace seamark
