#include "write/encode.h"

#include <stdexcept>
#include <string>
#include <string_view>

#include "format/fields.h"
#include "format/record.h"
#include "format/wire.h"

namespace seamark {
namespace {

constexpr std::size_t kMaxVarintBytes = 10;

constexpr std::uint8_t kWallTimeKey = field_key(event_field::kWallTime, Wire::Fixed64);
constexpr std::uint8_t kStepKey = field_key(event_field::kStep, Wire::Varint);
constexpr std::uint8_t kFileVersionKey = field_key(event_field::kFileVersion, Wire::Length);
constexpr std::uint8_t kSummaryKey = field_key(event_field::kSummary, Wire::Length);
constexpr std::uint8_t kSourceMetadataKey = field_key(event_field::kSourceMetadata, Wire::Length);
constexpr std::uint8_t kValueKey = field_key(summary_field::kValue, Wire::Length);
constexpr std::uint8_t kTagKey = field_key(value_field::kTag, Wire::Length);
constexpr std::uint8_t kSimpleValueKey = field_key(value_field::kSimpleValue, Wire::Fixed32);
constexpr std::uint8_t kWriterKey = field_key(source_metadata_field::kWriter, Wire::Length);

std::size_t varint_size(std::uint64_t value) { return (static_cast<std::size_t>(std::bit_width(value | 1)) + 6) / 7; }

std::uint8_t* put_varint(std::uint8_t* at, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) *at++ = static_cast<std::uint8_t>(value | 0x80U);
  *at++ = static_cast<std::uint8_t>(value);
  return at;
}

std::uint8_t* put_length(std::uint8_t* at, std::uint8_t key, std::size_t length) {
  *at++ = key;
  return put_varint(at, length);
}

std::uint8_t* put_bytes(std::uint8_t* at, std::uint8_t key, Bytes bytes) {
  at = put_length(at, key, bytes.size());
  if (!bytes.empty()) std::memcpy(at, bytes.data(), bytes.size());
  return at + bytes.size();
}

std::uint8_t* put_wall_time(std::uint8_t* at, double wall_time) {
  if (std::bit_cast<std::uint64_t>(wall_time) == 0) return at;
  *at++ = kWallTimeKey;
  store(at, wall_time);
  return at + 8;
}

// Reserves `max_bytes` for a message, lets `write` fill in as many as it needs, and frames them.
template <class Write>
void append_framed(std::size_t max_bytes, Buffer& out, Write write) {
  const std::size_t start = out.size();
  out.resize(start + kRecordFrameBytes + max_bytes);
  std::uint8_t* const message = out.data() + start + kRecordHeaderBytes;
  const auto size = static_cast<std::size_t>(write(message) - message);
  write_record({message, size}, out.data() + start);
  out.resize(start + kRecordFrameBytes + size);
}

}  // namespace

void append_record(Bytes data, Buffer& out) {
  const std::size_t start = out.size();
  out.resize(start + kRecordFrameBytes + data.size());
  write_record(data, out.data() + start);
}

void append_scalar(Bytes tag, double value, std::int64_t step, double wall_time, Buffer& out) {
  const std::size_t tag_size = tag.empty() ? 0 : 1 + varint_size(tag.size()) + tag.size();
  const std::size_t value_size = tag_size + 5;
  const std::size_t summary_size = 1 + varint_size(value_size) + value_size;
  append_framed(9 + 2 * (1 + kMaxVarintBytes) + summary_size, out, [&](std::uint8_t* at) {
    at = put_wall_time(at, wall_time);
    if (step != 0) {
      *at++ = kStepKey;
      at = put_varint(at, static_cast<std::uint64_t>(step));
    }
    at = put_length(at, kSummaryKey, summary_size);
    at = put_length(at, kValueKey, value_size);
    if (!tag.empty()) at = put_bytes(at, kTagKey, tag);
    *at++ = kSimpleValueKey;
    store(at, static_cast<float>(value));
    return at + 4;
  });
}

void append_scalars(const ScalarColumns& columns, Buffer& out) {
  const std::size_t count = columns.tag_index.size();
  if (columns.steps.size() != count || columns.wall_times.size() != count || columns.values.size() != count) {
    throw std::invalid_argument("tag_index, steps, wall_times and values must have one length");
  }
  for (const std::uint32_t index : columns.tag_index) {
    if (index >= columns.tags.size()) {
      throw std::invalid_argument("tag_index " + std::to_string(index) + " is beyond the " +
                                  std::to_string(columns.tags.size()) + " tags");
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    append_scalar(columns.tags[columns.tag_index[i]], columns.values[i], columns.steps[i], columns.wall_times[i], out);
  }
}

void append_file_version(double wall_time, Bytes writer, Buffer& out) {
  constexpr std::string_view kVersion = "brain.Event:2";
  const std::size_t source_size = 1 + varint_size(writer.size()) + writer.size();
  append_framed(9 + 2 + kVersion.size() + 1 + kMaxVarintBytes + source_size, out, [&](std::uint8_t* at) {
    at = put_wall_time(at, wall_time);
    at = put_bytes(at, kFileVersionKey, {reinterpret_cast<const std::uint8_t*>(kVersion.data()), kVersion.size()});
    if (writer.empty()) return at;
    at = put_length(at, kSourceMetadataKey, source_size);
    return put_bytes(at, kWriterKey, writer);
  });
}

}  // namespace seamark
