// TFRecord framing: u64 length, u32 masked crc of the length, data, u32 masked crc of the data.
#pragma once

#include "bytes.h"
#include "crc32c.h"

namespace seamark {

enum class Status {
  Ok,
  NeedMore,  // the record is not all there yet: a normal outcome at the tail of a growing file
  Corrupt,   // the length cannot be trusted, and nothing marks where the next record starts
};

constexpr std::size_t kRecordHeaderBytes = 12;
constexpr std::size_t kRecordFooterBytes = 4;
constexpr std::size_t kRecordFrameBytes = kRecordHeaderBytes + kRecordFooterBytes;

// No message of protobuf is longer; a header that claims more is not believed, even if the file has as many bytes.
constexpr std::uint64_t kMaxRecordBytes = (1ULL << 31U) - 1;

struct Record {
  Bytes data;
  std::uint64_t length = 0;     // as claimed by the header, even when it cannot be believed
  std::uint32_t crc_got = 0;    // as stored in the file: of the data, or of the length when Corrupt
  std::uint32_t crc_want = 0;   // as computed
  std::uint64_t needed = 0;     // on NeedMore: bytes from the record's start that would let it be read

  bool intact() const { return crc_got == crc_want; }
  std::size_t size() const { return kRecordFrameBytes + data.size(); }
};

// Reads the record that starts at in[0]. An Ok record may still not be intact(): its data fails the checksum, but the
// next record can be found. Nothing is allocated, whatever the length says.
Status read_record(Bytes in, Record& out);

// Writes header and footer around `data`; `out` holds data.size() + kRecordFrameBytes.
void write_record(Bytes data, std::uint8_t* out);

}  // namespace seamark
