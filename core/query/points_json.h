// Scalar points as JSON text, in the two layouts of TensorBoard's routes.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace seamark {

enum class PointLayout {
  Rows = 0,     // [[wall time, step, value], …]
  Objects = 1,  // [{"wallTime": …, "step": …, "value": …}, …]
};
PointLayout point_layout_of(int number);  // throws std::invalid_argument for an unknown number

struct PointColumns {
  std::span<const double> walls;
  std::span<const std::int64_t> steps;
  std::span<const double> values;
};

// Floats have the fewest digits that read back as the same double. Non-finite ones are strings: "NaN", "Infinity",
// "-Infinity". Throws std::invalid_argument if the columns differ in length.
void append_points_json(const PointColumns& points, PointLayout layout, std::string& out);

}  // namespace seamark
