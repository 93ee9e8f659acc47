// The neighbours of each point with weights, in both directions: what pulls points of a layout together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace seamark {

// How the weights of i → j and j → i become one; a direction that is missing weighs 0.
enum class Combine {
  Sum,    // t-SNE: a + b
  Union,  // UMAP: a + b - ab, the union of fuzzy sets
};

// Symmetric; the edges of a point are in ascending order of the other point.
struct NeighbourGraph {
  std::vector<std::size_t> starts;  // by point; one more at the end
  std::vector<std::uint32_t> neighbours;
  std::vector<float> weights;

  std::size_t points() const { return starts.size() - 1; }
  std::size_t edges() const { return neighbours.size(); }
};

// `neighbours` and `weights` have `per_point` entries for each point, no neighbour twice. Throws invalid_argument for
// arrays of different lengths and for a neighbour that is no other point.
NeighbourGraph make_neighbour_graph(std::span<const std::int32_t> neighbours, std::span<const float> weights,
                                    std::size_t per_point, Combine combine);

}  // namespace seamark
