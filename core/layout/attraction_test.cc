#include "layout/attraction.h"

#include <cmath>
#include <stdexcept>
#include <vector>

#include "testing/testing.h"

namespace seamark {

TEST(attraction_sums_over_neighbours) {
  const std::vector<std::int32_t> neighbours = {1, 0, 0};
  const NeighbourGraph graph = make_neighbour_graph(neighbours, std::vector<float>{1, 1, 4}, 1, Combine::Sum);
  const std::vector<float> positions = {0, 0, 1, 0, 0, 3};
  std::vector<float> forces(6, 9);
  attract(graph, positions, 2, 0, 1, forces);
  CHECK(std::abs(forces[0] + 1) < 1e-6F);
  CHECK(std::abs(forces[1] + 1.2F) < 1e-6F);
  CHECK(forces[2] == 9);  // not in the range
  CHECK_THROWS(std::invalid_argument, attract(graph, positions, 3, 0, 1, forces));
  CHECK_THROWS(std::invalid_argument, attract(graph, positions, 2, 0, 4, forces));
  CHECK_THROWS(std::invalid_argument, attract(graph, positions, 6, 0, 1, forces));
}

}  // namespace seamark
