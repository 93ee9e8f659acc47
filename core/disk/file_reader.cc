#include "file_reader.h"

#include <utility>

#include "../crc32c.h"
#include "../stripe.h"
#include "long_record.h"
#include "read_at.h"

namespace seamark {
namespace {

constexpr std::size_t kFingerprintBytes = 4096;

Fingerprint fingerprint(int file, std::uint64_t offset, std::size_t length) {
  std::uint8_t bytes[kFingerprintBytes];
  const std::int64_t count = read_at(file, bytes, length, offset);
  if (count < 0) return {};
  const auto size = static_cast<std::size_t>(count);
  return {size, crc32c({bytes, size})};
}

}  // namespace

Ends ends_of(int file, std::uint64_t consumed) {
  const Fingerprint head = fingerprint(file, 0, static_cast<std::size_t>(std::min<std::uint64_t>(consumed, kFingerprintBytes)));
  if (consumed <= kFingerprintBytes) return {head, head};
  return {head, fingerprint(file, consumed - kFingerprintBytes, kFingerprintBytes)};
}

void StripeBuilder::take(Scanner& scanner, std::vector<Block>& out) {
  finish(out);
  rows_.forget();
  rows_ = scanner.take_rows(std::move(rows_));
  helper_.begin([this, count = static_cast<std::uint32_t>(scanner.series().size())] {
    built_ = build_stripe(rows_.scalars.rows(), rows_.payloads.rows(), count);
  });
}

void StripeBuilder::finish(std::vector<Block>& out) {
  helper_.finish();
  if (built_.size > 0) out.push_back(std::exchange(built_, {}));
}

void FileReader::Help::settle() {
  std::vector<Block> gone;
  try {
    reading.finish();
    building.finish(gone);
  } catch (...) {  // was thrown once already, or concerns nobody any more
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

// How many of the bytes the scanner took; stripes that filled on the way go into `news`.
std::size_t FileReader::scan_all(Scanner& scanner, Bytes data, std::uint64_t offset, FileNews& news, StripeBuilder* builder) {
  std::size_t used = 0;
  for (;;) {
    used += scanner.scan(data.subspan(used), offset + used);
    if (scanner.status() != ScanStatus::Full) break;
    if (builder != nullptr) {
      builder->take(scanner, news.stripes);
    } else {
      news.stripes.push_back(scanner.take_stripe());
    }
  }
  news.position = offset + used;
  return used;
}

// Up to `stop`, or to a record that is too long for the headroom. False when there is nothing to go on with.
bool FileReader::read_blocks(int file, Scanner& scanner, std::uint64_t stop, FileNews& news) {
  std::uint64_t end = news.position;  // of what was read
  std::int64_t count = 0;             // of the block that was read last, as of read_at
  std::size_t turn = 0;
  const auto read_next = [this, file, &end, &count, &turn, stop] {
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(block_size_, stop - end));
    count = read_at(file, block(turn), wanted, end);
  };
  const bool has_help = stop - end >= kWorthHelp * block_size_;
  if (has_help && !help_) help_ = std::make_unique<Help>();
  // Whatever happens, the memory that is read into and the stripes under way are nobody's when this ends.
  const std::unique_ptr<Help, void (*)(Help*)> settled(has_help ? help_.get() : nullptr, [](Help* help) { help->settle(); });
  Bytes left;  // the beginning of a record at the end of what was read
  read_next();
  for (bool goes_on = true; goes_on;) {
    if (count < 0) news.error = static_cast<int>(-count);
    if (count <= 0) break;  // it shrank while we read; the next visit sees that
    std::uint8_t* from = block(turn) - left.size();
    if (!left.empty()) std::memcpy(from, left.data(), left.size());
    const Bytes data{from, left.size() + static_cast<std::size_t>(count)};
    const std::uint64_t offset = end - left.size();
    end += static_cast<std::uint64_t>(count);
    turn = 1 - turn;
    const bool is_last = end >= stop;
    if (has_help && !is_last) help_->reading.begin(read_next);
    left = data.subspan(scan_all(scanner, data, offset, news, has_help ? &help_->building : nullptr));
    goes_on = !is_last && scanner.status() != ScanStatus::Corrupt && left.size() <= kHeadroom;
    if (has_help) {
      help_->reading.finish();
    } else if (goes_on) {
      read_next();
    }
  }
  if (has_help) help_->building.finish(news.stripes);
  return count > 0 && scanner.status() != ScanStatus::Corrupt;
}

// One record that the blocks ended in the middle of, or that is longer than they are, in memory that goes with it.
// Only if the file really has it, whatever length it claims.
bool FileReader::read_record(int file, Scanner& scanner, std::uint64_t size, FileNews& news) {
  std::uint64_t had = 0;
  while (scanner.status() == ScanStatus::NeedMore) {
    const std::uint64_t needed = scanner.needed();
    if (needed <= had || needed > size - news.position) return false;
    if (needed > kLongRecordBytes) return read_long_record(file, scanner, needed, news);
    had = needed;
    const Block record = Block::of(static_cast<std::size_t>(needed));
    const std::int64_t count = read_at(file, reinterpret_cast<std::uint8_t*>(record.words.get()), record.size, news.position);
    if (count < 0) news.error = static_cast<int>(-count);
    if (count < static_cast<std::int64_t>(needed)) return false;
    if (scan_all(scanner, record.bytes(), news.position, news, nullptr) > 0) break;
  }
  return scanner.status() != ScanStatus::Corrupt;
}

// The file has all of it. Its header was sound, so that the next record is found whatever this one holds.
bool FileReader::read_long_record(int file, Scanner& scanner, std::uint64_t needed, FileNews& news) {
  const std::uint64_t offset = news.position;
  const std::uint64_t start = offset + kRecordHeaderBytes;
  Record record;
  record.length = needed - kRecordFrameBytes;
  if (record.length > kMaxRecordBytes) {
    scanner.skip_long(record.length, offset);
    news.position += needed;
    return true;
  }
  std::uint8_t footer[kRecordFooterBytes];
  if (!checksum_of(file, start, record.length, {block(0), block_size_}, record.crc_want, news.error)) return false;
  if (read_at(file, footer, sizeof footer, start + record.length) != sizeof footer) return false;
  record.crc_got = load<std::uint32_t>(footer);
  const Outline outline(file, start, record.intact() ? record.length : 0);
  news.error = outline.error();
  if (news.error != 0) return false;
  record.data = outline.message();
  if (outline.is_too_dense()) {
    scanner.skip_long(record.length, offset);
  } else {
    scanner.scan_long(record, offset);
  }
  news.position += needed;
  return true;
}

}  // namespace seamark
