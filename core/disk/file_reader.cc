#include "file_reader.h"

#include <unistd.h>

#include <cerrno>
#include <utility>

#include "../crc32c.h"

namespace seamark {
namespace {

constexpr std::size_t kFingerprintBytes = 4096;

// Less than `length` only where the file ends; -errno when it cannot be read.
std::int64_t read_at(int file, std::uint8_t* into, std::size_t length, std::uint64_t offset) {
  std::size_t filled = 0;
  while (filled < length) {
    const std::int64_t count = pread(file, into + filled, length - filled, static_cast<off_t>(offset + filled));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return -std::int64_t{errno};
    if (count == 0) break;
    filled += static_cast<std::size_t>(count);
  }
  return static_cast<std::int64_t>(filled);
}

Fingerprint fingerprint(int file, std::uint64_t offset, std::size_t length) {
  std::uint8_t bytes[kFingerprintBytes];
  const std::int64_t count = read_at(file, bytes, length, offset);
  if (count < 0) return {};
  const auto size = static_cast<std::size_t>(count);
  return {size, crc32c({bytes, size})};
}

// How many of the bytes the scanner took; stripes that filled on the way go into `news`.
std::size_t scan_all(Scanner& scanner, Bytes data, std::uint64_t offset, FileNews& news) {
  std::size_t used = 0;
  do {
    used += scanner.scan(data.subspan(used), offset + used);
    if (scanner.status() == ScanStatus::Full) news.stripes.push_back(scanner.take_stripe());
  } while (scanner.status() == ScanStatus::Full);
  news.position = offset + used;
  return used;
}

}  // namespace

Ends ends_of(int file, std::uint64_t consumed) {
  const Fingerprint head = fingerprint(file, 0, static_cast<std::size_t>(std::min<std::uint64_t>(consumed, kFingerprintBytes)));
  if (consumed <= kFingerprintBytes) return {head, head};
  return {head, fingerprint(file, consumed - kFingerprintBytes, kFingerprintBytes)};
}

ReadAhead::ReadAhead() : thread_([this] { work(); }) {}

ReadAhead::~ReadAhead() {
  {
    const std::lock_guard lock(mutex_);
    state_ = State::Closing;
  }
  changed_.notify_all();
  thread_.join();
}

void ReadAhead::begin(int file, std::uint8_t* into, std::size_t length, std::uint64_t offset) {
  {
    const std::lock_guard lock(mutex_);
    file_ = file;
    into_ = into;
    length_ = length;
    offset_ = offset;
    state_ = State::Asked;
  }
  changed_.notify_all();
}

std::int64_t ReadAhead::finish() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return state_ == State::Done; });
  state_ = State::Idle;
  return count_;
}

void ReadAhead::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return state_ == State::Asked || state_ == State::Closing; });
    if (state_ == State::Closing) return;
    lock.unlock();
    const std::int64_t count = read_at(file_, into_, length_, offset_);
    lock.lock();
    count_ = count;
    if (state_ == State::Asked) state_ = State::Done;
    changed_.notify_all();
  }
}

FileReader::FileReader(std::size_t block_size)
    : block_size_(std::max<std::size_t>(block_size, 1)),
      memory_(std::make_unique_for_overwrite<std::uint8_t[]>(2 * (kHeadroom + block_size_))) {}

FileNews FileReader::read(int file, Scanner& scanner, std::uint64_t start, std::uint64_t size, std::uint64_t budget) {
  FileNews news;
  news.position = start;
  const std::uint64_t stop = start < size && budget < size - start ? start + budget : size;
  while (news.position < size) {
    if (news.position >= stop) {
      news.has_more = true;
      break;
    }
    if (!read_blocks(file, scanner, stop, news)) break;
    if (news.position < stop && !read_record(file, scanner, size, news)) break;
  }
  if (Block last = scanner.take_stripe(); last.size > 0) news.stripes.push_back(std::move(last));
  if (news.position > start) news.ends = ends_of(file, news.position);
  return news;
}

// Up to `stop`, or to a record that is too long for the headroom. False when there is nothing to go on with.
bool FileReader::read_blocks(int file, Scanner& scanner, std::uint64_t stop, FileNews& news) {
  std::uint64_t end = news.position;  // of what was read
  const bool on_thread = stop - end >= kWorthReadingAhead * block_size_;
  if (on_thread && !ahead_) ahead_ = std::make_unique<ReadAhead>();
  const auto wanted = [&] { return static_cast<std::size_t>(std::min<std::uint64_t>(block_size_, stop - end)); };
  std::size_t turn = 0;
  Bytes left;  // the beginning of a record at the end of what was read
  if (on_thread) ahead_->begin(file, block(turn), wanted(), end);
  for (;;) {
    const std::int64_t count = on_thread ? ahead_->finish() : read_at(file, block(turn), wanted(), end);
    if (count < 0) news.error = static_cast<int>(-count);
    if (count <= 0) return false;  // it shrank while we read; the next visit sees that
    std::uint8_t* from = block(turn) - left.size();
    if (!left.empty()) std::memcpy(from, left.data(), left.size());
    const Bytes data{from, left.size() + static_cast<std::size_t>(count)};
    const std::uint64_t offset = end - left.size();
    end += static_cast<std::uint64_t>(count);
    turn = 1 - turn;
    const bool is_last = end >= stop;
    if (on_thread && !is_last) ahead_->begin(file, block(turn), wanted(), end);
    left = data.subspan(scan_all(scanner, data, offset, news));
    const bool is_corrupt = scanner.status() == ScanStatus::Corrupt;
    if (is_last || is_corrupt || left.size() > kHeadroom) {
      if (on_thread && !is_last) ahead_->finish();
      return !is_corrupt;
    }
  }
}

// One record that the blocks ended in the middle of, or that is longer than they are, in memory that goes with it.
// Only if the file really has it, whatever length it claims.
bool FileReader::read_record(int file, Scanner& scanner, std::uint64_t size, FileNews& news) {
  std::uint64_t had = 0;
  while (scanner.status() == ScanStatus::NeedMore) {
    const std::uint64_t needed = scanner.needed();
    if (needed <= had || needed > size - news.position) return false;
    had = needed;
    const Block record = Block::of(static_cast<std::size_t>(needed));
    const std::int64_t count = read_at(file, reinterpret_cast<std::uint8_t*>(record.words.get()), record.size, news.position);
    if (count < 0) news.error = static_cast<int>(-count);
    if (count < static_cast<std::int64_t>(needed)) return false;
    if (scan_all(scanner, record.bytes(), news.position, news) > 0) break;
  }
  return scanner.status() != ScanStatus::Corrupt;
}

}  // namespace seamark
