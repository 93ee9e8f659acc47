// Builds protobuf messages and records for tests and fuzz seeds.
#pragma once

#include <string_view>
#include <vector>

#include "bytes.h"
#include "format/record.h"

namespace seamark::testing {

inline Bytes text(std::string_view letters) {
  return {reinterpret_cast<const std::uint8_t*>(letters.data()), letters.size()};
}
inline std::string_view letters(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

class Message {
 public:
  Message& varint(std::uint32_t number, std::uint64_t value) {
    key(number, 0);
    put_varint(value);
    return *this;
  }
  Message& fixed64(std::uint32_t number, double value) {
    key(number, 1);
    return put(value);
  }
  Message& fixed32(std::uint32_t number, float value) {
    key(number, 5);
    return put(value);
  }
  Message& bytes(std::uint32_t number, Bytes content) {
    key(number, 2);
    put_varint(content.size());
    return raw(content);
  }
  Message& bytes(std::uint32_t number, std::string_view content) { return bytes(number, text(content)); }
  Message& raw(Bytes content) {
    data_.insert(data_.end(), content.begin(), content.end());
    return *this;
  }
  Message& key(std::uint32_t number, std::uint32_t type) {
    put_varint(std::uint64_t{number} << 3U | type);
    return *this;
  }
  template <class T>
  Message& put(T value) {
    const std::size_t at = data_.size();
    data_.resize(at + sizeof value);
    store(data_.data() + at, value);
    return *this;
  }
  void put_varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) data_.push_back(static_cast<std::uint8_t>(value | 0x80U));
    data_.push_back(static_cast<std::uint8_t>(value));
  }

  Bytes view() const { return data_; }
  operator Bytes() const { return data_; }

 private:
  std::vector<std::uint8_t> data_;
};

inline Message scalar_metadata() { return Message().bytes(1, Message().bytes(1, "scalars")); }

// An event holding one Summary.Value.
inline Message event_of(std::int64_t step, double wall, Bytes value) {
  Message event;
  event.fixed64(1, wall);
  if (step != 0) event.varint(2, static_cast<std::uint64_t>(step));
  return event.bytes(5, Message().bytes(1, value));
}

// Framed records, one after another.
class File {
 public:
  File& add(Bytes data) {
    const std::size_t at = bytes_.size();
    bytes_.resize(at + kRecordFrameBytes + data.size());
    write_record(data, bytes_.data() + at);
    return *this;
  }
  Bytes view() const { return bytes_; }
  std::vector<std::uint8_t>& bytes() { return bytes_; }

 private:
  std::vector<std::uint8_t> bytes_;
};

}  // namespace seamark::testing
