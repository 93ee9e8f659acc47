#include "trace/read/slice_links.h"

#include <algorithm>
#include <tuple>

namespace seamark {

namespace {
// As xprof does.
constexpr std::ptrdiff_t kMaxOnBothSides = 64;
}  // namespace

std::vector<SliceLinks::Link> SliceLinks::take() {
  std::ranges::sort(
      points_, {}, [](const Point& point) { return std::tuple(point.type, point.id, point.is_consumer, point.slice); });
  std::vector<Link> links;
  for (auto first = points_.begin(); first != points_.end();) {
    const auto is_other = [&](const Point& point) { return point.type != first->type || point.id != first->id; };
    const auto end = std::find_if(first, points_.end(), is_other);
    const auto consumers = std::find_if(first, end, [](const Point& point) { return point.is_consumer; });
    if (consumers - first < kMaxOnBothSides || end - consumers < kMaxOnBothSides) {
      for (auto from = first; from != consumers; ++from) {
        for (auto to = consumers; to != end; ++to) {
          if (from->slice != to->slice) links.push_back({from->slice, to->slice});
        }
      }
    }
    first = end;
  }
  points_ = {};
  return links;
}

}  // namespace seamark
