#include "layout/repulsion_tree.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

namespace seamark {
namespace {

constexpr unsigned kLevels = 20;        // halvings of the root; points that still share a cell count as one
constexpr std::size_t kLeafPoints = 8;  // smaller cells cost more than their points
constexpr std::size_t kGroupPoints = 32;
constexpr std::size_t kLanes = 8;  // points of a group whose forces are summed at the same time

// Spreads the bits so that kDims - 1 zeros follow each.
template <std::size_t kDims>
std::uint64_t spread(std::uint64_t bits) {
  if constexpr (kDims == 2) {
    bits = (bits | bits << 16) & 0x0000FFFF0000FFFF;
    bits = (bits | bits << 8) & 0x00FF00FF00FF00FF;
    bits = (bits | bits << 4) & 0x0F0F0F0F0F0F0F0F;
    bits = (bits | bits << 2) & 0x3333333333333333;
    return (bits | bits << 1) & 0x5555555555555555;
  } else {
    bits = (bits | bits << 32) & 0x001F00000000FFFF;
    bits = (bits | bits << 16) & 0x001F0000FF0000FF;
    bits = (bits | bits << 8) & 0x100F00F00F00F00F;
    bits = (bits | bits << 4) & 0x10C30C30C30C30C3;
    return (bits | bits << 2) & 0x1249249249249249;
  }
}

struct CodedPoint {
  std::uint64_t code;
  std::uint32_t point;
};

// By code; points with equal codes stay in order.
void radix_sort(std::vector<CodedPoint>& points, unsigned bits) {
  constexpr unsigned kDigitBits = 11;
  constexpr std::size_t kDigits = std::size_t{1} << kDigitBits;
  std::vector<CodedPoint> sorted(points.size());
  for (unsigned shift = 0; shift < bits; shift += kDigitBits) {
    const auto digit = [&](const CodedPoint& point) { return (point.code >> shift) & (kDigits - 1); };
    std::array<std::size_t, kDigits> at{};
    for (const CodedPoint& point : points) ++at[digit(point)];
    std::size_t start = 0;
    for (std::size_t& count : at) start += std::exchange(count, start);
    for (const CodedPoint& point : points) sorted[at[digit(point)]++] = point;
    points.swap(sorted);
  }
}

}  // namespace

// Single points, and cells that count as one.
template <std::size_t kDims>
struct RepulsionTree<kDims>::ActingPoints {
  struct Point {
    float coordinates[kDims];
    float count;
  };
  std::vector<Point> points;
};

template <std::size_t kDims>
RepulsionTree<kDims>::RepulsionTree(std::span<const float> positions, float theta) : theta_(theta) {
  if (positions.size() % kDims != 0) throw std::invalid_argument("the positions are no whole points");
  if (positions.size() / kDims > std::numeric_limits<std::uint32_t>::max())
    throw std::invalid_argument("too many points");
  for (const float coordinate : positions) {
    if (!std::isfinite(coordinate)) throw std::invalid_argument("a position is not finite");
  }
  if (positions.empty()) return;
  sort_points(positions);
  cells_.reserve(points() / 2 + 16);
  add_cell({0, points()}, 0, false);
}

template <std::size_t kDims>
void RepulsionTree<kDims>::sort_points(std::span<const float> positions) {
  const std::size_t count = positions.size() / kDims;
  float low[kDims];
  for (std::size_t axis = 0; axis < kDims; ++axis) {
    float high = low[axis] = positions[axis];
    for (std::size_t at = axis; at < positions.size(); at += kDims) {
      low[axis] = std::min(low[axis], positions[at]);
      high = std::max(high, positions[at]);
    }
    side_ = std::max(side_, high - low[axis]);
  }
  constexpr float kLastStep = (1U << kLevels) - 1;
  // 0 if all points are at one position, or so close that the scale would overflow.
  const float scale = side_ > std::numeric_limits<float>::min() * kLastStep ? kLastStep / side_ : 0;
  std::vector<CodedPoint> coded(count);
  for (std::size_t point = 0; point < count; ++point) {
    std::uint64_t code = 0;
    for (std::size_t axis = 0; axis < kDims; ++axis) {
      const float step = std::min((positions[point * kDims + axis] - low[axis]) * scale, kLastStep);
      code |= spread<kDims>(static_cast<std::uint64_t>(step)) << axis;
    }
    coded[point] = {code, static_cast<std::uint32_t>(point)};
  }
  radix_sort(coded, kLevels * kDims);
  order_.resize(count);
  codes_.resize(count);
  for (auto& column : coordinates_) column.resize(count);
  for (std::size_t at = 0; at < count; ++at) {
    order_[at] = coded[at].point;
    codes_[at] = coded[at].code;
    for (std::size_t axis = 0; axis < kDims; ++axis) {
      coordinates_[axis][at] = positions[std::size_t{coded[at].point} * kDims + axis];
    }
  }
}

// Recurses kLevels deep at most.
template <std::size_t kDims>
void RepulsionTree<kDims>::add_cell(Range range, unsigned level, bool is_in_group) {
  if (!is_in_group && (range.size() <= kGroupPoints || level == kLevels)) {
    groups_.push_back(range);
    is_in_group = true;
  }
  const std::size_t index = cells_.size();
  const bool is_leaf = range.size() <= kLeafPoints || level == kLevels;
  // Points at the last level are one: its side of 0 passes every comparison.
  const float side = level == kLevels ? 0 : std::ldexp(side_, -static_cast<int>(level));
  Cell& cell = cells_.emplace_back(Cell{{}, side, range, 0, is_leaf});
  for (std::size_t axis = 0; axis < kDims; ++axis) {
    double sum = 0;
    for (std::size_t at = range.first; at < range.end; ++at) sum += double{coordinates_[axis][at]};
    cell.middle[axis] = static_cast<float>(sum / static_cast<double>(range.size()));
  }
  if (!is_leaf) {
    const unsigned shift = (kLevels - 1 - level) * kDims;
    for (std::size_t first = range.first; first < range.end;) {
      const auto begin = codes_.begin() + static_cast<std::ptrdiff_t>(first);
      const auto end = codes_.begin() + static_cast<std::ptrdiff_t>(range.end);
      const std::uint64_t child = codes_[first] >> shift;
      const auto past = std::partition_point(begin, end, [&](std::uint64_t code) { return code >> shift == child; });
      const auto child_end = first + static_cast<std::size_t>(past - begin);
      add_cell({first, child_end}, level + 1, is_in_group);
      first = child_end;
    }
  }
  cells_[index].next = cells_.size();
}

template <std::size_t kDims>
void RepulsionTree<kDims>::collect(Range group, ActingPoints& acting) const {
  float low[kDims];
  float high[kDims];
  for (std::size_t axis = 0; axis < kDims; ++axis) {
    const float* begin = coordinates_[axis].data();
    const auto [least, most] = std::minmax_element(begin + group.first, begin + group.end);
    low[axis] = *least;
    high[axis] = *most;
  }
  acting.points.clear();
  for (std::size_t index = 0; index < cells_.size();) {
    const Cell& cell = cells_[index];
    float square = 0;
    for (std::size_t axis = 0; axis < kDims; ++axis) {
      const float away = std::max({low[axis] - cell.middle[axis], cell.middle[axis] - high[axis], 0.F});
      square += away * away;
    }
    if (cell.side == 0 || cell.side * cell.side < theta_ * theta_ * square) {
      auto& point = acting.points.emplace_back();
      std::copy_n(cell.middle, kDims, point.coordinates);
      point.count = static_cast<float>(cell.range.size());
      index = cell.next;
    } else if (cell.is_leaf) {
      for (std::size_t at = cell.range.first; at < cell.range.end; ++at) {
        auto& point = acting.points.emplace_back();
        for (std::size_t axis = 0; axis < kDims; ++axis) point.coordinates[axis] = coordinates_[axis][at];
        point.count = 1;
      }
      index = cell.next;
    } else {
      ++index;
    }
  }
}

template <std::size_t kDims>
void RepulsionTree<kDims>::apply(const ActingPoints& acting, Range group, std::span<float> forces,
                                 std::span<float> sums) const {
  for (std::size_t first = group.first; first < group.end; first += kLanes) {
    const std::size_t lanes = std::min(kLanes, group.end - first);
    float own[kDims][kLanes] = {};
    for (std::size_t axis = 0; axis < kDims; ++axis) {
      std::copy_n(coordinates_[axis].data() + first, lanes, own[axis]);
    }
    float force[kDims][kLanes] = {};
    float sum[kLanes] = {};
    for (const auto& other : acting.points) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        float away[kDims];
        float square = 1;
        for (std::size_t axis = 0; axis < kDims; ++axis) {
          away[axis] = own[axis][lane] - other.coordinates[axis];
          square += away[axis] * away[axis];
        }
        const float q = 1 / square;
        const float weighted = other.count * q;
        sum[lane] += weighted;
        for (std::size_t axis = 0; axis < kDims; ++axis) force[axis][lane] += weighted * q * away[axis];
      }
    }
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const std::size_t point = order_[first + lane];
      for (std::size_t axis = 0; axis < kDims; ++axis) forces[point * kDims + axis] = force[axis][lane];
      // Without the point itself, which acts with q = 1 and no force.
      sums[point] = std::max(sum[lane] - 1, 0.F);
    }
  }
}

template <std::size_t kDims>
void RepulsionTree<kDims>::repel(std::size_t first, std::size_t end, std::span<float> forces,
                                 std::span<float> sums) const {
  if (first > end || end > groups()) throw std::invalid_argument("the range is not within the groups");
  if (forces.size() != points() * kDims || sums.size() != points()) {
    throw std::invalid_argument("forces and sums do not fit the points");
  }
  ActingPoints acting;
  for (std::size_t group = first; group < end; ++group) {
    collect(groups_[group], acting);
    apply(acting, groups_[group], forces, sums);
  }
}

template class RepulsionTree<2>;
template class RepulsionTree<3>;

}  // namespace seamark
