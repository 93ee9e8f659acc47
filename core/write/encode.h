// Encodes scalar events as framed records.
#pragma once

#include <vector>

#include "bytes.h"

namespace seamark {

using Buffer = std::vector<std::uint8_t>;

void append_record(Bytes data, Buffer& out);

// An event with one simple_value, a float32 in the format. A step or wall time of zero is left out, as in proto3.
void append_scalar(Bytes tag, double value, std::int64_t step, double wall_time, Buffer& out);

// Many events of one value each; tag_index is the index of each event's tag in `tags`. Throws std::invalid_argument if
// the lengths differ or an index is too large.
struct ScalarColumns {
  std::span<const Bytes> tags;
  std::span<const std::uint32_t> tag_index;
  std::span<const std::int64_t> steps;
  std::span<const double> wall_times;
  std::span<const double> values;
};
void append_scalars(const ScalarColumns& columns, Buffer& out);

// The event that starts every file; `writer` names the library, and may be empty.
void append_file_version(double wall_time, Bytes writer, Buffer& out);

}  // namespace seamark
