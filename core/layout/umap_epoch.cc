#include "layout/umap_epoch.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

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
  const double before = std::floor(static_cast<double>(epoch) * double{weight});
  return std::floor(static_cast<double>(epoch + 1) * double{weight}) > before;
}

// As in the paper's program: a step along one axis is at most this.
float limited(float step) { return std::clamp(step, -4.F, 4.F); }

template <std::size_t kDims>
float away_from(const float* own, const float* other, float (&away)[kDims]) {
  float square = 0;
  for (std::size_t axis = 0; axis < kDims; ++axis) {
    away[axis] = own[axis] - other[axis];
    square += away[axis] * away[axis];
  }
  return square;
}

template <std::size_t kDims>
void attract_pair(float* own, float* other, const UmapEpoch& epoch) {
  float away[kDims];
  const float square = away_from<kDims>(own, other, away);
  if (square <= 0) return;
  const float power = std::pow(square, epoch.b);
  const float pull = -2 * epoch.a * epoch.b * power / (square * (1 + epoch.a * power));
  for (std::size_t axis = 0; axis < kDims; ++axis) {
    const float step = epoch.learning_rate * limited(pull * away[axis]);
    own[axis] += step;
    other[axis] -= step;
  }
}

template <std::size_t kDims>
void repel_from(float* own, const float* other, const UmapEpoch& epoch) {
  float away[kDims];
  const float square = away_from<kDims>(own, other, away);
  if (square <= 0) return;
  const float push = 2 * epoch.b / ((0.001F + square) * (1 + epoch.a * std::pow(square, epoch.b)));
  for (std::size_t axis = 0; axis < kDims; ++axis) own[axis] += epoch.learning_rate * limited(push * away[axis]);
}

template <std::size_t kDims>
void run_epoch_in(const NeighbourGraph& graph, float* positions, const UmapEpoch& epoch) {
  Random random(Random(epoch.seed).next() ^ epoch.epoch);
  const std::size_t points = graph.points();
  for (std::size_t point = 0; point < points; ++point) {
    float* own = positions + point * kDims;
    for (std::size_t at = graph.starts[point]; at < graph.starts[point + 1]; ++at) {
      if (!takes_part(graph.weights[at], epoch.epoch)) continue;
      attract_pair<kDims>(own, positions + std::size_t{graph.neighbours[at]} * kDims, epoch);
      for (unsigned sample = 0; sample < epoch.negative_samples; ++sample) {
        repel_from<kDims>(own, positions + random.below(points) * kDims, epoch);
      }
    }
  }
}

}  // namespace

void run_umap_epoch(const NeighbourGraph& graph, std::span<float> positions, std::size_t dims, const UmapEpoch& epoch) {
  if (dims != 2 && dims != 3) throw std::invalid_argument("a layout has 2 or 3 dimensions");
  if (positions.size() != graph.points() * dims) throw std::invalid_argument("the positions do not fit the graph");
  const auto run_epoch = dims == 2 ? run_epoch_in<2> : run_epoch_in<3>;
  run_epoch(graph, positions.data(), epoch);
}

}  // namespace seamark
