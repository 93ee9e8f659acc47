#include "bins.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace seamark {
namespace {

// Numbers in the order of their size, as unsigned integers.
std::uint64_t rank_of(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  return (bits >> 63) != 0 ? ~bits : bits | (std::uint64_t{1} << 63);
}

// Sign, exponent and four bits of the fraction: fine enough that a cell holds an edge or two when each edge is a tenth
// above the one before, as in the edges that training programs use.
constexpr unsigned kCellBits = 16;
std::size_t cell_of(double value) { return rank_of(value) >> (64 - kCellBits); }

// For each cell, the edges that lie in lower cells.
std::vector<std::uint32_t> edges_below(std::span<const double> edges) {
  std::vector<std::uint32_t> below(std::size_t{1} << kCellBits);
  std::size_t cell = 0;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    for (const std::size_t last = cell_of(edges[i]); cell <= last; ++cell) below[cell] = static_cast<std::uint32_t>(i);
  }
  for (; cell < below.size(); ++cell) below[cell] = static_cast<std::uint32_t>(edges.size());
  return below;
}

template <class T>
BinCounts count(std::span<const T> values, std::span<const double> edges) {
  const auto falls = [](double one, double next) { return !(one <= next); };  // also where either is NaN
  if (edges.size() < 2 || std::adjacent_find(edges.begin(), edges.end(), falls) != edges.end()) {
    throw std::invalid_argument("edges must be ascending and at least two");
  }
  const std::vector<std::uint32_t> below = edges_below(edges);
  // Slot 0 is for what lies below all edges, the last one for what lies above.
  std::vector<std::int64_t> slots(edges.size() + 1);
  BinCounts out;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const T narrow : values) {
    const auto value = static_cast<double>(narrow) + 0.0;  // -0 is 0: both lie at the same edge
    if (!std::isfinite(value)) continue;
    low = std::min(low, value);
    high = std::max(high, value);
    out.sum += value;
    out.sum_squares += value * value;
    ++out.finite;
    std::size_t at = below[cell_of(value)];
    while (at < edges.size() && edges[at] <= value) ++at;
    ++slots[at];
  }
  if (out.finite != 0) out.min = low, out.max = high;
  out.counts.assign(slots.begin() + 1, slots.end() - 1);
  // The last bin is closed: what equals the last edge was put above it.
  if (high >= edges.back()) {
    for (const T narrow : values) out.counts.back() += static_cast<double>(narrow) == edges.back() ? 1 : 0;
  }
  return out;
}

}  // namespace

BinCounts count_between(std::span<const float> values, std::span<const double> edges) { return count(values, edges); }
BinCounts count_between(std::span<const double> values, std::span<const double> edges) { return count(values, edges); }

}  // namespace seamark
