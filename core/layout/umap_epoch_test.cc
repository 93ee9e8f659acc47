#include "layout/umap_epoch.h"

#include <cmath>
#include <stdexcept>

#include "testing/testing.h"

namespace seamark {
namespace {

const std::vector<std::int32_t> kPairs = {1, 0, 3, 2};

std::vector<float> after_epochs(float weight, std::uint64_t epochs, std::uint64_t seed) {
  const NeighbourGraph graph = make_neighbour_graph(kPairs, std::vector<float>(4, weight), 1, Combine::Union);
  std::vector<float> positions = {0, 0, 5, 0, 0, 1, 5, 1};
  for (std::uint64_t epoch = 0; epoch < epochs; ++epoch) {
    const std::vector<float> before = positions;
    const float learning_rate = 0.5F * (1 - static_cast<float>(epoch) / static_cast<float>(epochs));
    const UmapEpoch parameters{epoch, seed, 1.577F, 0.895F, learning_rate, 5};
    run_umap_epoch(graph, before, 2, parameters, 0, 1, positions);
    run_umap_epoch(graph, before, 2, parameters, 1, 4, positions);
  }
  return positions;
}

}  // namespace

TEST(umap_epoch_pulls_neighbours_together_and_others_apart) {
  const std::vector<float> at = after_epochs(1, 200, 1);
  CHECK(std::hypot(at[0] - at[2], at[1] - at[3]) < 2);
  CHECK(std::hypot(at[4] - at[6], at[5] - at[7]) < 2);
  CHECK(std::hypot(at[0] - at[4], at[1] - at[5]) > 3);
}

TEST(umap_epoch_uses_an_edge_as_often_as_its_weight_says) {
  const std::vector<float> begin = after_epochs(1, 0, 1);
  CHECK(after_epochs(0.1F, 1, 1) == begin);  // the union weighs 0.19
  CHECK(after_epochs(0.1F, 5, 1) == begin);
  CHECK(after_epochs(0.1F, 6, 1) != begin);
}

TEST(umap_epoch_depends_on_its_seed_only) {
  CHECK(after_epochs(1, 20, 1) == after_epochs(1, 20, 1));
  CHECK(after_epochs(1, 20, 1) != after_epochs(1, 20, 2));
}

TEST(umap_epoch_does_not_depend_on_its_ranges) {
  const NeighbourGraph graph = make_neighbour_graph(kPairs, std::vector<float>(4, 1), 1, Combine::Union);
  const std::vector<float> before = {0, 0, 0, 5, 0, 0, 0, 1, 2, 5, 1, 2};
  const UmapEpoch parameters{3, 1, 1.577F, 0.895F, 0.5F, 7};
  std::vector<float> whole(12), parts(12);
  run_umap_epoch(graph, before, 3, parameters, 0, 4, whole);
  for (const std::size_t first : {2UL, 0UL, 3UL, 1UL})
    run_umap_epoch(graph, before, 3, parameters, first, first + 1, parts);
  CHECK(whole == parts);
}

TEST(umap_epoch_keeps_equal_points_finite) {
  const NeighbourGraph graph = make_neighbour_graph(kPairs, std::vector<float>(4, 1), 1, Combine::Union);
  std::vector<float> after(8, 1);
  run_umap_epoch(graph, std::vector<float>(8, 2), 2, {0, 1, 1.577F, 0.895F, 1, 5}, 0, 4, after);
  CHECK(after == std::vector<float>(8, 2));
}

TEST(umap_epoch_rejects_positions_that_do_not_fit) {
  const NeighbourGraph graph = make_neighbour_graph(kPairs, std::vector<float>(4, 1), 1, Combine::Union);
  const std::vector<float> before(8);
  std::vector<float> after(8), shorter(6);
  CHECK_THROWS(std::invalid_argument, run_umap_epoch(graph, before, 3, {}, 0, 4, after));
  CHECK_THROWS(std::invalid_argument, run_umap_epoch(graph, before, 4, {}, 0, 4, after));
  CHECK_THROWS(std::invalid_argument, run_umap_epoch(graph, before, 2, {}, 0, 4, shorter));
  CHECK_THROWS(std::invalid_argument, run_umap_epoch(graph, before, 2, {}, 3, 5, after));
}

}  // namespace seamark
