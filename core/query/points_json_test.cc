#include "query/points_json.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "testing/testing.h"

namespace seamark {
namespace {

std::string json_of(const std::vector<double>& walls, const std::vector<std::int64_t>& steps,
                    const std::vector<double>& values, PointLayout layout = PointLayout::Rows) {
  std::string out;
  append_points_json({walls, steps, values}, layout, out);
  return out;
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

TEST(points_json_has_rows_or_objects) {
  CHECK(json_of({}, {}, {}) == "[]");
  CHECK(json_of({1.5, 2}, {3, -4}, {0.1, 1e300}) == "[[1.5,3,0.1],[2.0,-4,1e+300]]");
  CHECK(json_of({1.5}, {3}, {0.1}, PointLayout::Objects) == R"([{"wallTime":1.5,"step":3,"value":0.1}])");
}

TEST(points_json_writes_non_finite_numbers_as_strings) {
  CHECK(json_of({1, 2, 3}, {0, 1, 2}, {std::nan(""), kInfinity, -kInfinity}) ==
        R"([[1.0,0,"NaN"],[2.0,1,"Infinity"],[3.0,2,"-Infinity"]])");
  CHECK(json_of({-kInfinity}, {0}, {0}) == R"([["-Infinity",0,0.0]])");
}

TEST(points_json_fits_the_longest_numbers) {
  const double longest = -1.7976931348623157e-300;
  const std::int64_t least = std::numeric_limits<std::int64_t>::min();
  const std::string text = json_of({longest, longest}, {least, least}, {longest, longest}, PointLayout::Objects);
  CHECK(text.find("-9223372036854775808") != std::string::npos);
  CHECK(text.size() == 2 + 1 + 2 * (30 + 24 + 20 + 24));
}

TEST(points_json_numbers_read_back_as_the_same_double) {
  double number = 0.1;
  for (int i = 0; i < 10000; ++i) {
    number = std::nextafter(number * 1.07 - 0.003, kInfinity);
    const std::string text = json_of({number}, {0}, {0});
    double read = 0;
    std::from_chars(text.data() + 2, text.data() + text.size(), read);
    CHECK(read == number);
  }
}

TEST(points_json_rejects_columns_of_different_lengths) {
  CHECK_THROWS(std::invalid_argument, json_of({1}, {}, {1}));
  CHECK_THROWS(std::invalid_argument, json_of({1}, {1}, {}));
  CHECK_THROWS(std::invalid_argument, point_layout_of(2));
}

}  // namespace seamark
