// Reading from a position, as often as it takes.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>

namespace seamark {

// Less than `length` only where the file ends; -errno when it cannot be read.
inline std::int64_t read_at(int file, std::uint8_t* into, std::size_t length, std::uint64_t offset) {
  std::size_t filled = 0;
  while (filled < length) {
    const std::int64_t count = pread(file, into + filled, length - filled, static_cast<off_t>(offset + filled));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return -std::int64_t{errno};
    if (count == 0) break;
    filled += static_cast<std::size_t>(count);
  }
  return static_cast<std::int64_t>(filled);
}

}  // namespace seamark
