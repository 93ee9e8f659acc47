// A file mapped into memory that may be cut short meanwhile: what is lost reads as zeros, and is_lost() says so.
//
// Without this the process would be killed (SIGBUS) by touching a page behind the new end. The handler puts zeros in the
// place of the missing pages and lets the reader go on; whoever uses the bytes asks is_lost() afterwards.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "../bytes.h"

namespace seamark {

class FileMap {
 public:
  // The first `length` bytes, which the file has. The descriptor may be closed afterwards. error() is errno when the
  // kernel refuses, and ENOMEM when there are too many maps.
  FileMap(int file, std::size_t length);
  ~FileMap();
  FileMap(const FileMap&) = delete;
  FileMap& operator=(const FileMap&) = delete;

  int error() const { return error_; }
  Bytes bytes() const { return {data_, length_}; }
  bool is_lost() const;

 private:
  std::uint8_t* data_ = nullptr;
  std::size_t length_ = 0;
  std::size_t slot_ = 0;
  int error_ = 0;
};

// How many maps lost pages since the process started. It only grows: compare two readings.
std::uint64_t lost_maps();

}  // namespace seamark
