#include "write/encode.h"

#include <stdexcept>

#include "format/event.h"
#include "format/record.h"
#include "testing/messages.h"
#include "testing/testing.h"

namespace seamark {
using testing::letters;
using testing::text;

namespace {

Bytes unframed(const Buffer& buffer) {
  Record record;
  CHECK(read_record(buffer, record) == ReadStatus::Ok && record.intact() && record.size() == buffer.size());
  return record.data;
}

}  // namespace

TEST(encode_scalar_is_read_back) {
  for (const std::int64_t step :
       {std::int64_t{0}, std::int64_t{1}, std::int64_t{300}, std::int64_t{-1}, std::int64_t{1} << 62}) {
    for (const std::size_t length : {0UL, 1UL, 100UL, 116UL, 117UL, 128UL, 20000UL}) {
      const std::string tag(length, 't');
      Buffer buffer;
      append_scalar(text(tag), 0.1, step, 5.5, buffer);
      EventParser parser;
      CHECK(parser.parse(unframed(buffer)) && parser.event().step == step && parser.event().wall_time == 5.5);
      CHECK(letters(parser.event().values[0].tag) == tag && parser.event().values[0].simple == 0.1F);
    }
  }
}

TEST(encode_leaves_zeros_out_but_never_the_value) {
  Buffer buffer;
  append_scalar(text("a"), 0, 0, 0, buffer);
  CHECK(letters(unframed(buffer)) == std::string_view("\x2a\x0a\x0a\x08\x0a\x01"
                                                      "a\x15\0\0\0\0",
                                                      12));
}

TEST(encode_values_beyond_float_become_infinite) {
  Buffer buffer;
  append_scalar(text("a"), 1e300, 0, 0, buffer);
  EventParser parser;
  CHECK(parser.parse(unframed(buffer)) && std::isinf(parser.event().values[0].simple));
}

TEST(encode_file_version_is_read_back) {
  Buffer buffer;
  append_file_version(7, {}, buffer);
  EventParser parser;
  CHECK(parser.parse(unframed(buffer)) && letters(parser.event().file_version) == "brain.Event:2");
}

TEST(encode_file_version_names_the_writer) {
  Buffer buffer;
  append_file_version(0, text("me"), buffer);
  CHECK(letters(unframed(buffer)) ==
        "\x1a\x0d"
        "brain.Event:2"
        "\x52\x04\x0a\x02"
        "me");
}

TEST(encode_many_equals_one_by_one) {
  const Bytes tags[] = {text("a"), text("bb")};
  const std::uint32_t index[] = {1, 0};
  const std::int64_t steps[] = {5, 6};
  const double walls[] = {1, 2};
  const double values[] = {3, 4};
  Buffer many;
  append_scalars({tags, index, steps, walls, values}, many);
  Buffer single;
  append_scalar(tags[1], 3, 5, 1, single);
  append_scalar(tags[0], 4, 6, 2, single);
  CHECK(many == single);
  const std::uint32_t beyond[] = {0, 2};
  CHECK_THROWS(std::invalid_argument, append_scalars({tags, beyond, steps, walls, values}, many));
  CHECK_THROWS(std::invalid_argument, append_scalars({tags, index, steps, walls, {}}, many));
}

}  // namespace seamark
