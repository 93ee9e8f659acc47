#include "layout/repulsion_tree.h"

#include <cmath>
#include <limits>
#include <stdexcept>

#include "testing/stored_series.h"

namespace seamark {
using testing::Random;

namespace {

struct Forces {
  std::vector<float> forces;
  std::vector<float> sums;
};

template <std::size_t kDims>
std::vector<float> some_positions(std::size_t points, std::uint64_t seed) {
  Random random(seed);
  std::vector<float> positions(points * kDims);
  for (float& position : positions) position = static_cast<float>(std::pow(random.unit() * 2 - 1, 3) * 30);
  return positions;
}

// Every point with every other.
template <std::size_t kDims>
Forces compare_all(const std::vector<float>& positions) {
  const std::size_t points = positions.size() / kDims;
  Forces all{std::vector<float>(positions.size()), std::vector<float>(points)};
  for (std::size_t a = 0; a < points; ++a) {
    double force[kDims] = {};
    double sum = 0;
    for (std::size_t b = 0; b < points; ++b) {
      if (a == b) continue;
      double away[kDims];
      double square = 1;
      for (std::size_t axis = 0; axis < kDims; ++axis) {
        away[axis] = double{positions[a * kDims + axis]} - double{positions[b * kDims + axis]};
        square += away[axis] * away[axis];
      }
      sum += 1 / square;
      for (std::size_t axis = 0; axis < kDims; ++axis) force[axis] += away[axis] / (square * square);
    }
    all.sums[a] = static_cast<float>(sum);
    for (std::size_t axis = 0; axis < kDims; ++axis) all.forces[a * kDims + axis] = static_cast<float>(force[axis]);
  }
  return all;
}

template <std::size_t kDims>
Forces repel_in_parts(const std::vector<float>& positions, float theta, std::size_t parts) {
  const RepulsionTree<kDims> tree(positions, theta);
  Forces found{std::vector<float>(positions.size(), -1), std::vector<float>(tree.points(), -1)};
  for (std::size_t part = 0; part < parts; ++part) {
    tree.repel(tree.groups() * part / parts, tree.groups() * (part + 1) / parts, found.forces, found.sums);
  }
  return found;
}

// The length of the difference, relative to the length.
double relative_error(const std::vector<float>& found, const std::vector<float>& wanted) {
  double error = 0;
  double length = 0;
  for (std::size_t at = 0; at < wanted.size(); ++at) {
    error += std::pow(double{found[at]} - double{wanted[at]}, 2);
    length += std::pow(double{wanted[at]}, 2);
  }
  return std::sqrt(error / length);
}

template <std::size_t kDims>
void check_against_all_pairs() {
  const auto positions = some_positions<kDims>(700, 5);
  const Forces all = compare_all<kDims>(positions);
  const Forces exact = repel_in_parts<kDims>(positions, 0, 1);
  CHECK(relative_error(exact.forces, all.forces) < 1e-4);
  CHECK(relative_error(exact.sums, all.sums) < 1e-4);
  const Forces near = repel_in_parts<kDims>(positions, 0.5F, 1);
  CHECK(relative_error(near.forces, all.forces) < 0.02);
  CHECK(relative_error(near.sums, all.sums) < 0.01);
  CHECK(near.forces != exact.forces);
}

}  // namespace

TEST(repulsion_tree_is_near_the_sum_over_all_pairs) {
  check_against_all_pairs<2>();
  check_against_all_pairs<3>();
}

TEST(repulsion_tree_gives_the_same_in_any_ranges) {
  const auto positions = some_positions<2>(1000, 6);
  const Forces whole = repel_in_parts<2>(positions, 0.5F, 1);
  const Forces parts = repel_in_parts<2>(positions, 0.5F, 7);
  CHECK(whole.forces == parts.forces);
  CHECK(whole.sums == parts.sums);
}

TEST(repulsion_tree_takes_few_points_and_points_at_one_position) {
  CHECK(RepulsionTree<2>({}, 0.5F).groups() == 0);
  const Forces one = repel_in_parts<3>({1, 2, 3}, 0.5F, 1);
  CHECK(one.forces == std::vector<float>{0, 0, 0});
  CHECK(one.sums == std::vector<float>{0});
  const Forces equal = repel_in_parts<2>(std::vector<float>(20000, 7), 0.5F, 1);
  CHECK(equal.forces == std::vector<float>(20000, 0));
  CHECK(equal.sums == std::vector<float>(10000, 9999));
  const float tiny = std::numeric_limits<float>::denorm_min();
  CHECK(std::abs(repel_in_parts<2>({0, 0, tiny, tiny}, 0.5F, 1).sums[0] - 1) < 1e-6F);
  const float huge = std::numeric_limits<float>::max() / 4;
  CHECK(repel_in_parts<2>({-huge, 0, huge, 0, 0, 0}, 0.5F, 1).sums == std::vector<float>{0, 0, 0});
}

TEST(repulsion_tree_rejects_what_it_cannot_place) {
  const std::vector<float> positions = {0, 0, 1, std::numeric_limits<float>::infinity()};
  CHECK_THROWS(std::invalid_argument, RepulsionTree<2>(positions, 0.5F));
  CHECK_THROWS(std::invalid_argument, RepulsionTree<3>(std::vector<float>(4), 0.5F));
  const RepulsionTree<2> tree(std::vector<float>(4), 0.5F);
  std::vector<float> forces(4);
  std::vector<float> sums(2);
  CHECK_THROWS(std::invalid_argument, tree.repel(0, 2, forces, sums));
  CHECK_THROWS(std::invalid_argument, tree.repel(0, 1, sums, sums));
}

}  // namespace seamark
