#include "query/points_json.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <string_view>

namespace seamark {
namespace {

// The names of a row's fields, then three numbers of at most 24 characters.
constexpr std::size_t kMaxPointBytes = 128;

struct Separators {
  std::string_view before_wall, before_step, before_value, end;
};
constexpr Separators kRows{"[", ",", ",", "]"};
constexpr Separators kObjects{R"({"wallTime":)", R"(,"step":)", R"(,"value":)", "}"};

class PointText {
 public:
  void clear() { end_ = text_.data(); }
  void add(std::string_view part) { end_ = std::copy(part.begin(), part.end(), end_); }
  void add(std::int64_t number) { end_ = std::to_chars(end_, text_.data() + text_.size(), number).ptr; }

  void add(double number) {
    if (!std::isfinite(number)) {
      add(std::isnan(number) ? R"("NaN")" : number > 0 ? R"("Infinity")" : R"("-Infinity")");
      return;
    }
    const char* start = end_;
    end_ = std::to_chars(end_, text_.data() + text_.size(), number).ptr;
    // Clients that tell integers from floats should see a float.
    const bool looks_whole =
        std::none_of(start, static_cast<const char*>(end_), [](char c) { return c == '.' || c == 'e'; });
    if (looks_whole) add(".0");
  }

  void append_to(std::string& out) const { out.append(text_.data(), static_cast<std::size_t>(end_ - text_.data())); }

 private:
  std::array<char, kMaxPointBytes> text_;
  char* end_ = text_.data();
};

}  // namespace

PointLayout point_layout_of(int number) {
  if (number != 0 && number != 1) throw std::invalid_argument("unknown layout of points");
  return static_cast<PointLayout>(number);
}

void append_points_json(const PointColumns& points, PointLayout layout, std::string& out) {
  const std::size_t count = points.walls.size();
  if (points.steps.size() != count || points.values.size() != count) {
    throw std::invalid_argument("the columns of points differ in length");
  }
  const Separators& separators = layout == PointLayout::Rows ? kRows : kObjects;
  out.reserve(out.size() + 2 + count * (kMaxPointBytes / 2));
  out.push_back('[');
  PointText text;
  for (std::size_t i = 0; i < count; ++i) {
    text.clear();
    if (i > 0) text.add(",");
    text.add(separators.before_wall);
    text.add(points.walls[i]);
    text.add(separators.before_step);
    text.add(points.steps[i]);
    text.add(separators.before_value);
    text.add(points.values[i]);
    text.add(separators.end);
    text.append_to(out);
  }
  out.push_back(']');
}

}  // namespace seamark
