// A file mapped into memory. If the file is truncated meanwhile, the missing pages read as zeros and is_truncated() is
// true.
//
// Without this, SIGBUS would kill the process when it reads a page after the new end. A signal handler maps zeros in
// place of the missing pages, and the reader continues. Users of the bytes check is_truncated() afterwards.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "bytes.h"
#include "result.h"

namespace seamark {

class FileMap {
 public:
  // Maps the first `length` bytes of a file that is at least that long. The descriptor may be closed afterwards. The
  // error is ENOMEM if there are too many maps.
  static Result<FileMap> open(int file, std::size_t length);
  FileMap(FileMap&& other) noexcept;
  FileMap& operator=(FileMap&&) = delete;
  ~FileMap();

  Bytes bytes() const { return {data_, length_}; }
  bool is_truncated() const;

 private:
  FileMap() = default;

  std::uint8_t* data_ = nullptr;
  std::size_t length_ = 0;
  std::size_t slot_ = 0;
};

// The number of maps found truncated since the process started.
std::uint64_t truncated_map_count();

}  // namespace seamark
