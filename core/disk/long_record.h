// Records too long to be held: their checksum is taken piece by piece, and only their structure is copied.
#pragma once

#include "../record.h"

namespace seamark {

// Up to this length a record is read whole.
constexpr std::uint64_t kLongRecordBytes = 64U << 20U;

// An Event message of which only the parts that EventParser looks at were copied from the file; the contents of long
// fields read as zeros and take no memory. Positions are those in the file.
class Outline {
 public:
  // What may be copied: a message that is made of nothing but small fields is refused beyond it.
  static constexpr std::uint64_t kMaxCopiedBytes = 128U << 20U;

  Outline(int file, std::uint64_t offset, std::uint64_t length);
  ~Outline();
  Outline(const Outline&) = delete;
  Outline& operator=(const Outline&) = delete;

  int error() const { return error_; }          // errno of a read that failed, ENOMEM without address space, 0 if none
  bool is_too_dense() const { return is_too_dense_; }
  Bytes message() const { return {memory_, static_cast<std::size_t>(length_)}; }

 private:
  enum class Level { Event, Summary, Value, Tensor, Flat };
  struct Found {
    std::uint32_t number;
    bool has_length;
    std::uint64_t start, length;  // of the content
  };

  void walk(std::uint64_t at, std::uint64_t end, Level level);
  bool read_field(std::uint64_t at, std::uint64_t end, Found& out);
  bool take(Level level, const Found& field);
  bool copy_up_to(std::uint64_t from, std::uint64_t to);

  int file_;
  std::uint64_t offset_, length_;
  std::uint8_t* memory_ = nullptr;
  std::uint64_t copied_to_ = 0;  // the walk goes forward only
  std::uint64_t copied_ = 0;
  int error_ = 0;
  bool is_too_dense_ = false;
};

// The masked checksum of `length` bytes at `offset`, read through `buffer`. False when the file is shorter than that;
// `error` is errno when it cannot be read.
bool checksum_of(int file, std::uint64_t offset, std::uint64_t length, std::span<std::uint8_t> buffer, std::uint32_t& out,
                 int& error);

}  // namespace seamark
