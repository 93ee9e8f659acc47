#include "layout/attraction.h"

#include <stdexcept>

namespace seamark {
namespace {

template <std::size_t kDims>
void attract_in(const NeighbourGraph& graph, const float* positions, std::size_t first, std::size_t end,
                float* forces) {
  for (std::size_t point = first; point < end; ++point) {
    const float* own = positions + point * kDims;
    float sum[kDims] = {};
    for (std::size_t at = graph.starts[point]; at < graph.starts[point + 1]; ++at) {
      const float* other = positions + std::size_t{graph.neighbours[at]} * kDims;
      float away[kDims];
      float square = 1;
      for (std::size_t axis = 0; axis < kDims; ++axis) {
        away[axis] = own[axis] - other[axis];
        square += away[axis] * away[axis];
      }
      const float pull = graph.weights[at] / square;
      for (std::size_t axis = 0; axis < kDims; ++axis) sum[axis] += pull * away[axis];
    }
    for (std::size_t axis = 0; axis < kDims; ++axis) forces[point * kDims + axis] = sum[axis];
  }
}

}  // namespace

void attract(const NeighbourGraph& graph, std::span<const float> positions, std::size_t dims, std::size_t first,
             std::size_t end, std::span<float> forces) {
  if (dims != 2 && dims != 3) throw std::invalid_argument("a layout has 2 or 3 dimensions");
  if (positions.size() != graph.points() * dims || forces.size() != positions.size()) {
    throw std::invalid_argument("positions and forces do not fit the points of the graph");
  }
  if (first > end || end > graph.points()) throw std::invalid_argument("the range is not within the points");
  const auto attract_range = dims == 2 ? attract_in<2> : attract_in<3>;
  attract_range(graph, positions.data(), first, end, forces.data());
}

}  // namespace seamark
