// Scalar events as framed records: the writer's side.
#pragma once

#include <vector>

#include "bytes.h"

namespace seamark {

using Buffer = std::vector<std::uint8_t>;

void append_record(Bytes data, Buffer& out);

// An event with one simple_value, which is a float32 in the format. As proto3 has it, zeros are not written.
void append_scalar(Bytes tag, double value, std::int64_t step, double wall_time, Buffer& out);

// Many events of one value each; tag_index says which of the tags each has. The spans are of one length.
// Throws std::invalid_argument when they are not, or when an index is beyond the tags.
struct ScalarColumns {
  std::span<const Bytes> tags;
  std::span<const std::uint32_t> tag_index;
  std::span<const std::int64_t> steps;
  std::span<const double> wall_times;
  std::span<const double> values;
};
void append_scalars(const ScalarColumns& columns, Buffer& out);

// The event every file starts with; `writer` says which library wrote it, and may be empty.
void append_file_version(double wall_time, Bytes writer, Buffer& out);

}  // namespace seamark
