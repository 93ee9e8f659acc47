// A bounds-checked cursor over the fields of one protobuf message.
#pragma once

#include <stdexcept>

#include "bytes.h"

namespace seamark {

enum class Wire : std::uint8_t { Varint = 0, Fixed64 = 1, Length = 2, GroupStart = 3, GroupEnd = 4, Fixed32 = 5 };

// The byte that begins a field whose number is below 16.
consteval std::uint8_t field_key(std::uint32_t number, Wire type) {
  if (number == 0 || number > 15) throw std::invalid_argument("the key of this field takes more than one byte");
  return static_cast<std::uint8_t>(number << 3U | static_cast<std::uint32_t>(type));
}

struct Field {
  std::uint32_t number = 0;
  Wire type = Wire::Varint;
  std::uint64_t value = 0;  // Varint, Fixed64 and Fixed32: the raw bits
  Bytes bytes;              // Length: the content

  bool is(std::uint32_t wanted, Wire form) const { return number == wanted && type == form; }
  double as_double() const { return std::bit_cast<double>(value); }
  float as_float() const { return std::bit_cast<float>(static_cast<std::uint32_t>(value)); }
};

// Reads one varint at `at`, of at most ten bytes; bits past the 64th are dropped, as protobuf does.
// Returns the byte after it, or nullptr if it is incomplete or too long.
inline const std::uint8_t* read_varint(const std::uint8_t* at, const std::uint8_t* end, std::uint64_t& value) {
  if (at != end && *at < 0x80U) [[likely]] {
    value = *at;
    return at + 1;
  }
  value = 0;
  for (unsigned shift = 0; shift < 70 && at != end; shift += 7) {
    const std::uint64_t byte = *at++;
    value |= (byte & 0x7fU) << shift;
    if (byte < 0x80U) return at;
  }
  return nullptr;
}

class Cursor {
 public:
  explicit Cursor(Bytes message) : at_(message.data()), end_(message.data() + message.size()) {}

  // False at the end of the message, or where it is malformed: ok() tells which. Skips groups: no message that we read
  // has one, but an unknown field may be one.
  bool next(Field& field) {
    while (at_ != end_) {
      if (!read_key(field) || !read_content(field)) return fail();
      if (field.type != Wire::GroupStart) return true;
    }
    return false;
  }

  bool ok() const { return ok_; }

 private:
  bool read_key(Field& field) {
    std::uint64_t key = 0;
    at_ = read_varint(at_, end_, key);
    if (at_ == nullptr || key < 8 || key > std::numeric_limits<std::uint32_t>::max()) return false;
    field.number = static_cast<std::uint32_t>(key >> 3);
    field.type = static_cast<Wire>(key & 7U);
    return true;
  }

  bool read_content(Field& field) {
    switch (field.type) {
      case Wire::Varint: at_ = read_varint(at_, end_, field.value); return at_ != nullptr;
      case Wire::Fixed64: return read_fixed<std::uint64_t>(field.value);
      case Wire::Fixed32: return read_fixed<std::uint32_t>(field.value);
      case Wire::Length: {
        std::uint64_t length = 0;
        at_ = read_varint(at_, end_, length);
        if (at_ == nullptr || length > static_cast<std::size_t>(end_ - at_)) return false;
        field.bytes = {at_, static_cast<std::size_t>(length)};
        at_ += length;
        return true;
      }
      case Wire::GroupStart: return skip_group(field.number);
      default:  // an end without a start, or one of the two unused types
        return false;
    }
  }

  template <class T>
  bool read_fixed(std::uint64_t& value) {
    if (static_cast<std::size_t>(end_ - at_) < sizeof(T)) return false;
    value = load<T>(at_);
    at_ += sizeof(T);
    return true;
  }

  bool skip_group(std::uint32_t number);

  bool fail() {
    ok_ = false;
    at_ = end_;
    return false;
  }

  const std::uint8_t* at_;
  const std::uint8_t* end_;
  bool ok_ = true;
};

// True when the bytes are a sequence of whole fields. Does not look inside them: bytes and messages look alike.
bool well_formed(Bytes message);

// True when the bytes are a sequence of whole varints, as in a packed field; counts them.
bool count_varints(Bytes packed, std::uint64_t& count);

}  // namespace seamark
