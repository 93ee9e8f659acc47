// Reads from a position of a file, repeating short reads.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>

#include "result.h"

namespace seamark {

// Returns the number of bytes read: less than `length` only at the end of the file.
inline Result<std::size_t> read_at(int file, std::uint8_t* into, std::size_t length, std::uint64_t offset) {
  std::size_t filled = 0;
  while (filled < length) {
    const ssize_t count = pread(file, into + filled, length - filled, static_cast<off_t>(offset + filled));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return Error::from_system(errno);
    if (count == 0) break;
    filled += static_cast<std::size_t>(count);
  }
  return filled;
}

}  // namespace seamark
