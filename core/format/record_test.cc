#include "format/record.h"

#include "testing/messages.h"
#include "testing/testing.h"

namespace seamark {
using testing::File;
using testing::text;

namespace {

std::vector<std::uint8_t> header_claiming(std::uint64_t length) {
  std::vector<std::uint8_t> header(kRecordHeaderBytes);
  store(header.data(), length);
  store(header.data() + 8, masked_crc32c({header.data(), 8}));
  return header;
}

}  // namespace

TEST(record_written_is_record_read) {
  const File file = File().add(text("hello")).add(text(""));
  Record record;
  CHECK(read_record(file.view(), record) == ReadStatus::Ok);
  CHECK(record.intact() && testing::letters(record.data) == "hello" && record.size() == 21);
  CHECK(read_record(file.view().subspan(21), record) == ReadStatus::Ok);
  CHECK(record.intact() && record.data.empty());
}

TEST(record_cut_at_any_byte_is_incomplete) {
  const File file = File().add(text("hello"));
  for (std::size_t size = 0; size < 21; ++size) {
    Record record;
    CHECK(read_record(file.view().first(size), record) == ReadStatus::Incomplete);
    CHECK(record.needed_bytes == (size < 12 ? 12U : 21U));
  }
}

TEST(record_ends_are_those_of_the_whole_records) {
  const File file = File().add(text("hello")).add(text(""));
  CHECK(record_ends(file.view()) == std::vector<std::size_t>({21, 37}));
  CHECK(record_ends(file.view().first(36)) == std::vector<std::size_t>({21}));
  CHECK(record_ends({}).empty());
}

TEST(record_data_ends_with_the_intact_records) {
  File file = File().add(text("hello")).add(text("a")).add(text("b"));
  const std::vector<Bytes> data = record_data(file.view());
  CHECK(data.size() == 3 && same_bytes(data[0], file.view().subspan(12, 5)));
  file.bytes()[21 + 12] ^= 1;
  CHECK(record_data(file.view()).size() == 1);
}

TEST(record_of_impossible_length_is_incomplete) {
  Record record;
  CHECK(read_record(header_claiming(std::uint64_t{1} << 63), record) == ReadStatus::Incomplete);
  CHECK(record.needed_bytes == (std::uint64_t{1} << 63) + 16);
  for (std::uint64_t below = 1; below <= 17; ++below) {
    CHECK(read_record(header_claiming(0 - below), record) == ReadStatus::Incomplete);
    CHECK(record.needed_bytes == ~std::uint64_t{0});
  }
}

TEST(record_with_a_flipped_bit_is_noticed) {
  const File whole = File().add(text("hello"));
  for (std::size_t bit = 0; bit < whole.view().size() * 8; ++bit) {
    File file = whole;
    file.bytes()[bit / 8] = static_cast<std::uint8_t>(file.bytes()[bit / 8] ^ (1U << (bit % 8)));
    Record record;
    const ReadStatus status = read_record(file.view(), record);
    CHECK(bit < 96 ? status == ReadStatus::Corrupt : status == ReadStatus::Ok && !record.intact());
  }
}

}  // namespace seamark
