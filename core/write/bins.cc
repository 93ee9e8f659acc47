#include "write/bins.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <type_traits>

namespace seamark {
namespace {

// Maps numbers to unsigned integers of the same order.
std::uint64_t rank_of(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  return (bits >> 63) != 0 ? ~bits : bits | (std::uint64_t{1} << 63);
}

// Sign, exponent and four bits of the fraction: a cell then contains one or two edges if each edge is 10% above the one
// before, as training programs choose them.
constexpr unsigned kCellBits = 16;
std::size_t cell_of(double value) { return rank_of(value) >> (64 - kCellBits); }

// For each cell, the number of edges in lower cells.
std::vector<std::uint32_t> edges_below(std::span<const double> edges) {
  std::vector<std::uint32_t> below(std::size_t{1} << kCellBits);
  std::size_t cell = 0;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    for (const std::size_t last = cell_of(edges[i]); cell <= last; ++cell) below[cell] = static_cast<std::uint32_t>(i);
  }
  for (; cell < below.size(); ++cell) below[cell] = static_cast<std::uint32_t>(edges.size());
  return below;
}

// The cells of the edges. If no cell contains two edges, one comparison finds the bin of a value.
struct Cells {
  std::vector<std::uint32_t> below;
  std::vector<double> edges;  // with infinity at the end
  bool has_fine_cells = true;

  explicit Cells(std::span<const double> given) : below(edges_below(given)), edges(given.begin(), given.end()) {
    edges.push_back(std::numeric_limits<double>::infinity());
    for (std::size_t i = 1; i < given.size(); ++i)
      has_fine_cells = has_fine_cells && cell_of(given[i - 1]) != cell_of(given[i]);
  }

  std::size_t slot_of(double value) const {
    std::size_t at = below[cell_of(value)];
    while (edges[at] <= value) ++at;
    return at;
  }
  std::size_t slot_by_one_comparison(double value) const {
    const std::size_t at = below[cell_of(value)];
    return at + (edges[at] <= value ? 1 : 0);
  }
};

// Several sums side by side, because each addition of a single chain waits for the one before.
constexpr std::size_t kLanes = 8;
// Values are processed in blocks that stay in the first-level cache between the passes.
constexpr std::size_t kBlock = 1024;

struct Sums {
  std::array<double, kLanes> low, high, sum{}, squares{};
  std::uint64_t finite = 0;

  Sums() {
    low.fill(std::numeric_limits<double>::infinity());
    high.fill(-std::numeric_limits<double>::infinity());
  }

  void add(std::span<const double, kBlock> block) {
    for (std::size_t i = 0; i < kBlock; i += kLanes) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        const double value = block[i + lane];
        low[lane] = value < low[lane] ? value : low[lane];
        high[lane] = value > high[lane] ? value : high[lane];
        sum[lane] += value;
        squares[lane] += value * value;
      }
    }
    finite += kBlock;
  }

  void add_one(double value) {
    low[0] = std::min(low[0], value);
    high[0] = std::max(high[0], value);
    sum[0] += value;
    squares[0] += value * value;
    ++finite;
  }
};

// Converts a block to doubles, -0 to 0, since both are the same edge. True if all values are finite.
template <class T>
bool widen(std::span<const T> values, std::span<double> out) {
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  const auto infinity = std::bit_cast<Bits>(std::numeric_limits<T>::infinity());
  // The exponent of NaN and infinities is all ones.
  Bits odd = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    out[i] = static_cast<double>(values[i]) + 0.0;
    odd |= static_cast<Bits>((std::bit_cast<Bits>(values[i]) & infinity) == infinity);
  }
  return odd == 0;
}

template <class T>
BinCounts count(std::span<const T> values, std::span<const double> edges) {
  const auto falls = [](double one, double next) { return !(one <= next); };  // also if either is NaN
  if (edges.size() < 2 || std::adjacent_find(edges.begin(), edges.end(), falls) != edges.end()) {
    throw std::invalid_argument("edges must be ascending and at least two");
  }
  const Cells cells(edges);
  // Slot 0 is for values below all edges, the last one for values above. Two rows of slots, so that neighbouring values
  // in the same slot do not wait for each other.
  std::vector<std::int64_t> slots(edges.size() + 1), more(edges.size() + 1);
  Sums sums;
  std::array<double, kBlock> block;
  for (std::size_t start = 0; start < values.size(); start += kBlock) {
    const auto part = values.subspan(start, std::min(kBlock, values.size() - start));
    const bool is_plain = widen(part, std::span<double>(block)) && part.size() == kBlock && cells.has_fine_cells;
    if (is_plain) {
      sums.add(block);
      for (std::size_t i = 0; i < kBlock; i += 2) {
        ++slots[cells.slot_by_one_comparison(block[i])];
        ++more[cells.slot_by_one_comparison(block[i + 1])];
      }
      continue;
    }
    for (std::size_t i = 0; i < part.size(); ++i) {
      if (!std::isfinite(block[i])) continue;
      sums.add_one(block[i]);
      ++slots[cells.slot_of(block[i])];
    }
  }
  for (std::size_t i = 0; i < slots.size(); ++i) slots[i] += more[i];
  BinCounts out;
  out.finite = sums.finite;
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    out.sum += sums.sum[lane];
    out.sum_squares += sums.squares[lane];
  }
  const double high = *std::ranges::max_element(sums.high);
  if (out.finite != 0) out.min = *std::ranges::min_element(sums.low), out.max = high;
  out.counts.assign(slots.begin() + 1, slots.end() - 1);
  // The last bin is closed, but values equal to the last edge are in the slot above it.
  if (high >= edges.back()) {
    for (const T narrow : values) out.counts.back() += static_cast<double>(narrow) == edges.back() ? 1 : 0;
  }
  return out;
}

}  // namespace

BinCounts count_between(std::span<const float> values, std::span<const double> edges) { return count(values, edges); }
BinCounts count_between(std::span<const double> values, std::span<const double> edges) { return count(values, edges); }

}  // namespace seamark
