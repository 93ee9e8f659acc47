#include "query/digest.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "testing/stored_series.h"

namespace seamark {
using testing::Points;
using testing::Random;
using testing::StoredSeries;

namespace {

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }
bool close(double a, double b) { return same(a, b) || std::abs(a - b) <= 1e-9 * (1 + std::abs(b)); }

double finite_mean(const double* values, std::size_t rows) {
  double sum = 0;
  std::size_t count = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    if (!std::isfinite(values[i])) continue;
    sum += values[i];
    ++count;
  }
  return count > 0 ? sum / static_cast<double>(count) : std::numeric_limits<double>::quiet_NaN();
}

SeriesColumns in_order(SeriesColumns columns) {
  std::vector<std::size_t> order(columns.rows);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return columns.steps[a] < columns.steps[b]; });
  const SeriesColumns from = std::move(columns);
  SeriesColumns out;
  out.rows = from.rows;
  out.steps = std::make_unique<std::int64_t[]>(from.rows);
  out.values = std::make_unique<double[]>(from.rows);
  for (std::size_t i = 0; i < from.rows; ++i) {
    out.steps[i] = from.steps[order[i]];
    out.values[i] = from.values[order[i]];
  }
  return out;
}

Digest plainly(const Series& series, std::size_t tail) {
  const SeriesColumns columns = in_order(series.columns(false));
  Digest out;
  out.count = columns.rows;
  if (columns.rows == 0) return out;
  const double* values = columns.values.get();
  out.first = values[0];
  out.last = values[columns.rows - 1];
  out.last_step = static_cast<double>(columns.steps[columns.rows - 1]);
  for (std::size_t i = 0; i < columns.rows; ++i) {
    if (!std::isfinite(values[i])) continue;
    if (!(values[i] >= out.min)) {
      out.min = values[i];
      out.min_step = static_cast<double>(columns.steps[i]);
    }
    if (!(values[i] <= out.max)) {
      out.max = values[i];
      out.max_step = static_cast<double>(columns.steps[i]);
    }
  }
  out.mean = finite_mean(values, columns.rows);
  const std::size_t rows = std::min(tail, columns.rows);
  out.tail = finite_mean(values + columns.rows - rows, rows);
  return out;
}

void check_alike(const Series& series, std::size_t tail) {
  const Digest got = digest(series, tail);
  const Digest want = plainly(series, tail);
  CHECK(got.count == want.count);
  CHECK(same(got.first, want.first) && same(got.last, want.last) && same(got.last_step, want.last_step));
  CHECK(same(got.min, want.min) && same(got.max, want.max));
  CHECK(same(got.min_step, want.min_step) && same(got.max_step, want.max_step));
  CHECK(close(got.mean, want.mean) && close(got.tail, want.tail));
}

}  // namespace

TEST(digest_equals_its_definition_with_restarts_and_however_it_is_cut) {
  Random random(5);
  for (int round = 0; round < 60; ++round) {
    Points points;
    std::int64_t step = 0;
    const std::uint64_t rows = random.below(6000);
    for (std::uint64_t i = 0; i < rows; ++i) {
      if (random.below(900) == 0) step = std::max<std::int64_t>(0, step - static_cast<std::int64_t>(random.below(500)));
      // Few distinct values, so that the extremes are reached more than once.
      points.add(step++, 0, std::round(random.value()));
    }
    std::vector<Span> spans;
    if (round % 2 == 0) {
      spans = {{0, 0, static_cast<std::int64_t>(random.below(rows + 1))}, {random.below(rows + 1), 1, {}}};
    }
    const StoredSeries stored(points, 1 + random.below(5000), spans);
    check_alike(stored.series(), random.below(2000));
  }
}

TEST(digest_of_nothing_finite_has_no_extremes) {
  Points points;
  points.add(3, 0, std::numeric_limits<double>::infinity());
  points.add(4, 0, std::numeric_limits<double>::quiet_NaN());
  const StoredSeries stored(points);
  const Digest got = digest(stored.series(), 10);
  CHECK(got.count == 2 && std::isinf(got.first) && std::isnan(got.last) && got.last_step == 4);
  CHECK(std::isnan(got.min) && std::isnan(got.min_step) && std::isnan(got.mean) && std::isnan(got.tail));
}

TEST(digest_of_an_empty_series) {
  const StoredSeries stored(Points{});
  CHECK(digest(stored.series(), 10).count == 0);
}

TEST(digest_of_huge_values_does_not_run_over) {
  Points points;
  for (int i = 0; i < 600; ++i) points.add(i, 0, 1.5e308);
  const StoredSeries stored(points);
  CHECK(digest(stored.series(), 300).mean == 1.5e308 && digest(stored.series(), 300).tail == 1.5e308);
}

}  // namespace seamark
