#include "series.h"

#include <algorithm>
#include <stdexcept>

#include "testing_rows.h"

namespace seamark {
using testing::Points;
using testing::Random;
using testing::Stored;

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

std::vector<std::int64_t> latest_plainly(const std::vector<std::int64_t>& steps) {
  std::vector<std::size_t> first;  // of each attempt
  std::vector<std::size_t> attempt(steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (i == 0 || steps[i] < steps[i - 1]) first.push_back(i);
    attempt[i] = first.size() - 1;
  }
  std::vector<std::int64_t> kept;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const bool stands = std::all_of(first.begin() + static_cast<std::ptrdiff_t>(attempt[i]) + 1, first.end(),
                                    [&](std::size_t later) { return steps[i] < steps[later]; });
    if (stands) kept.push_back(steps[i]);
  }
  return kept;
}

}  // namespace

TEST(series_restart_supersedes_what_was_done_again) {
  const Stored stored(of_steps({0, 1, 2, 3, 4, 2, 3}));
  CHECK(stored.series().attempts() == 2 && stored.series().count() == 7);
  CHECK(kept_steps(stored.series(), false) == std::vector<std::int64_t>{0, 1, 2, 3});
  CHECK(kept_steps(stored.series(), true).size() == 7);
  const SeriesColumns columns = stored.series().columns(true);
  CHECK(columns.attempts[4] == 0 && columns.attempts[5] == 1);
}

TEST(series_equal_steps_start_no_attempt) {
  const Stored stored(of_steps({1, 1, 2, 2}));
  CHECK(stored.series().attempts() == 1);
}

TEST(series_latest_equals_its_definition_however_it_is_cut) {
  Random random(11);
  for (int round = 0; round < 200; ++round) {
    Points points;
    const std::size_t count = 1 + random.below(60);
    std::int64_t step = 0;
    for (std::size_t i = 0; i < count; ++i) {
      step = random.below(8) == 0 ? static_cast<std::int64_t>(random.below(20)) : step + static_cast<std::int64_t>(random.below(3));
      points.add(step, static_cast<double>(i), 0);
    }
    const Stored stored(points, 1 + random.below(20));
    CHECK(kept_steps(stored.series(), false) == latest_plainly(points.steps));
  }
}

TEST(series_stats_over_all_attempts) {
  Points points;
  points.add(5, 10, 1);
  points.add(9, 11, std::nan(""));
  points.add(2, 12, -std::numeric_limits<double>::infinity());
  points.add(3, 13, 7);
  const Stored stored(points, 3);
  const SeriesStats stats = stored.series().stats();
  CHECK(stats.count == 4 && stats.attempts == 2 && stats.first_step == 5 && stats.last_step == 3);
  CHECK(stats.min_step == 2 && stats.max_step == 9 && stats.first_wall == 10 && stats.last_wall == 13);
  CHECK(stats.last_value == 7 && stats.finite_min == 1 && stats.finite_max == 7);
  CHECK(stats.nan == 1 && stats.posinf == 0 && stats.neginf == 1);
}

TEST(series_without_points) {
  const Series series({});
  CHECK(series.count() == 0 && series.attempts() == 1 && series.columns(false).rows == 0);
  CHECK(series.stats().count == 0 && std::isnan(series.stats().last_value));
  CHECK_THROWS(std::invalid_argument, series.last());
}

}  // namespace seamark
