#include "columns/pyramid.h"

#include <algorithm>
#include <cmath>

namespace seamark {

// The exponent of infinities and NaNs is all ones: adding one carries into the sign bit. Integer arithmetic, so that
// the compiler vectorises it.
bool all_finite(std::span<const double> values) {
  constexpr std::uint64_t kExponent = 0x7ff0000000000000U;
  constexpr std::uint64_t kLowestExponentBit = 0x0010000000000000U;
  std::uint64_t seen = 0;
  for (const double value : values) seen |= (std::bit_cast<std::uint64_t>(value) & kExponent) + kLowestExponentBit;
  return (seen >> 63) == 0;
}

void Tally::add(std::span<const double> values) {
  if (all_finite(values)) {
    add_finite(values);
  } else {
    add_mixed(values);
  }
}

// Four lanes, because each addition of a single chain waits for the one before.
void Tally::add_finite(std::span<const double> values) {
  double sum[4] = {sum_, 0, 0, 0};
  double low[4] = {min_, min_, min_, min_};
  double high[4] = {max_, max_, max_, max_};
  const std::size_t whole = values.size() & ~std::size_t{3};
  for (std::size_t i = 0; i < whole; i += 4) {
    for (std::size_t lane = 0; lane < 4; ++lane) {
      const double value = values[i + lane];
      sum[lane] += value * scale_;
      low[lane] = value < low[lane] ? value : low[lane];
      high[lane] = value > high[lane] ? value : high[lane];
    }
  }
  for (std::size_t i = whole; i < values.size(); ++i) {
    sum[0] += values[i] * scale_;
    low[0] = std::min(low[0], values[i]);
    high[0] = std::max(high[0], values[i]);
  }
  sum_ = (sum[0] + sum[1]) + (sum[2] + sum[3]);
  min_ = std::min(std::min(low[0], low[1]), std::min(low[2], low[3]));
  max_ = std::max(std::max(high[0], high[1]), std::max(high[2], high[3]));
  finite_ += values.size();
}

void Tally::add_mixed(std::span<const double> values) {
  for (const double value : values) {
    if (std::isfinite(value)) {
      sum_ += value * scale_;
      min_ = std::min(min_, value);
      max_ = std::max(max_, value);
      ++finite_;
    } else if (std::isnan(value)) {
      ++nan_;
    } else if (value > 0) {
      ++posinf_;
    } else {
      ++neginf_;
    }
  }
}

void Tally::add(const Cell& cell) {
  nan_ += cell.nan;
  posinf_ += cell.posinf;
  neginf_ += cell.neginf;
  if (cell.finite == 0) return;
  sum_ += cell.mean * scale_ * cell.finite;
  min_ = std::min(min_, cell.min);
  max_ = std::max(max_, cell.max);
  finite_ += cell.finite;
}

bool Tally::is_finite() const { return std::isfinite(sum_); }

Cell Tally::cell(double first, double last) const {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const auto narrow = [](std::uint64_t count) {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(count, std::numeric_limits<std::uint32_t>::max()));
  };
  Cell out{kNan, kNan, first, last, kNan, narrow(finite_), narrow(nan_), narrow(posinf_), narrow(neginf_)};
  if (finite_ > 0) {
    out.min = min_;
    out.max = max_;
    // Rounding may move a mean past the extremes; the mean of equal values must be that value.
    out.mean = std::min(std::max(sum_ / static_cast<double>(finite_) / scale_, min_), max_);
  }
  return out;
}

Cell summarize(std::span<const double> values) {
  Tally tally;
  tally.add(values);
  if (!tally.is_finite()) {
    tally = Tally(Tally::kSafeScale);
    tally.add(values);
  }
  return tally.cell(values.front(), values.back());
}

void tally_range(const PyramidView& series, std::uint64_t begin, std::uint64_t end, Tally& out) {
  const auto raw = [&](std::uint64_t from, std::uint64_t to) {
    if (from < to) out.add(std::span(series.values + from, static_cast<std::size_t>(to - from)));
  };
  end = std::min(end, series.rows);
  const std::uint64_t fine_begin = (begin + kFineRows - 1) / kFineRows;
  const std::uint64_t fine_end = std::min(end / kFineRows, fine_cells(series.rows));
  if (series.fine == nullptr || fine_begin >= fine_end) return raw(begin, end);
  raw(begin, fine_begin * kFineRows);
  const std::uint64_t coarse_begin = (fine_begin + kCoarseCells - 1) / kCoarseCells;
  const std::uint64_t coarse_end = std::min(fine_end / kCoarseCells, coarse_cells(series.rows));
  if (coarse_begin >= coarse_end) {
    for (std::uint64_t i = fine_begin; i < fine_end; ++i) out.add(series.fine[i]);
  } else {
    for (std::uint64_t i = fine_begin; i < coarse_begin * kCoarseCells; ++i) out.add(series.fine[i]);
    for (std::uint64_t i = coarse_begin; i < coarse_end; ++i) out.add(series.coarse[i]);
    for (std::uint64_t i = coarse_end * kCoarseCells; i < fine_end; ++i) out.add(series.fine[i]);
  }
  raw(fine_end * kFineRows, end);
}

void build_cells(std::span<const double> values, Cell* out) {
  const std::size_t fine = static_cast<std::size_t>(fine_cells(values.size()));
  const std::size_t coarse = static_cast<std::size_t>(coarse_cells(values.size()));
  for (std::size_t i = 0; i < fine; ++i) out[i] = summarize(values.subspan(i * kFineRows, kFineRows));
  for (std::size_t i = 0; i < coarse; ++i) {
    const std::size_t begin = i * kCoarseRows;
    for (const double scale : {1.0, Tally::kSafeScale}) {
      Tally tally(scale);
      for (std::size_t cell = 0; cell < kCoarseCells; ++cell) tally.add(out[i * kCoarseCells + cell]);
      out[fine + i] = tally.cell(values[begin], values[begin + kCoarseRows - 1]);
      if (tally.is_finite()) break;
    }
  }
}

}  // namespace seamark
