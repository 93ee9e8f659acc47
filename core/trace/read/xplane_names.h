// What the planes, lines and events of an XSpace are, by their names.
#pragma once

#include <string>
#include <string_view>

#include "trace/read/xplane_messages.h"

namespace seamark {

struct PlanePlace {
  bool is_device = false;
  std::int64_t device = -1;
};
// "/device:GPU:1" is a device, "/host:CPU" is not.
PlanePlace place_of(std::string_view plane_name);

struct AllocatorPlace {
  bool is_device = false;
  std::int64_t device = -1;
};
// "GPU_0_bfc" is a device's, "mklcpu" is not.
AllocatorPlace allocator_place(std::string_view name);

enum class LineType : std::uint8_t {
  Thread,
  Stream,    // of a GPU
  Ops,       // what a TPU computes
  AsyncOps,  // its transfers
  Derived,   // steps, modules, scopes: names of times in which other lines have the work
};
inline constexpr std::size_t kLineTypes = 5;
LineType line_type_of(const PlanePlace& place, std::string_view line_name);

// "tf_Compute/1234" of the line 1234 is "tf_Compute".
std::string track_name(const LineView& line);

// What is known of an event's name besides the name.
struct EventTraits {
  bool is_copy = false, is_fill = false, has_hlo_op = false, has_correlation = false, has_step = false;
};
// A Python function as torch writes it, "file.py(12): name"; else the event's name, on devices the short one.
std::string slice_name(const PlanePlace& place, const EventMetadata& event);
// One of the categories that torch uses where it means the same, "Op" as in TensorFlow's timelines, or the name of a
// device's line; else "".
std::string_view category_of(const PlanePlace& place, LineType line, std::string_view line_name,
                             const EventMetadata& event, const EventTraits& traits);

}  // namespace seamark
