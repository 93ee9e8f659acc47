// Records that are too long to be held in memory: their checksum is computed in steps, and only their structure is
// read.
#pragma once

#include <memory>
#include <optional>

#include "format/record.h"

namespace seamark {

// Longer records are read as an Outline.
constexpr std::uint64_t kLongRecordBytes = 64U << 20U;

// An Event message with only the parts that EventParser reads copied from the file. The contents of long fields read as
// zeros and take no memory. Positions are those in the file.
class Outline {
 public:
  // A message of many small fields stops here.
  static constexpr std::uint64_t kMaxCopiedBytes = 128U << 20U;

  static Result<Outline> read(int file, std::uint64_t offset, std::uint64_t length);

  bool exceeds_copy_limit() const { return exceeds_copy_limit_; }
  Bytes message() const { return {memory_.get(), length_}; }

 private:
  struct Unmap {
    std::size_t length;
    void operator()(std::uint8_t* memory) const;
  };
  using Memory = std::unique_ptr<std::uint8_t, Unmap>;

  Outline(Memory memory, std::size_t length, bool exceeds_copy_limit)
      : memory_(std::move(memory)),
        length_(length),
        exceeds_copy_limit_(exceeds_copy_limit) {}

  Memory memory_;
  std::size_t length_;
  bool exceeds_copy_limit_;
};

// The masked checksum of `length` bytes at `offset`, read through `buffer`; nothing if the file is shorter.
Result<std::optional<std::uint32_t>> checksum_of(int file, std::uint64_t offset, std::uint64_t length,
                                                 std::span<std::uint8_t> buffer);

}  // namespace seamark
