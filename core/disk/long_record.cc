#include "long_record.h"

#include <sys/mman.h>

#include <algorithm>

#include "../wire.h"
#include "read_at.h"

namespace seamark {
namespace {

constexpr std::uint64_t kSmallBytes = 64U << 10U;  // a field up to this length is copied with what is around it
constexpr std::uint64_t kHeadBytes = 20;           // two varints

// Fields that the parser copies: names and metadata.
bool is_kept(std::uint32_t number) { return number == 1 || number == 7 || number == 9; }

}  // namespace

Outline::Outline(int file, std::uint64_t offset, std::uint64_t length) : file_(file), offset_(offset), length_(length) {
  void* const memory = mmap(nullptr, static_cast<std::size_t>(std::max<std::uint64_t>(length, 1)), PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    length_ = 0;
    error_ = ENOMEM;
    return;
  }
  memory_ = static_cast<std::uint8_t*>(memory);
  walk(0, length_, Level::Event);
}

Outline::~Outline() {
  if (memory_ != nullptr) munmap(memory_, static_cast<std::size_t>(std::max<std::uint64_t>(length_, 1)));
}

// Stops where the message is malformed: the parser, which sees the same bytes, says so.
void Outline::walk(std::uint64_t at, std::uint64_t end, Level level) {
  Found field{};
  while (at < end && read_field(at, end, field)) {
    at = field.start + field.length;
    if (field.has_length && !take(level, field)) return;
  }
}

bool Outline::read_field(std::uint64_t at, std::uint64_t end, Found& out) {
  if (!copy_up_to(at, std::min(at + kHeadBytes, end))) return false;
  const std::uint8_t* const stop = memory_ + std::min(at + kHeadBytes, end);
  std::uint64_t key = 0;
  std::uint64_t value = 0;
  const std::uint8_t* next = read_varint(memory_ + at, stop, key);
  if (next == nullptr) return false;
  out.number = static_cast<std::uint32_t>(key >> 3U);
  out.has_length = (key & 7U) == static_cast<unsigned>(Wire::Length);
  out.length = 0;
  switch (static_cast<Wire>(key & 7U)) {
    case Wire::Varint:
      next = read_varint(next, stop, value);
      break;
    case Wire::Fixed64:
      out.length = 8;
      break;
    case Wire::Fixed32:
      out.length = 4;
      break;
    case Wire::Length:
      next = read_varint(next, stop, out.length);
      break;
    default:  // a group, which ends nobody knows where, or nonsense
      copy_up_to(at, end);
      return false;
  }
  if (next == nullptr) return false;
  out.start = static_cast<std::uint64_t>(next - memory_);
  return out.length <= end - out.start;
}

// Goes into what the parser goes into. False when it is over.
bool Outline::take(Level level, const Found& field) {
  const std::uint64_t end = field.start + field.length;
  if (field.length <= kSmallBytes) return copy_up_to(field.start, end);
  switch (level) {
    case Level::Event:
      if (field.number == 5) walk(field.start, end, Level::Summary);
      if (field.number >= 6 && field.number != 9) walk(field.start, end, Level::Flat);  // but no graph
      break;
    case Level::Summary:
      if (field.number == 1) walk(field.start, end, Level::Value);
      break;
    case Level::Value:
      if (is_kept(field.number)) return copy_up_to(field.start, end);
      if (field.number == 8) walk(field.start, end, Level::Tensor);
      if (field.number >= 4 && field.number <= 6) walk(field.start, end, Level::Flat);  // image, histogram, audio
      break;
    case Level::Tensor:
      if (field.number == 2) return copy_up_to(field.start, end);  // the shape
      break;
    case Level::Flat:
      break;
  }
  return error_ == 0 && !is_too_dense_;
}

// In blocks: fields that lie close together come with one read.
bool Outline::copy_up_to(std::uint64_t from, std::uint64_t to) {
  if (to <= copied_to_) return true;
  from = std::max(from, copied_to_);
  to = std::min(std::max(to, from + kSmallBytes), length_);
  if (copied_ + (to - from) > kMaxCopiedBytes) {
    is_too_dense_ = true;
    return false;
  }
  const std::int64_t count = read_at(file_, memory_ + from, static_cast<std::size_t>(to - from), offset_ + from);
  if (count < 0) error_ = static_cast<int>(-count);
  copied_ += to - from;
  copied_to_ = to;
  return count == static_cast<std::int64_t>(to - from);
}

bool checksum_of(int file, std::uint64_t offset, std::uint64_t length, std::span<std::uint8_t> buffer, std::uint32_t& out,
                 int& error) {
  std::uint32_t crc = 0;
  for (std::uint64_t at = 0; at < length;) {
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), length - at));
    const std::int64_t count = read_at(file, buffer.data(), wanted, offset + at);
    if (count < 0) error = static_cast<int>(-count);
    if (count < static_cast<std::int64_t>(wanted)) return false;
    crc = crc32c({buffer.data(), wanted}, crc);
    at += wanted;
  }
  out = mask_crc(crc);
  return true;
}

}  // namespace seamark
