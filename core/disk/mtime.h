// The time of the last change of a file.
#pragma once

#include <sys/stat.h>

#include <cstdint>

namespace seamark {

inline std::int64_t mtime_ns(const struct stat& found) {
#ifdef __APPLE__
  const timespec& time = found.st_mtimespec;
#else
  const timespec& time = found.st_mtim;
#endif
  return std::int64_t{time.tv_sec} * 1000000000 + time.tv_nsec;
}

}  // namespace seamark
