// TFRecord framing: u64 length, u32 masked crc of the length, data, u32 masked crc of the data.
#pragma once

#include <vector>

#include "bytes.h"
#include "format/crc32c.h"
#include "result.h"

namespace seamark {

constexpr std::size_t kRecordHeaderBytes = 12;
constexpr std::size_t kRecordFooterBytes = 4;
constexpr std::size_t kRecordFrameBytes = kRecordHeaderBytes + kRecordFooterBytes;

// The longest message that protobuf can have. A record that claims more is skipped, even if the file is that long.
constexpr std::uint64_t kMaxRecordBytes = (1ULL << 31U) - 1;

struct Record {
  Bytes data;
  std::uint64_t length = 0;        // as the header claims, even if its checksum is wrong
  std::uint32_t crc_got = 0;       // as stored in the file: of the data, or of the length if Corrupt
  std::uint32_t crc_want = 0;      // as computed
  std::uint64_t needed_bytes = 0;  // if Incomplete: how many bytes from the record's start would complete it

  bool intact() const { return crc_got == crc_want; }
  std::size_t size() const { return kRecordFrameBytes + data.size(); }
};

// Reads the record that starts at in[0]: Ok, Incomplete or Corrupt. An Ok record may still not be intact(): its data
// fails the checksum, but the next record can be found. Allocates nothing, whatever the length says.
ReadStatus read_record(Bytes in, Record& out);

// Writes header and footer around `data`; `out` holds data.size() + kRecordFrameBytes.
void write_record(Bytes data, std::uint8_t* out);

// The end of each record of a buffer, up to the first that is incomplete.
std::vector<std::size_t> record_ends(Bytes records);

// The data of each record of a buffer, up to the first that is incomplete or not intact.
std::vector<Bytes> record_data(Bytes records);

}  // namespace seamark
