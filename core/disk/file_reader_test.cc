#include "disk/file_reader.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>

#include "columns/stripe.h"
#include "disk/long_record.h"
#include "testing/messages.h"
#include "testing/testing.h"

namespace seamark {
using testing::event_of;
using testing::File;
using testing::Message;
using testing::text;

namespace {

constexpr std::size_t kRoomy = 1 << 20;
constexpr std::uint64_t kNoBudget = std::uint64_t{1} << 40;

// A file on disk until the end of the test.
class OnDisk {
 public:
  explicit OnDisk(Bytes content) {
    char name[] = "/tmp/seamark_core_test_XXXXXX";
    file_ = mkstemp(name);
    CHECK(file_ >= 0);
    unlink(name);
    CHECK(write(file_, content.data(), content.size()) == static_cast<ssize_t>(content.size()));
  }
  ~OnDisk() { close(file_); }
  OnDisk(const OnDisk&) = delete;
  OnDisk& operator=(const OnDisk&) = delete;
  int get() const { return file_; }

 private:
  int file_ = -1;
};

Message point(int step) {
  return event_of(step, step, Message().bytes(1, "loss").fixed32(2, static_cast<float>(step)));
}

File points(int first, int last) {
  File file;
  for (int step = first; step < last; ++step) file.add(point(step));
  return file;
}

std::vector<std::int64_t> steps_of(const ReadResult& result) {
  std::vector<std::int64_t> steps;
  for (const Block& block : result.stripes) {
    const auto view = StripeView::open(block.bytes(), true);
    CHECK(view);
    steps.insert(steps.end(), view->steps().begin(), view->steps().end());
  }
  return steps;
}

bool counts_up(const std::vector<std::int64_t>& steps, std::size_t size) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i] != static_cast<std::int64_t>(i)) return false;
  }
  return steps.size() == size;
}

ReadResult read(FileReader& reader, const OnDisk& file, Scanner& scanner, std::uint64_t start, std::uint64_t size,
                std::uint64_t budget = kNoBudget) {
  auto result = reader.read(file.get(), scanner, start, size, budget);
  CHECK(result);
  return result ? std::move(*result) : ReadResult();
}

ReadResult read_whole(const OnDisk& file, std::size_t size, std::size_t block_size, std::size_t max_rows = kRoomy) {
  Scanner scanner(max_rows);
  FileReader reader(block_size);
  return read(reader, file, scanner, 0, size);
}

TEST(every_record_is_read_once_with_blocks_of_any_size) {
  File content = points(0, 60);
  const OnDisk file(content.view());
  for (const std::size_t block_size : {1U, 7U, 40U, 41U, 997U, 100000U}) {
    const ReadResult result = read_whole(file, content.view().size(), block_size);
    CHECK(counts_up(steps_of(result), 60));
    CHECK(result.position == content.view().size() && !result.has_more);
  }
}

TEST(full_stripes_are_taken_during_a_read) {
  File content = points(0, 100);
  const OnDisk file(content.view());
  const ReadResult result = read_whole(file, content.view().size(), 300, 16);
  CHECK(result.stripes.size() == 7);
  CHECK(counts_up(steps_of(result), 100));
}

TEST(stripes_that_are_built_during_the_scan_come_in_order_from_file_to_file) {
  File content = points(0, 400);
  const OnDisk file(content.view());
  FileReader reader(100);
  for (int round = 0; round < 3; ++round) {
    Scanner scanner(7);
    const ReadResult result = read(reader, file, scanner, 0, content.view().size());
    CHECK(result.stripes.size() == 58);
    CHECK(counts_up(steps_of(result), 400));
  }
}

TEST(a_budget_ends_a_read_after_a_whole_record_and_the_next_read_continues) {
  File content = points(0, 50);
  const OnDisk file(content.view());
  const std::uint64_t size = content.view().size();
  FileReader reader(64);
  Scanner scanner(kRoomy);
  std::vector<std::int64_t> steps;
  std::uint64_t position = 0;
  for (int rounds = 0; position < size && rounds < 100; ++rounds) {
    const ReadResult result = read(reader, file, scanner, position, size, 100);
    CHECK(result.position > position);
    CHECK(result.has_more == (result.position < size));
    position = result.position;
    const auto more = steps_of(result);
    steps.insert(steps.end(), more.begin(), more.end());
  }
  CHECK(counts_up(steps, 50));
}

TEST(a_record_longer_than_a_block_and_its_headroom_is_read_whole) {
  File content = points(0, 3);
  content.add(Message().fixed64(1, 1).bytes(3, std::string(300000, 'x')));
  for (int step = 3; step < 6; ++step) content.add(point(step));
  const OnDisk file(content.view());
  for (const std::size_t block_size : {16U, 1000U, 70000U}) {
    const ReadResult result = read_whole(file, content.view().size(), block_size);
    CHECK(counts_up(steps_of(result), 6));
    CHECK(result.position == content.view().size());
  }
}

TEST(an_incomplete_record_at_the_end_is_left_for_the_next_read) {
  File content = points(0, 3);
  std::size_t whole = 0;
  for (std::size_t size = 0; size <= content.view().size(); ++size) {
    const OnDisk file(content.view().first(size));
    const ReadResult result = read_whole(file, size, 32);
    if (size == points(0, static_cast<int>(whole) + 1).view().size()) ++whole;
    CHECK(!result.has_more && result.position <= size);
    CHECK(counts_up(steps_of(result), whole));
  }
}

TEST(a_corrupt_length_ends_the_file) {
  File content = points(0, 40);
  const std::size_t good = content.view().size();
  content.bytes().insert(content.bytes().end(), 12, std::uint8_t{0xff});
  File more = points(40, 80);
  content.bytes().insert(content.bytes().end(), more.view().begin(), more.view().end());
  const OnDisk file(content.view());
  for (const std::size_t block_size : {50U, 100000U}) {
    const ReadResult result = read_whole(file, content.view().size(), block_size);
    CHECK(result.position == good && !result.has_more);
    CHECK(counts_up(steps_of(result), 40));
  }
}

// Writes into a sparse file, whose holes take no space on the disk.
void put(int file, Bytes bytes, std::uint64_t offset) {
  CHECK(pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(offset)) == static_cast<ssize_t>(bytes.size()));
}

TEST(a_record_of_more_than_two_gigabytes_is_skipped_and_reported) {
  File content = points(0, 3);
  const OnDisk file(content.view());
  const std::uint64_t at = content.view().size();
  std::uint8_t header[kRecordHeaderBytes];
  store<std::uint64_t>(header, std::uint64_t{9} << 30U);
  store<std::uint32_t>(header + 8, masked_crc32c({header, 8}));
  put(file.get(), header, at);
  const std::uint64_t behind = at + (std::uint64_t{9} << 30U) + kRecordFrameBytes;
  File more = points(3, 6);
  put(file.get(), more.view(), behind);
  for (const std::size_t block_size : {16U, 100000U}) {
    Scanner scanner(kRoomy);
    FileReader reader(block_size);
    const ReadResult result = read(reader, file, scanner, 0, behind + more.view().size());
    CHECK(counts_up(steps_of(result), 6));
    CHECK(result.position == behind + more.view().size());
    const auto problems = scanner.take_problems();
    CHECK(problems.size() == 1 && problems[0].code == ProblemCode::TooLong && problems[0].offset == at);
  }
}

// Compares what is found in a file with one long record, read whole and as an outline.
void check_outline(const Message& event) {
  File content = points(0, 2);
  content.add(event);
  content.add(point(2));
  const OnDisk file(content.view());
  Scanner whole(kRoomy);
  whole.scan(content.view(), 0);
  Scanner scanner(kRoomy);
  FileReader reader(1 << 20);
  const ReadResult result = read(reader, file, scanner, 0, content.view().size());
  CHECK(result.position == content.view().size() && result.stripes.size() == 1);
  CHECK(same_bytes(result.stripes[0].bytes(), whole.take_stripe().bytes()));
  CHECK(scanner.problem_count() == whole.problem_count() && scanner.series().size() == whole.series().size());
  for (std::size_t i = 0; i < whole.series().size(); ++i) {
    CHECK(scanner.series()[i].tag == whole.series()[i].tag &&
          scanner.series()[i].metadata == whole.series()[i].metadata);
  }
}

TEST(a_long_record_gives_the_same_rows_when_read_as_an_outline) {
  const std::string blob(kLongRecordBytes, 'x');
  const Message metadata = Message().bytes(1, Message().bytes(1, "images")).bytes(3, std::string(200000, 'd'));
  const Message tensor =
      Message().varint(1, 7).bytes(2, Message().bytes(2, Message().varint(1, 3))).bytes(8, "1").bytes(8, blob);
  const Message value = Message().bytes(1, "picture").bytes(8, tensor).bytes(9, metadata);
  const Message small = Message().bytes(1, "loss").fixed32(2, 7.0F);
  check_outline(
      Message().fixed64(1, 1).varint(2, 5).bytes(5, Message().bytes(1, small).bytes(1, value).bytes(1, small)));
  check_outline(Message().fixed64(1, 1).bytes(4, blob));                                                   // a graph
  check_outline(event_of(1, 1, Message().bytes(1, "i").bytes(4, Message().varint(1, 3).bytes(4, blob))));  // an image
  check_outline(event_of(1, 1, Message().bytes(1, "h").bytes(5, Message().bytes(6, blob).bytes(7, blob.substr(1)))));
  check_outline(Message().fixed64(1, 1).bytes(8, Message().bytes(1, "run").bytes(2, blob)));
}

TEST(a_long_record_with_a_wrong_checksum_is_skipped) {
  File content = points(0, 2);
  const std::size_t at = content.view().size();
  content.add(Message().fixed64(1, 1).bytes(4, std::string(kLongRecordBytes, 'x')));
  content.bytes()[at + 1000] ^= 1;
  content.add(point(2));
  const OnDisk file(content.view());
  Scanner scanner(kRoomy);
  FileReader reader(1 << 20);
  const ReadResult result = read(reader, file, scanner, 0, content.view().size());
  CHECK(counts_up(steps_of(result), 3));
  const auto problems = scanner.take_problems();
  CHECK(problems.size() == 1 && problems[0].code == ProblemCode::DataCrc && problems[0].offset == at);
}

TEST(a_file_that_has_shrunk_is_read_to_its_new_end) {
  File content = points(0, 30);
  const OnDisk file(content.view());
  const ReadResult result = read_whole(file, content.view().size() + 5000, 100);
  CHECK(counts_up(steps_of(result), 30));
  CHECK(!result.has_more);
}

TEST(a_file_that_cannot_be_read_is_an_error_of_the_system) {
  Scanner scanner(kRoomy);
  for (const std::uint64_t size : {100U, 100000U}) {
    const auto result = FileReader(100).read(-1, scanner, 0, size, kNoBudget);
    CHECK(!result && result.error().system_code == EBADF);
  }
}

TEST(a_file_that_the_reader_opens_is_read_to_the_size_it_has) {
  const File content = points(0, 30);
  const OnDisk file(content.view());
  Scanner scanner(kRoomy);
  // The file has no name any more, except this one.
  const std::string path = "/dev/fd/" + std::to_string(file.get());
  const auto opened = FileReader(100).open_and_read(path, scanner, kNoBudget);
  CHECK(opened && opened->status.size == content.view().size());
  CHECK(opened->status.inode != 0 && opened->status.mtime_ns > 0);
  CHECK(counts_up(steps_of(opened->result), 30) && !opened->result.has_more);
  const auto missing = FileReader(100).open_and_read("/no/such/file", scanner, kNoBudget);
  CHECK(!missing && missing.error().system_code == ENOENT);
}

TEST(the_fingerprint_changes_with_the_first_and_the_last_bytes_before_the_position) {
  std::vector<std::uint8_t> content(10000, 7);
  const auto fingerprint = [&](std::uint64_t consumed) { return fingerprint_file(OnDisk(content).get(), consumed); };
  const FileFingerprint before = fingerprint(9000);
  CHECK(before.head.length == 4096 && before.tail.length == 4096);
  content[9500] = 8;  // not read yet
  content[4500] = 8;  // neither first nor last
  CHECK(fingerprint(9000).head.crc == before.head.crc && fingerprint(9000).tail.crc == before.tail.crc);
  content[8999] = 8;
  CHECK(fingerprint(9000).tail.crc != before.tail.crc);
  content[0] = 8;
  CHECK(fingerprint(9000).head.crc != before.head.crc);
  CHECK(fingerprint(12).head.length == 12 && fingerprint(12).tail.crc == fingerprint(12).head.crc);
  CHECK(fingerprint(20000).tail.length == 0);
}

}  // namespace
}  // namespace seamark
