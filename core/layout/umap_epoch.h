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

// An edge takes part in as many of the epochs as its weight says: 1 in every epoch, 0.5 in every second one. Weights
// are at most 1. The result depends on the arguments only: epochs may be computed in several calls. Throws
// invalid_argument for sizes that do not fit; `dims` is 2 or 3.
void run_umap_epoch(const NeighbourGraph& graph, std::span<float> positions, std::size_t dims, const UmapEpoch& epoch);

}  // namespace seamark
