#include "format/wire.h"

#include "testing/messages.h"
#include "testing/testing.h"

namespace seamark {
using testing::Message;

namespace {

std::vector<std::uint8_t> raw(std::initializer_list<int> bytes) {
  std::vector<std::uint8_t> out;
  for (const int byte : bytes) out.push_back(static_cast<std::uint8_t>(byte));
  return out;
}

}  // namespace

TEST(wire_fields_of_each_type) {
  const Message message = Message().varint(1, 300).fixed64(2, 1.5).bytes(3, "abc").fixed32(536870911, 2.5F);
  Cursor cursor(message);
  Field field;
  CHECK(cursor.next(field) && field.is(1, Wire::Varint) && field.value == 300);
  CHECK(cursor.next(field) && field.is(2, Wire::Fixed64) && field.as_double() == 1.5);
  CHECK(cursor.next(field) && field.is(3, Wire::Length) && testing::letters(field.bytes) == "abc");
  CHECK(cursor.next(field) && field.is(536870911, Wire::Fixed32) && field.as_float() == 2.5F);
  CHECK(!cursor.next(field) && cursor.ok());
}

TEST(wire_message_cut_inside_a_field_is_malformed) {
  const Message message = Message().varint(1, 300).fixed64(2, 1.5).bytes(3, "abc").fixed32(4, 2.5F);
  const std::size_t ends[] = {0, 3, 12, 17, 22};
  for (std::size_t size = 0; size <= message.view().size(); ++size) {
    bool whole = false;
    for (const std::size_t end : ends) whole = whole || end == size;
    CHECK(well_formed(message.view().first(size)) == whole);
  }
}

TEST(wire_varints_may_be_overlong_up_to_ten_bytes) {
  std::uint64_t value = 0;
  const auto reads = [&](const std::vector<std::uint8_t>& bytes) {
    return read_varint(bytes.data(), bytes.data() + bytes.size(), value) == bytes.data() + bytes.size();
  };
  CHECK(reads(raw({0x85, 0x80, 0x80, 0x00})) && value == 5);
  CHECK(reads(raw({0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01})) && value == ~std::uint64_t{0});
  CHECK(reads(raw({0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f})) && value == ~std::uint64_t{0});
  CHECK(!reads(raw({0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00})));
  CHECK(!reads(raw({0x80})));
  const std::uint8_t nothing = 0;
  CHECK(read_varint(&nothing, &nothing, value) == nullptr);
}

TEST(wire_groups_are_stepped_over) {
  const auto group = raw({0x0b, 0x10, 0x05, 0x13, 0x14, 0x0c, 0x18, 0x07});  // 1{ 2: 5, 2{ } } 3: 7
  Cursor cursor(group);
  Field field;
  CHECK(cursor.next(field) && field.is(3, Wire::Varint) && field.value == 7);
  CHECK(!cursor.next(field) && cursor.ok());
}

TEST(wire_groups_must_close_what_they_open) {
  CHECK(!well_formed(raw({0x0b})));
  CHECK(!well_formed(raw({0x0c})));
  CHECK(!well_formed(raw({0x0b, 0x14})));
  CHECK(!well_formed(std::vector<std::uint8_t>(101, 0x0b)));
}

TEST(wire_impossible_keys_are_malformed) {
  CHECK(!well_formed(raw({0x00, 0x00})));                                // field 0
  CHECK(!well_formed(raw({0x0e, 0x00})));                                // type 6
  CHECK(!well_formed(raw({0x80, 0x80, 0x80, 0x80, 0x80, 0x01, 0x00})));  // a field number beyond 2^29
}

TEST(wire_length_beyond_the_end_is_malformed) {
  CHECK(!well_formed(raw({0x0a, 0x05, 'a'})));
  CHECK(!well_formed(raw({0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01})));
}

TEST(wire_packed_varints_are_counted) {
  std::uint64_t count = 0;
  CHECK(count_varints(raw({0x01, 0x80, 0x01, 0x02}), count) && count == 3);
  CHECK(count_varints({}, count) && count == 0);
  CHECK(!count_varints(raw({0x01, 0x80}), count));
}

}  // namespace seamark
