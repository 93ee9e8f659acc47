// Reads event files into a scanner, without returning to Python in between. In a long file, the next block is read and
// the last stripe is built while this block is scanned.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "disk/read_pipeline.h"
#include "scan/scan.h"

namespace seamark {

// The checksum of a part of a file, and the length that the part had.
struct Fingerprint {
  std::uint64_t length = 0;
  std::uint32_t crc = 0;
};

// Identifies what was read of a file by its first and last bytes.
struct FileFingerprint {
  Fingerprint head, tail;
};

// Of the first and the last 4 KiB before `consumed`. A part that cannot be read has length 0.
FileFingerprint fingerprint_file(int file, std::uint64_t consumed);

struct ReadResult {
  std::uint64_t position = 0;  // whole records up to here were scanned
  bool has_more = false;       // the budget ended the read, not the file
  std::vector<Block> stripes;
  FileFingerprint fingerprint;  // of the file up to `position`
};

// What the system said of a file when it was opened.
struct FileStatus {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::uint64_t size = 0;
  std::int64_t mtime_ns = 0;
};

struct OpenedRead {
  FileStatus status;
  ReadResult result;
};

// The memory of one thread, used for file after file: touching fresh pages costs as much as scanning their content.
class FileReader {
 public:
  explicit FileReader(std::size_t block_size);

  // Scans [start, size) of the file, at most about `budget` bytes of it. Always takes the last stripe, however small.
  Result<ReadResult> read(int file, Scanner& scanner, std::uint64_t start, std::uint64_t size, std::uint64_t budget);

  // Opens the file, scans it from its start to the size that it has then, and closes it.
  Result<OpenedRead> open_and_read(const std::string& path, Scanner& scanner, std::uint64_t budget);

 private:
  // Room before a block for a record that started in the block before.
  static constexpr std::size_t kHeadroom = 1U << 16;
  // A read of fewer blocks does not pay for the threads.
  static constexpr std::uint64_t kMinPipelinedBlocks = 4;
  // Larger row buffers are freed after a read.
  static constexpr std::size_t kMaxKeptRows = std::size_t{1} << 20;

  struct State {
    int file;
    Scanner& scanner;
    std::uint64_t size;
    ReadResult result;
    ScanResult scan;      // of the last scan
    OptionalError error;  // of a read that failed
  };

  // Each returns whether there is something to continue with.
  bool read_blocks(State& state, std::uint64_t stop);
  bool read_record(State& state);
  bool read_long_record(State& state, std::uint64_t needed_bytes);
  std::size_t scan_all(State& state, Bytes data, std::uint64_t offset, StripeBuilder* builder);
  void lend_rows(Scanner& scanner);
  void recover_rows(Scanner& scanner);
  std::uint8_t* block(std::size_t index) const { return memory_.get() + index * (kHeadroom + block_size_) + kHeadroom; }

  std::size_t block_size_;
  std::unique_ptr<std::uint8_t[]> memory_;  // two blocks, each after its headroom
  PendingRows rows_;                        // empty; the memory that scanners use during a read
  std::unique_ptr<ReadPipeline> pipeline_;
};

}  // namespace seamark
