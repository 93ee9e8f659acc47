// Event files into a scanner, without a word to Python in between. Of a long file the next block is read and the last
// stripe built while this block is scanned.
#pragma once

#include <memory>
#include <vector>

#include "../scan.h"
#include "helper.h"

namespace seamark {

// Checksum of a piece of a file, and how long the piece really was.
struct Fingerprint {
  std::uint64_t length = 0;
  std::uint32_t crc = 0;
};

// What was read of a file, by its first and its last bytes.
struct Ends {
  Fingerprint head, tail;
};

Ends ends_of(int file, std::uint64_t consumed);

// What one reading brought.
struct FileNews {
  std::uint64_t position = 0;  // whole records up to here are scanned
  bool has_more = false;       // only the budget ended it
  int error = 0;               // errno of a read that failed, 0 if none did
  std::vector<Block> stripes;
  Ends ends;  // of what is scanned now
};

// One stripe after the other, built while the rows of the next are gathered.
class StripeBuilder {
 public:
  // The rows that the scanner has gathered; stripes that are done go to the end of `out`.
  void take(Scanner& scanner, std::vector<Block>& out);
  void finish(std::vector<Block>& out);

 private:
  PendingRows rows_;
  Block built_;
  Helper helper_;  // last: it uses all of the above
};

// One worker's memory, used for file after file: fresh pages would cost as much as scanning what is in them.
class FileReader {
 public:
  explicit FileReader(std::size_t block_size);

  // Scans [start, size) of the file, about `budget` bytes of it at most. The last stripe is taken too, however small.
  FileNews read(int file, Scanner& scanner, std::uint64_t start, std::uint64_t size, std::uint64_t budget);

 private:
  // Room before a block for the record that the block before it ended in the middle of.
  static constexpr std::size_t kHeadroom = 1U << 16;
  // From so many blocks on, further threads are worth their while.
  static constexpr std::uint64_t kWorthHelp = 4;

  struct Help {
    Helper reading;
    StripeBuilder building;

    void settle();
  };

  bool read_blocks(int file, Scanner& scanner, std::uint64_t stop, FileNews& news);
  bool read_record(int file, Scanner& scanner, std::uint64_t size, FileNews& news);
  bool read_long_record(int file, Scanner& scanner, std::uint64_t needed, FileNews& news);
  std::size_t scan_all(Scanner& scanner, Bytes data, std::uint64_t offset, FileNews& news, StripeBuilder* builder);
  std::uint8_t* block(std::size_t turn) const { return memory_.get() + turn * (kHeadroom + block_size_) + kHeadroom; }

  std::size_t block_size_;
  std::unique_ptr<std::uint8_t[]> memory_;  // two blocks, each behind its headroom
  std::unique_ptr<Help> help_;
};

}  // namespace seamark
