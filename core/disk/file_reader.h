// Event files into a scanner, without a word to Python in between: the next block is read while this one is scanned.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "../scan.h"

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

// A thread that fills one piece of memory at a time.
class ReadAhead {
 public:
  ReadAhead();
  ~ReadAhead();
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

  void begin(int file, std::uint8_t* into, std::size_t length, std::uint64_t offset);
  std::int64_t finish();  // as read_at

 private:
  void work();

  std::mutex mutex_;
  std::condition_variable changed_;
  enum class State { Idle, Asked, Done, Closing } state_ = State::Idle;
  int file_ = -1;
  std::uint8_t* into_ = nullptr;
  std::size_t length_ = 0;
  std::uint64_t offset_ = 0;
  std::int64_t count_ = 0;
  std::thread thread_;  // last: it uses all of the above
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
  // From so many blocks on, a second thread is worth its while.
  static constexpr std::uint64_t kWorthReadingAhead = 4;

  bool read_blocks(int file, Scanner& scanner, std::uint64_t stop, FileNews& news);
  bool read_record(int file, Scanner& scanner, std::uint64_t size, FileNews& news);
  std::uint8_t* block(std::size_t turn) const { return memory_.get() + turn * (kHeadroom + block_size_) + kHeadroom; }

  std::size_t block_size_;
  std::unique_ptr<std::uint8_t[]> memory_;  // two blocks, each behind its headroom
  std::unique_ptr<ReadAhead> ahead_;
};

}  // namespace seamark
