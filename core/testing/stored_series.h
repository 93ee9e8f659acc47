// Series made of plain vectors, for tests.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "columns/series.h"
#include "columns/stripe.h"
#include "query/smooth.h"
#include "testing/testing.h"

namespace seamark::testing {

struct Points {
  std::vector<std::int64_t> steps;
  std::vector<double> walls;
  std::vector<double> values;

  std::size_t size() const { return steps.size(); }
  void add(std::int64_t step, double wall, double value) {
    steps.push_back(step);
    walls.push_back(wall);
    values.push_back(value);
  }
};

// One series, cut into stripes of `rows` each.
class StoredSeries {
 public:
  explicit StoredSeries(const Points& points, std::size_t rows = 1 << 20, std::vector<Span> spans = {}) {
    std::vector<Segment> segments;
    for (std::size_t begin = 0; begin < points.size(); begin += rows) {
      std::vector<ScalarRow> part;
      for (std::size_t i = begin; i < std::min(points.size(), begin + rows); ++i) {
        part.push_back({points.steps[i], points.walls[i], points.values[i], 3});
      }
      blocks_.push_back(build_stripe(part, {}, 4));
      const auto view = StripeView::open(blocks_.back().bytes(), true);
      CHECK(view);
      segments.push_back(view->find(3).value());
    }
    series_ = std::make_unique<Series>(std::move(segments), std::move(spans));
  }
  const Series& series() const { return *series_; }

 private:
  std::vector<Block> blocks_;
  std::unique_ptr<Series> series_;
};

// A whole series, smoothed at every point.
inline std::vector<double> smoothed(const std::vector<double>& values, double weight) {
  const bool constant = std::ranges::all_of(values, [&](double value) { return value == values[0]; });
  Debias debias(weight);
  Smoother smoother(debias, constant || values.size() < kMinSmoothedPoints);
  std::vector<double> out;
  for (const double& value : values) {
    smoother.feed({&value, 1});
    out.push_back(smoother.smoothed(value));
  }
  return out;
}

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 2 + 1) {}
  std::uint64_t next() {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return state_ >> 33;
  }
  std::uint64_t below(std::uint64_t bound) { return next() % bound; }
  double unit() { return static_cast<double>(next()) / 2147483648.0; }
  // Sometimes NaN or an infinity.
  double value() {
    const std::uint64_t draw = below(40);
    if (draw == 0) return std::numeric_limits<double>::quiet_NaN();
    if (draw == 1) return std::numeric_limits<double>::infinity();
    if (draw == 2) return -std::numeric_limits<double>::infinity();
    return unit() * 20 - 10;
  }

 private:
  std::uint64_t state_;
};

}  // namespace seamark::testing
