#include "record.h"

#include "testing.h"
#include "testing_bytes.h"

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
  CHECK(read_record(file.view(), record) == Status::Ok);
  CHECK(record.intact() && testing::letters(record.data) == "hello" && record.size() == 21);
  CHECK(read_record(file.view().subspan(21), record) == Status::Ok);
  CHECK(record.intact() && record.data.empty());
}

TEST(record_cut_at_any_byte_needs_more) {
  const File file = File().add(text("hello"));
  for (std::size_t size = 0; size < 21; ++size) {
    Record record;
    CHECK(read_record(file.view().first(size), record) == Status::NeedMore);
    CHECK(record.needed == (size < 12 ? 12U : 21U));
  }
}

TEST(record_of_absurd_length_only_needs_more) {
  Record record;
  CHECK(read_record(header_claiming(std::uint64_t{1} << 63), record) == Status::NeedMore);
  CHECK(record.needed == (std::uint64_t{1} << 63) + 16);
  for (std::uint64_t below = 1; below <= 17; ++below) {
    CHECK(read_record(header_claiming(0 - below), record) == Status::NeedMore);
    CHECK(record.needed == ~std::uint64_t{0});
  }
}

TEST(record_with_a_flipped_bit_is_noticed) {
  const File whole = File().add(text("hello"));
  for (std::size_t bit = 0; bit < whole.view().size() * 8; ++bit) {
    File file = whole;
    file.bytes()[bit / 8] = static_cast<std::uint8_t>(file.bytes()[bit / 8] ^ (1U << (bit % 8)));
    Record record;
    const Status status = read_record(file.view(), record);
    CHECK(bit < 96 ? status == Status::Corrupt : status == Status::Ok && !record.intact());
  }
}

}  // namespace seamark
