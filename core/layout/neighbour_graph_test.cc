#include "layout/neighbour_graph.h"

#include <stdexcept>

#include "testing/testing.h"

namespace seamark {
namespace {

const std::vector<std::int32_t> kNeighbours = {1, 2, 2, 0, 1, 3, 2, 1};  // two for each of four points
const std::vector<float> kWeights = {1, 0.5F, 1, 0.25F, 0.5F, 1, 1, 0};

std::vector<std::uint32_t> neighbours_of(const NeighbourGraph& graph, std::size_t point) {
  return {graph.neighbours.begin() + static_cast<std::ptrdiff_t>(graph.starts[point]),
          graph.neighbours.begin() + static_cast<std::ptrdiff_t>(graph.starts[point + 1])};
}

float weight_of(const NeighbourGraph& graph, std::size_t from, std::uint32_t to) {
  for (std::size_t at = graph.starts[from]; at < graph.starts[from + 1]; ++at) {
    if (graph.neighbours[at] == to) return graph.weights[at];
  }
  return -1;
}

}  // namespace

TEST(neighbour_graph_has_every_edge_in_both_directions) {
  const NeighbourGraph graph = make_neighbour_graph(kNeighbours, kWeights, 2, Combine::Sum);
  CHECK(graph.points() == 4);
  CHECK(neighbours_of(graph, 0) == std::vector<std::uint32_t>{1, 2});
  CHECK(neighbours_of(graph, 1) == std::vector<std::uint32_t>{0, 2});  // 3 has weight 0
  CHECK(neighbours_of(graph, 2) == std::vector<std::uint32_t>{0, 1, 3});
  CHECK(neighbours_of(graph, 3) == std::vector<std::uint32_t>{2});
  for (std::size_t point = 0; point < graph.points(); ++point) {
    for (const std::uint32_t other : neighbours_of(graph, point)) {
      CHECK(weight_of(graph, point, other) == weight_of(graph, other, static_cast<std::uint32_t>(point)));
    }
  }
}

TEST(neighbour_graph_adds_weights_or_unites_them) {
  const NeighbourGraph sum = make_neighbour_graph(kNeighbours, kWeights, 2, Combine::Sum);
  CHECK(weight_of(sum, 0, 1) == 1.25F);
  CHECK(weight_of(sum, 2, 1) == 1.5F);
  CHECK(weight_of(sum, 2, 0) == 0.5F);
  const NeighbourGraph united = make_neighbour_graph(kNeighbours, kWeights, 2, Combine::Union);
  CHECK(weight_of(united, 0, 1) == 1);
  CHECK(weight_of(united, 2, 0) == 0.5F);
}

TEST(neighbour_graph_rejects_what_are_no_neighbours) {
  const std::vector<float> weights = {1, 1};
  for (const std::vector<std::int32_t>& wrong : {std::vector{0, 0}, {1, 2}, {1, -1}}) {
    CHECK_THROWS(std::invalid_argument, make_neighbour_graph(wrong, weights, 1, Combine::Sum));
  }
  CHECK_THROWS(std::invalid_argument, make_neighbour_graph(kNeighbours, weights, 2, Combine::Sum));
  CHECK_THROWS(std::invalid_argument, make_neighbour_graph(kNeighbours, kWeights, 3, Combine::Sum));
  CHECK_THROWS(std::invalid_argument, make_neighbour_graph({}, {}, 0, Combine::Sum));
}

}  // namespace seamark
