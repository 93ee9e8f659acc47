#include "format/wire.h"

#include <array>

namespace seamark {

bool Cursor::skip_group(std::uint32_t number) {
  constexpr std::size_t kMaxDepth = 100;  // as protobuf: a few bytes could claim any depth
  std::array<std::uint32_t, kMaxDepth> open{};
  std::size_t depth = 1;
  open[0] = number;
  Field field;
  while (depth > 0) {
    if (!read_key(field)) return false;
    if (field.type == Wire::GroupStart) {
      if (depth == kMaxDepth) return false;
      open[depth++] = field.number;
    } else if (field.type == Wire::GroupEnd) {
      if (open[--depth] != field.number) return false;
    } else if (!read_content(field)) {
      return false;
    }
  }
  return true;
}

bool well_formed(Bytes message) {
  Cursor cursor(message);
  Field field;
  while (cursor.next(field)) {
  }
  return cursor.ok();
}

bool count_varints(Bytes packed, std::uint64_t& count) {
  const std::uint8_t* at = packed.data();
  const std::uint8_t* const end = at + packed.size();
  std::uint64_t ignored = 0;
  for (count = 0; at != end; ++count) {
    at = read_varint(at, end, ignored);
    if (at == nullptr) return false;
  }
  return true;
}

}  // namespace seamark
