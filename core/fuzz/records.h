// Framed records of any bytes: no fuzzer guesses checksums.
#pragma once

#include <algorithm>

#include "write/encode.h"

namespace seamark::fuzz {

// The first byte of each part is its length.
inline Buffer as_records(Bytes data) {
  Buffer file;
  while (!data.empty()) {
    const std::size_t length = std::min<std::size_t>(data[0], data.size() - 1);
    append_record(data.subspan(1, length), file);
    data = data.subspan(1 + length);
  }
  return file;
}

}  // namespace seamark::fuzz
