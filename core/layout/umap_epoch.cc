#include "layout/umap_epoch.h"

#include <algorithm>
#include <stdexcept>

#include "layout/fast_power.h"

namespace seamark {
namespace {

// SplitMix64 (Steele, Lea and Flood, 2014).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t bits = state_ += 0x9E3779B97F4A7C15;
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EB;
    return bits ^ (bits >> 31);
  }

  // In [0, limit), for limits below 2^32.
  std::size_t below(std::size_t limit) { return static_cast<std::size_t>(((next() >> 32) * limit) >> 32); }

 private:
  std::uint64_t state_;
};

bool takes_part(float weight, std::uint64_t epoch) {
  const auto before = static_cast<std::uint64_t>(static_cast<double>(epoch) * double{weight});
  return static_cast<std::uint64_t>(static_cast<double>(epoch + 1) * double{weight}) > before;
}

// As in the paper's program: a step along one axis is at most this.
constexpr float kMaxStep = 4;

// What one edge does to a point. All forces are those at the position that the point had before.
template <std::size_t kDims>
class EdgeMoves {
 public:
  EdgeMoves(const float* positions, std::size_t points, const UmapEpoch& epoch)
      : positions_(positions),
        points_(points),
        epoch_(epoch) {}

  // The neighbour is in the first lane, the samples are in the others. A lane without a point has distance 0.
  void move(float (&own)[kDims], const float* neighbour, Random& random) const {
    float step[kDims] = {};
    const unsigned others = 1 + epoch_.negative_samples;
    for (unsigned first = 0; first < others; first += kLanes) {
      FloatLanes away[kDims] = {};
      const unsigned end = std::min<unsigned>(kLanes, others - first);
      for (unsigned lane = 0; lane < end; ++lane) {
        const bool is_neighbour = first + lane == 0;
        const float* other = is_neighbour ? neighbour : positions_ + random.below(points_) * kDims;
        for (std::size_t axis = 0; axis < kDims; ++axis) away[axis][lane] = own[axis] - other[axis];
      }
      add_steps(away, first == 0, step);
    }
    for (std::size_t axis = 0; axis < kDims; ++axis) own[axis] += epoch_.learning_rate * step[axis];
  }

 private:
  void add_steps(const FloatLanes (&away)[kDims], bool has_neighbour, float (&step)[kDims]) const {
    FloatLanes square = {};
    for (std::size_t axis = 0; axis < kDims; ++axis) square += away[axis] * away[axis];
    const FloatLanes power = fast_power(square, epoch_.b);
    FloatLanes push = 2 * epoch_.b / ((0.001F + square) * (1 + epoch_.a * power));
    if (has_neighbour) {
      push[0] = 0;
      const float pull = -2 * epoch_.a * epoch_.b * power[0] / (square[0] * (1 + epoch_.a * power[0]));
      if (square[0] > 0) add_attraction(away, pull, step);
    }
    for (std::size_t axis = 0; axis < kDims; ++axis) {
      const FloatLanes steps = limited(push * away[axis], -kMaxStep, kMaxStep);
      step[axis] += (steps[0] + steps[1]) + (steps[2] + steps[3]);
    }
  }

  // The edge is in the graph in both directions, and each of them moves both points towards each other: the second
  // step begins where the first one ended. The moves of the other point are computed where it is the own one.
  void add_attraction(const FloatLanes (&away)[kDims], float pull, float (&step)[kDims]) const {
    for (std::size_t axis = 0; axis < kDims; ++axis) {
      const float first = std::clamp(pull * away[axis][0], -kMaxStep, kMaxStep);
      const float rest = away[axis][0] + 2 * epoch_.learning_rate * first;
      step[axis] += first + std::clamp(pull * rest, -kMaxStep, kMaxStep);
    }
  }

  const float* positions_;
  std::size_t points_;
  const UmapEpoch& epoch_;
};

template <std::size_t kDims>
void run_epoch_in(const NeighbourGraph& graph, const float* before, const UmapEpoch& epoch, std::size_t first,
                  std::size_t end, float* after) {
  const std::uint64_t seed = Random(Random(epoch.seed).next() ^ epoch.epoch).next();
  const EdgeMoves<kDims> moves(before, graph.points(), epoch);
  for (std::size_t point = first; point < end; ++point) {
    Random random(seed ^ (point * 0xD1342543DE82EF95));
    float own[kDims];
    std::copy_n(before + point * kDims, kDims, own);
    for (std::size_t at = graph.starts[point]; at < graph.starts[point + 1]; ++at) {
      if (!takes_part(graph.weights[at], epoch.epoch)) continue;
      moves.move(own, before + std::size_t{graph.neighbours[at]} * kDims, random);
    }
    std::copy_n(own, kDims, after + point * kDims);
  }
}

}  // namespace

void run_umap_epoch(const NeighbourGraph& graph, std::span<const float> before, std::size_t dims,
                    const UmapEpoch& epoch, std::size_t first, std::size_t end, std::span<float> after) {
  if (dims != 2 && dims != 3) throw std::invalid_argument("a layout has 2 or 3 dimensions");
  if (before.size() != graph.points() * dims || after.size() != before.size()) {
    throw std::invalid_argument("the positions do not fit the graph");
  }
  if (first > end || end > graph.points()) throw std::invalid_argument("the range is not within the points");
  const auto run_epoch = dims == 2 ? run_epoch_in<2> : run_epoch_in<3>;
  run_epoch(graph, before.data(), epoch, first, end, after.data());
}

}  // namespace seamark
