#include "columns/pyramid.h"

#include <algorithm>

#include "testing/stored_series.h"

namespace seamark {
using testing::close;
using testing::Random;
using testing::same;

namespace {

Cell plainly(const std::vector<double>& values, std::size_t begin, std::size_t end) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Cell cell{nan, nan, values[begin], values[end - 1], nan, 0, 0, 0, 0};
  long double sum = 0;
  for (std::size_t i = begin; i < end; ++i) {
    const double value = values[i];
    if (std::isnan(value)) {
      ++cell.nan;
    } else if (std::isinf(value)) {
      ++(value > 0 ? cell.posinf : cell.neginf);
    } else {
      cell.min = cell.finite == 0 ? value : std::min(cell.min, value);
      cell.max = cell.finite == 0 ? value : std::max(cell.max, value);
      sum += static_cast<long double>(value);
      ++cell.finite;
    }
  }
  if (cell.finite > 0) cell.mean = static_cast<double>(sum / cell.finite);
  return cell;
}

bool alike(const Cell& a, const Cell& b) {
  return same(a.min, b.min) && same(a.max, b.max) && same(a.first, b.first) && same(a.last, b.last) &&
         (same(a.mean, b.mean) || std::abs(a.mean - b.mean) < 1e-12) && a.finite == b.finite && a.nan == b.nan &&
         a.posinf == b.posinf && a.neginf == b.neginf;
}

}  // namespace

TEST(pyramid_range_equals_a_plain_walk) {
  Random random(5);
  std::vector<double> values(3 * kCoarseRows + 777);
  for (double& value : values) value = random.value();
  std::fill_n(values.begin() + 300, 600, std::numeric_limits<double>::quiet_NaN());
  std::vector<Cell> cells(cells_of(values.size()));
  build_cells(values, cells.data());
  const PyramidView level{values.data(), cells.data(), cells.data() + fine_cells(values.size()), values.size()};
  for (int i = 0; i < 500; ++i) {
    const std::size_t begin = random.below(values.size());
    const std::size_t end = begin + 1 + random.below(values.size() - begin);
    Tally tally;
    tally_range(level, begin, end, tally);
    CHECK(alike(tally.cell(values[begin], values[end - 1]), plainly(values, begin, end)));
  }
}

TEST(pyramid_mean_of_huge_values_does_not_run_over) {
  const double huge = std::numeric_limits<double>::max();
  const std::vector<double> values(kCoarseRows, huge);
  CHECK(summarize(values).mean == huge);
  std::vector<Cell> cells(cells_of(values.size()));
  build_cells(values, cells.data());
  CHECK(cells.back().mean == huge && cells.front().mean == huge);
  CHECK(summarize(std::vector<double>{huge, huge, -huge, -huge}).mean == 0);
}

TEST(pyramid_mean_of_tiny_values_is_exact) {
  const double tiny = std::numeric_limits<double>::denorm_min();
  CHECK(summarize(std::vector<double>(3, tiny)).mean == tiny);
}

TEST(pyramid_of_nothing_finite_is_nan) {
  const Cell cell = summarize(std::vector<double>{std::nan(""), -std::numeric_limits<double>::infinity()});
  CHECK(std::isnan(cell.min) && std::isnan(cell.max) && std::isnan(cell.mean) && cell.nan == 1 && cell.neginf == 1);
}

}  // namespace seamark
