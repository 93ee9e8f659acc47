// One epoch of UMAP: neighbours attract each other, random other points repel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "layout/neighbour_graph.h"

namespace seamark {

struct UmapEpoch {
  std::uint64_t epoch;
  std::uint64_t seed;
  float a;  // points at distance d are neighbours with probability 1 / (1 + a * d^2b)
  float b;
  float learning_rate;
  unsigned negative_samples;  // random points that repel, for each attraction
};

// Moves the points of a range: writes their `after`, from the positions of all points `before` this epoch. So ranges
// may be computed by several threads, and the result depends on the arguments only.
//
// An edge takes part in as many of the epochs as its weight says: 1 in every epoch, 0.5 in every second one. Weights
// are at most 1. Throws invalid_argument for sizes that do not fit; `dims` is 2 or 3.
void run_umap_epoch(const NeighbourGraph& graph, std::span<const float> before, std::size_t dims,
                    const UmapEpoch& epoch, std::size_t first, std::size_t end, std::span<float> after);

}  // namespace seamark
