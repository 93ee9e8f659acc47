#include "write/bins.h"

#include <cmath>
#include <stdexcept>

#include "testing/testing.h"

namespace seamark {
namespace {

using Counts = std::vector<std::int64_t>;

BinCounts counted(const std::vector<double>& values, const std::vector<double>& edges) {
  return count_between(std::span<const double>(values), edges);
}

}  // namespace

TEST(bins_are_closed_on_the_left_and_the_last_on_both_sides) {
  const BinCounts found = counted({-1, 0, 0.5, 1, 1.5, 2, 3}, {0, 1, 2});
  CHECK(found.counts == Counts({2, 2 + 0 + 1}));
  CHECK(found.finite == 7 && found.min == -1 && found.max == 3 && found.sum == 7 && found.sum_squares == 17.5);
}

TEST(bins_leave_out_what_is_not_finite) {
  const double inf = std::numeric_limits<double>::infinity();
  const BinCounts found = counted({inf, -inf, std::nan(""), 1}, {0, 2});
  CHECK(found.counts == Counts({1}) && found.finite == 1 && found.min == 1 && found.max == 1 && found.sum == 1);
  const BinCounts none = counted({inf}, {0, 2});
  CHECK(none.counts == Counts({0}) && none.finite == 0 && none.min == 0 && none.max == 0);
}

TEST(bins_find_one_odd_value_among_many) {
  for (const float odd : {std::nanf(""), -std::nanf(""), std::numeric_limits<float>::infinity(),
                          -std::numeric_limits<float>::infinity()}) {
    std::vector<float> values(5000, 1);
    values[1500] = odd;
    const std::vector<double> edges{0, 2};
    const BinCounts found = count_between(std::span<const float>(values), edges);
    CHECK(found.counts == Counts({4999}) && found.finite == 4999 && found.max == 1 && found.sum == 4999);
  }
}

TEST(bins_treat_minus_zero_as_zero) {
  CHECK(counted({-0.0, 0.0}, {-1, 0, 1}).counts == Counts({0, 2}));
  CHECK(counted({-0.0, 0.0}, {-1, -0.0, 1}).counts == Counts({0, 2}));
}

TEST(bins_with_many_edges_close_together) {
  std::vector<double> edges, values;
  for (int i = 0; i <= 1000; ++i) edges.push_back(1 + i * 1e-6);
  for (int i = 0; i < 1000; ++i)
    values.push_back((edges[static_cast<std::size_t>(i)] + edges[static_cast<std::size_t>(i) + 1]) / 2);
  CHECK(counted(values, edges).counts == Counts(1000, 1));
}

TEST(bins_of_floats_and_at_the_ends_of_the_range) {
  const double most = std::numeric_limits<double>::max();
  CHECK(counted({-most, most, 5e-324}, {-most, 0, most}).counts == Counts({1, 2}));
  const std::vector<float> values{0.1F, -3.0F};
  const std::vector<double> edges{-4, 0, 1};
  CHECK(count_between(std::span<const float>(values), edges).counts == Counts({1, 1}));
}

TEST(bins_reject_edges_that_do_not_ascend) {
  const auto refused = [](const std::vector<double>& edges) {
    try {
      counted({1}, edges);
      return false;
    } catch (const std::invalid_argument&) {
      return true;
    }
  };
  CHECK(refused({}) && refused({1}) && refused({2, 1}) && refused({0, std::nan(""), 1}) && refused({std::nan(""), 1}));
  CHECK(!refused({1, 1, 2}));
}

}  // namespace seamark
