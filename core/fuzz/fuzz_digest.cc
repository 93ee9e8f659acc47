// Any bytes as points in stripes and attempts: the digest, which uses the pyramid, must equal one over all points.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "query/digest.h"

namespace {

using namespace seamark;

void require(bool condition) {
  if (!condition) std::abort();
}

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

// Means are added up in another order.
bool near(double a, double b, double scale) { return same(a, b) || std::abs(a - b) <= 1e-9 * scale; }

constexpr std::size_t kRowBytes = 3;

// One byte of step, two of value; the two extremes stand for NaN and infinity.
ScalarRow row_of(const std::uint8_t* at) {
  const auto value = load<std::int16_t>(at + 1);
  double number = value;
  if (value == std::numeric_limits<std::int16_t>::max()) number = std::numeric_limits<double>::quiet_NaN();
  if (value == std::numeric_limits<std::int16_t>::min()) number = std::numeric_limits<double>::infinity();
  return {static_cast<std::int8_t>(at[0]), 0, number, 0};
}

double finite_mean(const std::vector<ScalarRow>& rows, std::size_t begin) {
  double sum = 0;
  std::size_t count = 0;
  for (std::size_t i = begin; i < rows.size(); ++i) {
    if (!std::isfinite(rows[i].value)) continue;
    sum += rows[i].value;
    ++count;
  }
  return count == 0 ? missing<double>() : sum / static_cast<double>(count);
}

Digest plain_digest(std::vector<ScalarRow> rows, std::size_t tail) {
  std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.step < b.step; });
  Digest out;
  out.count = rows.size();
  if (rows.empty()) return out;
  out.first = rows.front().value;
  out.last = rows.back().value;
  out.last_step = static_cast<double>(rows.back().step);
  for (const ScalarRow& row : rows) {
    if (!std::isfinite(row.value)) continue;
    if (!(out.min <= row.value)) out.min = row.value, out.min_step = static_cast<double>(row.step);
    if (!(out.max >= row.value)) out.max = row.value, out.max_step = static_cast<double>(row.step);
  }
  out.mean = finite_mean(rows, 0);
  out.tail = finite_mean(rows, rows.size() - std::min(rows.size(), tail));
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 4) return 0;
  const std::size_t stripe_rows = 1 + 4 * std::size_t{data[0]};
  const std::size_t tail = data[1];
  const auto replaced_from = static_cast<std::int8_t>(data[2]);
  std::vector<ScalarRow> rows;
  for (std::size_t at = 3; at + kRowBytes <= size; at += kRowBytes) rows.push_back(row_of(data + at));
  std::vector<Block> blocks;
  std::vector<Segment> segments;
  for (std::size_t begin = 0; begin < rows.size(); begin += stripe_rows) {
    const std::size_t count = std::min(stripe_rows, rows.size() - begin);
    blocks.push_back(build_stripe(std::span(rows).subspan(begin, count), {}, 1));
    const auto view = StripeView::open(blocks.back().bytes(), true);
    require(static_cast<bool>(view));
    segments.push_back(view->find(0).value());
  }
  // The first half is an attempt whose steps from `replaced_from` on were replaced.
  const std::size_t half = rows.size() / 2;
  const Series series(segments, {{0, 0, replaced_from}, {half, 1, {}}});
  std::vector<ScalarRow> current;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i >= half || rows[i].step < replaced_from) current.push_back(rows[i]);
  }
  const Digest got = digest(series, tail);
  const Digest want = plain_digest(current, tail);
  require(got.count == want.count && same(got.first, want.first) && same(got.last, want.last));
  require(same(got.last_step, want.last_step) && same(got.min, want.min) && same(got.max, want.max));
  require(same(got.min_step, want.min_step) && same(got.max_step, want.max_step));
  require(near(got.mean, want.mean, 32768) && near(got.tail, want.tail, 32768));
  return 0;
}
