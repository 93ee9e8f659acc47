// The forces of t-SNE between neighbours.
#pragma once

#include <cstddef>
#include <span>

#include "layout/neighbour_graph.h"

namespace seamark {

// Writes the sum of weight * (a - b) / (1 + |a - b|²) over the neighbours b of each point a in [first, end). The points
// have `dims` coordinates, 2 or 3. Threads may share the work by ranges. Throws invalid_argument for sizes that do not
// fit.
void attract(const NeighbourGraph& graph, std::span<const float> positions, std::size_t dims, std::size_t first,
             std::size_t end, std::span<float> forces);

}  // namespace seamark
