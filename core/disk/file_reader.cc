#include "disk/file_reader.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <utility>

#include "columns/stripe.h"
#include "disk/descriptor.h"
#include "disk/long_record.h"
#include "disk/mtime.h"
#include "disk/read_at.h"
#include "format/crc32c.h"

namespace seamark {
namespace {

constexpr std::size_t kFingerprintBytes = 4096;

Fingerprint fingerprint(int file, std::uint64_t offset, std::size_t length) {
  std::uint8_t bytes[kFingerprintBytes];
  const auto count = read_at(file, bytes, length, offset);
  if (!count) return {};
  return {*count, crc32c({bytes, *count})};
}

}  // namespace

FileFingerprint fingerprint_file(int file, std::uint64_t consumed) {
  const auto head_bytes = static_cast<std::size_t>(std::min<std::uint64_t>(consumed, kFingerprintBytes));
  const Fingerprint head = fingerprint(file, 0, head_bytes);
  if (consumed <= kFingerprintBytes) return {head, head};
  return {head, fingerprint(file, consumed - kFingerprintBytes, kFingerprintBytes)};
}

FileReader::FileReader(std::size_t block_size)
    : block_size_(std::max<std::size_t>(block_size, 1)),
      memory_(std::make_unique_for_overwrite<std::uint8_t[]>(2 * (kHeadroom + block_size_))) {}

Result<ReadResult> FileReader::read(int file, Scanner& scanner, std::uint64_t start, std::uint64_t size,
                                    std::uint64_t budget) {
  State state{file, scanner, size, {}, {}, {}};
  ReadResult& result = state.result;
  result.position = start;
  const std::uint64_t stop = start < size && budget < size - start ? start + budget : size;
  lend_rows(scanner);
  while (result.position < size) {
    if (result.position >= stop) {
      result.has_more = true;
      break;
    }
    if (!read_blocks(state, stop)) break;
    if (result.position < stop && !read_record(state)) break;
  }
  if (Block last = scanner.take_stripe(); last.size > 0) result.stripes.push_back(std::move(last));
  recover_rows(scanner);
  if (state.error) return *state.error;
  if (result.position > start) result.fingerprint = fingerprint_file(file, result.position);
  return std::move(result);
}

Result<OpenedRead> FileReader::open_and_read(const std::string& path, Scanner& scanner, std::uint64_t budget) {
  // O_NONBLOCK: a pipe in place of the file must not block.
  const Descriptor file(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  struct stat found{};
  if (!file.is_open() || fstat(file.get(), &found) != 0) return Error::from_system(errno);
  const FileStatus status{static_cast<std::uint64_t>(found.st_dev), static_cast<std::uint64_t>(found.st_ino),
                          static_cast<std::uint64_t>(found.st_size), mtime_ns(found)};
  auto result = read(file.get(), scanner, 0, status.size, budget);
  if (!result) return result.error();
  return OpenedRead{status, std::move(*result)};
}

void FileReader::lend_rows(Scanner& scanner) {
  if (scanner.pending_rows() == 0) scanner.take_rows(std::move(rows_));
}

// Thousands of idle scanners then hold no memory for rows.
void FileReader::recover_rows(Scanner& scanner) {
  rows_ = scanner.take_rows({});
  if (rows_.scalars.capacity() > kMaxKeptRows) rows_.scalars = {};
  if (rows_.payloads.capacity() > kMaxKeptRows) rows_.payloads = {};
}

// Returns how many of the bytes were consumed. Stripes that became full go into the result.
std::size_t FileReader::scan_all(State& state, Bytes data, std::uint64_t offset, StripeBuilder* builder) {
  std::size_t used = 0;
  for (;;) {
    state.scan = state.scanner.scan(data.subspan(used), offset + used);
    used += state.scan.consumed;
    if (state.scan.status != ReadStatus::Full) break;
    if (builder != nullptr) {
      builder->take(state.scanner, state.result.stripes);
    } else {
      state.result.stripes.push_back(state.scanner.take_stripe());
    }
  }
  state.result.position = offset + used;
  return used;
}

// Reads up to `stop`, or to a record that is longer than the headroom.
bool FileReader::read_blocks(State& state, std::uint64_t stop) {
  std::uint64_t end = state.result.position;   // of the bytes that were read
  Result<std::size_t> count = std::size_t{0};  // of the block that was read last
  std::size_t index = 0;
  const auto read_next = [this, &state, &end, &count, &index, stop] {
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(block_size_, stop - end));
    count = read_at(state.file, block(index), wanted, end);
  };
  const bool is_pipelined = stop - end >= kMinPipelinedBlocks * block_size_;
  if (is_pipelined && !pipeline_) pipeline_ = std::make_unique<ReadPipeline>();
  // The threads use this function's variables: they stop before it returns, also when it throws.
  const std::unique_ptr<ReadPipeline, void (*)(ReadPipeline*)> guard(
      is_pipelined ? pipeline_.get() : nullptr, [](ReadPipeline* pipeline) { pipeline->wait_until_idle(); });
  Bytes left;  // the beginning of a record at the end of the last block
  read_next();
  for (bool goes_on = true; goes_on;) {
    if (!count) state.error = count.error();
    if (!count || *count == 0) break;  // if the file has shrunk, the next poll finds that
    std::uint8_t* from = block(index) - left.size();
    if (!left.empty()) std::memcpy(from, left.data(), left.size());
    const Bytes data{from, left.size() + *count};
    const std::uint64_t offset = end - left.size();
    end += *count;
    index = 1 - index;
    const bool is_last = end >= stop;
    if (is_pipelined && !is_last) pipeline_->reader.begin(read_next);
    left = data.subspan(scan_all(state, data, offset, is_pipelined ? &pipeline_->builder : nullptr));
    goes_on = !is_last && state.scan.status != ReadStatus::Corrupt && left.size() <= kHeadroom;
    if (is_pipelined) {
      pipeline_->reader.finish();
    } else if (goes_on) {
      read_next();
    }
  }
  if (is_pipelined) pipeline_->builder.finish(state.result.stripes);
  return count && *count > 0 && state.scan.status != ReadStatus::Corrupt;
}

// One record that continues after the last block, or is longer than a block, in memory of its own. Only if the file is
// long enough, whatever the record claims.
bool FileReader::read_record(State& state) {
  std::uint64_t had = 0;
  while (state.scan.status == ReadStatus::Incomplete) {
    const std::uint64_t needed = state.scan.needed_bytes;
    if (needed <= had || needed > state.size - state.result.position) return false;
    if (needed > kLongRecordBytes) return read_long_record(state, needed);
    had = needed;
    Block record = Block::of(static_cast<std::size_t>(needed));
    const auto count = read_at(state.file, record.data(), record.size, state.result.position);
    if (!count) state.error = count.error();
    if (!count || *count < record.size) return false;
    if (scan_all(state, record.bytes(), state.result.position, nullptr) > 0) break;
  }
  return state.scan.status != ReadStatus::Corrupt;
}

// The file contains the whole record, and its length is intact: the next record can be found whatever this one
// contains.
bool FileReader::read_long_record(State& state, std::uint64_t needed_bytes) {
  const std::uint64_t offset = state.result.position;
  const std::uint64_t start = offset + kRecordHeaderBytes;
  state.scan = {};
  Record record;
  record.length = needed_bytes - kRecordFrameBytes;
  if (record.length > kMaxRecordBytes) {
    state.scanner.skip_long(record.length, offset);
    state.result.position += needed_bytes;
    return true;
  }
  const auto checksum = checksum_of(state.file, start, record.length, {block(0), block_size_});
  std::uint8_t footer[kRecordFooterBytes];
  const auto count = read_at(state.file, footer, sizeof footer, start + record.length);
  if (!checksum || !count) state.error = !checksum ? checksum.error() : count.error();
  if (!checksum || !*checksum || !count || *count != sizeof footer) return false;
  record.crc_want = **checksum;
  record.crc_got = load<std::uint32_t>(footer);
  const auto outline = Outline::read(state.file, start, record.intact() ? record.length : 0);
  if (!outline) {
    state.error = outline.error();
    return false;
  }
  record.data = outline->message();
  if (outline->exceeds_copy_limit()) {
    state.scanner.skip_long(record.length, offset);
  } else {
    state.scanner.scan_long(record, offset);
  }
  state.result.position += needed_bytes;
  return true;
}

}  // namespace seamark
