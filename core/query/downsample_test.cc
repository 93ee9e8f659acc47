#include "query/downsample.h"

#include <algorithm>

#include "query/smooth.h"
#include "testing/stored_series.h"

namespace seamark {
using testing::close;
using testing::Points;
using testing::Random;
using testing::same;
using testing::StoredSeries;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Window ask(const Series& series, const WindowQuery& query) {
  const Series* const one[] = {&series};
  return window(one, query);
}

WindowQuery wide(std::uint64_t max_points) {
  WindowQuery query;
  query.max_points = max_points;
  return query;
}

Points ramp(std::size_t count) {
  Points points;
  for (std::size_t i = 0; i < count; ++i) {
    points.add(static_cast<std::int64_t>(i), 1e9 + static_cast<double>(i), static_cast<double>(i));
  }
  return points;
}

// Compares a row of the window with the points that it summarizes.
void check_row(const Window& got, std::size_t row, const Points& points, std::size_t begin, std::size_t end) {
  std::uint32_t nan = 0, up = 0, down = 0, finite = 0;
  double low = kInfinity, high = -kInfinity, sum = 0;
  for (std::size_t i = begin; i < end; ++i) {
    const double value = points.values[i];
    nan += std::isnan(value);
    up += value == kInfinity;
    down += value == -kInfinity;
    if (!std::isfinite(value)) continue;
    ++finite;
    low = std::min(low, value);
    high = std::max(high, value);
    sum += value;
  }
  CHECK(got.step[row] == points.steps[begin] && got.step_last[row] == points.steps[end - 1]);
  CHECK(same(got.wall[row], points.walls[begin]) && same(got.wall_last[row], points.walls[end - 1]));
  CHECK(same(got.first[row], points.values[begin]) && same(got.last[row], points.values[end - 1]));
  CHECK(got.count[row] == end - begin && got.nan[row] == nan && got.posinf[row] == up && got.neginf[row] == down);
  if (finite == 0) {
    CHECK(std::isnan(got.min[row]) && std::isnan(got.max[row]) && std::isnan(got.mean[row]));
  } else {
    CHECK(got.min[row] == low && got.max[row] == high && std::abs(got.mean[row] - sum / finite) < 1e-12);
  }
}

// Sorted points, by x; the window by the book: one column after another.
void check_window(const Window& got, const Points& points, const std::vector<double>& x, const WindowQuery& query) {
  const double start = query.start.value_or(x.front());
  const double stop = query.stop.value_or(x.back());
  const std::vector<double> smoothed = testing::smoothed(points.values, query.smoothing.weight);
  std::size_t row = 0;
  const auto inside = [&](std::size_t i) { return x[i] >= start && x[i] <= stop; };
  const auto first =
      static_cast<std::size_t>(std::find_if(x.begin(), x.end(), [&](double at) { return at >= start; }) - x.begin());
  std::size_t end = first;
  while (end < x.size() && inside(end)) ++end;
  const auto expect = [&](std::size_t from, std::size_t to) {
    check_row(got, row, points, from, to);
    if (query.smoothing.weight > 0) CHECK(close(got.smoothed[row], smoothed[to - 1]));
    ++row;
  };
  const auto column = [&](std::size_t i) {
    const double at = std::floor((x[i] - start) * (static_cast<double>(query.max_points) / (stop - start)));
    return std::min(at, static_cast<double>(query.max_points) - 1);
  };
  const bool raw = query.max_points == 0 || end - first <= query.max_points;
  if (query.edges && first > 0) expect(first - 1, first);
  for (std::size_t i = first; i < end;) {
    std::size_t next = i + 1;
    while (!raw && next < end && column(next) == column(i)) ++next;
    expect(i, next);
    i = next;
  }
  if (query.edges && end < x.size()) expect(end, end + 1);
  CHECK(got.rows == row && got.offsets[1] == row && got.points[0] == end - first);
}

}  // namespace

TEST(downsample_equals_a_plain_computation_on_every_axis) {
  Random random(21);
  for (int round = 0; round < 150; ++round) {
    Points points;
    const std::size_t count = 1 + random.below(round % 10 == 0 ? 9000 : 400);
    std::int64_t step = -20;
    double wall = 1.7e9;
    for (std::size_t i = 0; i < count; ++i) {
      points.add(step += static_cast<std::int64_t>(random.below(4)), wall += random.unit(), random.value());
    }
    const StoredSeries stored(points, 1 + random.below(3000));
    WindowQuery query = wide(random.below(3) == 0 ? random.below(3) : random.below(300));
    query.axis = static_cast<Axis>(random.below(3));
    query.edges = random.below(2) == 0;
    query.smoothing.weight = random.below(2) == 0 ? 0.6 : 0;
    std::vector<double> x;
    for (std::size_t i = 0; i < count; ++i) {
      x.push_back(query.axis == Axis::Step ? static_cast<double>(points.steps[i])
                                           : points.walls[i] - (query.axis == Axis::Relative ? points.walls[0] : 0));
    }
    if (random.below(2) == 0) {
      query.start = x.front() + (x.back() - x.front()) * (random.unit() * 1.2 - 0.1);
      query.stop = *query.start + (x.back() - x.front()) * random.unit();
    }
    check_window(ask(stored.series(), query), points, x, query);
  }
}

TEST(downsample_keeps_a_single_spike_at_every_width) {
  Points points = ramp(100000);
  points.values[54321] = 1e9;
  const StoredSeries stored(points, 30000);
  for (const std::uint64_t width : {1U, 2U, 3U, 10U, 100U, 1999U}) {
    const Window got = ask(stored.series(), wide(width));
    CHECK(got.rows == width && *std::max_element(got.max.get(), got.max.get() + got.rows) == 1e9);
    CHECK(got.last[got.rows - 1] == 99999);
  }
}

TEST(downsample_empty_and_degenerate_windows) {
  const StoredSeries stored(ramp(100));
  WindowQuery query = wide(10);
  query.edges = true;
  query.start = 50;
  query.stop = 40;
  CHECK(ask(stored.series(), query).rows == 0);
  query.stop = 50;
  const Window point = ask(stored.series(), query);
  CHECK(point.rows == 3 && point.points[0] == 1 && point.step[0] == 49 && point.step[1] == 50 && point.step[2] == 51);
  query.start = 1000;
  query.stop = 2000;
  CHECK(ask(stored.series(), query).rows == 1);  // the edge on the left
  query.start = kInfinity;
  query.stop = -kInfinity;
  CHECK(ask(stored.series(), query).rows == 0);
  query.start = -kInfinity;
  query.stop = std::nan("");
  CHECK(ask(stored.series(), query).rows == 10);
  const Series none({});
  const Window nothing = ask(none, wide(10));
  CHECK(nothing.rows == 0 && nothing.total[0] == 0 && nothing.offsets[1] == 0);
}

TEST(downsample_many_points_at_one_x_are_one_column) {
  Points points;
  for (int i = 0; i < 1000; ++i) points.add(7, 5, i);
  const StoredSeries stored(points);
  const Window got = ask(stored.series(), wide(10));
  CHECK(got.rows == 1 && got.count[0] == 1000 && got.max[0] == 999);
}

TEST(downsample_huge_steps_and_times) {
  Points points;
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  for (const std::int64_t step : {std::numeric_limits<std::int64_t>::min(), -(std::int64_t{1} << 62), std::int64_t{0},
                                  std::int64_t{1} << 62, most}) {
    points.add(step, static_cast<double>(step) * 1e280, 1);
  }
  const StoredSeries stored(points);
  for (const Axis axis : {Axis::Step, Axis::Relative, Axis::Wall}) {
    for (const std::uint64_t width : {1U, 2U, 3U}) {
      WindowQuery query = wide(width);
      query.axis = axis;
      const Window got = ask(stored.series(), query);
      std::uint64_t count = 0;
      for (std::size_t row = 0; row < got.rows; ++row) count += got.count[row];
      CHECK(count == 5);
      query.start = -1.7e308;
      query.stop = 1.7e308;
      CHECK(ask(stored.series(), query).rows >= 1);
    }
  }
}

TEST(downsample_shows_current_points_all_points_or_both) {
  Points points;
  for (const std::int64_t step : {0, 1, 2, 3, 2, 3, 4})
    points.add(step, static_cast<double>(points.size()), static_cast<double>(points.size()));
  const StoredSeries stored(points, 2, {{0, 0, 2}, {4, 1, {}}});
  WindowQuery query;
  const Window latest = ask(stored.series(), query);
  CHECK(latest.rows == 5 && latest.total[0] == 5 && latest.stored[0] == 7 && latest.first[2] == 4 && !latest.attempt);
  query.attempts = Attempts::All;
  const Window all = ask(stored.series(), query);
  CHECK(all.rows == 7 && all.total[0] == 7 && all.attempt[3] == 0 && all.attempt[4] == 1 && all.step[4] == 2 &&
        !all.replaced);
  query.attempts = Attempts::Marked;
  const Window marked = ask(stored.series(), query);
  CHECK(marked.rows == 7 && marked.step[0] == 2 && marked.step[1] == 3 && marked.step[2] == 0);
  CHECK(marked.replaced[1] == 1 && marked.attempt[1] == 0 && marked.replaced[2] == 0 && marked.attempt[2] == 1);
}

TEST(downsample_smooths_from_twenty_points_on) {
  for (const int count : {19, 20}) {
    Points points;
    for (int i = 0; i < count; ++i) points.add(i, i, i % 2);
    const StoredSeries stored(points, 7);
    WindowQuery query = wide(100);
    query.smoothing.weight = 0.9;
    const Window got = ask(stored.series(), query);
    const bool is_as_logged = std::equal(points.values.begin(), points.values.end(), got.smoothed.get());
    CHECK(is_as_logged == (count < 20));
  }
}

TEST(downsample_smooths_by_a_share_of_the_visible_range) {
  Points points;
  for (int i = 0; i < 1001; ++i) points.add(2 * i, i, (i * 37) % 11);
  const StoredSeries stored(points, 300);
  WindowQuery query = wide(50);
  query.smoothing = {0.02, SmoothingMode::Adaptive, {}};
  for (const double visible : {2000.0, 500.0}) {  // half-lives of 20 and of 5 points
    query.smoothing.visible = visible;
    const Window got = ask(stored.series(), query);
    const double weight = std::exp2(-2 / (0.02 * visible));
    CHECK(close(got.weight[0], weight));
    CHECK(close(got.smoothed[got.rows - 1], testing::smoothed(points.values, weight).back()));
  }
  query.smoothing.visible = {};
  query.start = 500;
  query.stop = 1000;
  CHECK(close(ask(stored.series(), query).weight[0], std::exp2(-2 / (0.02 * 500))));
}

TEST(downsample_makes_only_the_requested_columns) {
  Points points;
  for (int i = 0; i < 100; ++i) points.add(i, i, i);
  const StoredSeries stored(points, 40);
  WindowQuery query = wide(10);
  query.smoothing.weight = 0.5;
  const Window all = ask(stored.series(), query);
  query.columns = column_named("mean") | column_named("smoothed");
  const Window some = ask(stored.series(), query);
  CHECK(some.rows == all.rows && !some.step && !some.count && !some.attempt);
  CHECK(std::equal(some.mean.get(), some.mean.get() + some.rows, all.mean.get()));
  CHECK(std::equal(some.smoothed.get(), some.smoothed.get() + some.rows, all.smoothed.get()));
  CHECK_THROWS(std::invalid_argument, column_named("median"));
}

TEST(downsample_beyond_a_thousand_attempts_points_are_sorted_into_one_line) {
  Points points;
  std::vector<Span> spans;
  for (int i = 0; i < 3000; ++i) {
    points.add(3000 - i, i, i);
    spans.push_back({static_cast<std::uint64_t>(i), static_cast<std::uint32_t>(i), {}});
  }
  const StoredSeries stored(points, 700, spans);
  WindowQuery query;
  query.attempts = Attempts::All;
  const Window all = ask(stored.series(), query);
  CHECK(all.rows == 3000 && std::is_sorted(all.step.get(), all.step.get() + 3000) && all.attempt[2999] == 0);
}

TEST(downsample_wall_times_out_of_order_are_sorted_and_non_finite_ones_are_left_out) {
  Points points;
  points.add(0, 5, 0);
  points.add(1, std::nan(""), 1);
  points.add(2, 3, 2);
  points.add(3, kInfinity, 3);
  points.add(4, 5, 4);
  const StoredSeries stored(points, 2);
  WindowQuery query;
  query.axis = Axis::Wall;
  const Window wall = ask(stored.series(), query);
  CHECK(wall.rows == 3 && wall.step[0] == 2 && wall.step[1] == 0 && wall.step[2] == 4 && wall.total[0] == 5);
  query.axis = Axis::Relative;
  query.start = -2;
  query.stop = -2;
  const Window relative = ask(stored.series(), query);
  CHECK(relative.rows == 1 && relative.step[0] == 2);
}

TEST(downsample_stays_in_bounds_when_a_damaged_stripe_claims_to_be_sorted) {
  Points points;
  for (int i = 0; i < 1000; ++i)
    points.add(i * 7919 % 1000, i % 3 == 0 ? std::nan("") : i % 5 == 0 ? kInfinity : i * 7919 % 100, i);
  Segment lying;
  lying.steps = points.steps.data();
  lying.walls = points.walls.data();
  lying.values = points.values.data();
  lying.count = points.size();
  lying.flags = kStepsSorted | kWallsSorted;
  const Series series({lying, lying});
  for (const Axis axis : {Axis::Step, Axis::Relative, Axis::Wall}) {
    for (const std::uint64_t width : {1U, 2U, 3U, 50U, 1999U}) {
      WindowQuery query = wide(width);
      query.axis = axis;
      query.smoothing.weight = 0.5;
      query.attempts = width % 2 == 0 ? Attempts::All : Attempts::Latest;
      const Window got = ask(series, query);
      CHECK(got.rows <= 2 * width + 2);
    }
  }
}

TEST(downsample_many_series_share_one_range) {
  Points late = ramp(100);
  for (std::int64_t& step : late.steps) step += 900;
  const StoredSeries a(ramp(100));
  const StoredSeries b(late);
  const Series none({});
  const Series* const all[] = {&a.series(), &none, &b.series()};
  const Window got = window(all, wide(10));
  CHECK(got.series == 3 && got.offsets[0] == 0 && got.offsets[1] == 1 && got.offsets[2] == 1 && got.offsets[3] == 2);
  CHECK(got.count[0] == 100 && got.count[1] == 100 && got.points[1] == 0);
}

}  // namespace seamark
