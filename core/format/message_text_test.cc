#include "format/message_text.h"

#include <cmath>
#include <stdexcept>

#include "testing/messages.h"
#include "testing/testing.h"

namespace seamark {
namespace {

using testing::Message;

constexpr bool kOnce = false;
constexpr bool kRepeated = true;

// A message with a field of each sort, which contains itself, and the entry of its map.
TextSchema node_schema() {
  return {{{{1, "name", FieldType::String},
            {2, "data", FieldType::Bytes},
            {3, "sizes", FieldType::Int32, 0, kRepeated},
            {4, "rate", FieldType::Double},
            {5, "weights", FieldType::Float, 0, kRepeated},
            {6, "color", FieldType::Enum, 0},
            {7, "is_done", FieldType::Bool},
            {8, "delta", FieldType::Sint64},
            {9, "child", FieldType::Message, 0, kRepeated},
            {10, "attr", FieldType::Message, 1, kRepeated, true},
            {11, "id", FieldType::Fixed64},
            {12, "offset", FieldType::Sfixed32}},
           {{1, "key", FieldType::String}, {2, "value", FieldType::Message, 0}}},
          {{{-1, "NEGATIVE"}, {0, "RED"}, {3, "BLUE"}}}};
}

std::string text_of(Bytes message) {
  const Result<std::string> text = MessageText(node_schema()).format(message);
  return text ? *text : "error: " + text.error().message;
}

Message entry(std::string_view key, Bytes value) { return Message().bytes(1, key).bytes(2, value); }

}  // namespace

TEST(message_text_has_a_line_for_each_scalar) {
  CHECK(text_of({}).empty());
  CHECK(text_of(Message().varint(3, 5).fixed64(4, 0.5).varint(7, 1)) == "sizes: 5\nrate: 0.5\nis_done: true\n");
  CHECK(text_of(Message().varint(6, 3)) == "color: BLUE\n");
  CHECK(text_of(Message().varint(6, 1)) == "color: 1\n");
  CHECK(text_of(Message().varint(6, static_cast<std::uint64_t>(-1))) == "color: NEGATIVE\n");
  CHECK(text_of(Message().varint(3, static_cast<std::uint64_t>(-7))) == "sizes: -7\n");
  CHECK(text_of(Message().varint(8, 3).varint(8, 4)) == "delta: -2\ndelta: 2\n");
  CHECK(text_of(Message().key(11, 1).put(~std::uint64_t{0}).key(12, 5).put(~std::uint32_t{0})) ==
        "id: 18446744073709551615\noffset: -1\n");
}

TEST(message_text_unpacks_repeated_numbers) {
  CHECK(text_of(Message().bytes(3, "\x01\x7f")) == "sizes: 1\nsizes: 127\n");
  CHECK(text_of(Message().bytes(5, Message().put(1.5F).put(-2.0F))) == "weights: 1.5\nweights: -2\n");
  CHECK(text_of(Message().bytes(3, "\x80")).starts_with("error"));
  CHECK(text_of(Message().bytes(5, "123")).starts_with("error"));
}

TEST(message_text_escapes_bytes_and_keeps_utf8_in_strings) {
  CHECK(text_of(Message().bytes(1, "a\n\r\t\"'\\\x7f\xc3\xa9")) == R"(name: "a\n\r\t\"\'\\\177)"
                                                                   "\xc3\xa9\"\n");
  CHECK(text_of(Message().bytes(2, "a\n\x01\xc3\xa9z")) == R"(data: "a\n\001\303\251z")"
                                                           "\n");
}

TEST(message_text_has_as_many_digits_as_identify_a_number) {
  const auto rate = [](double value) { return text_of(Message().fixed64(4, value)); };
  CHECK(rate(0.1) == "rate: 0.1\n");
  CHECK(rate(1.0 / 3) == "rate: 0.33333333333333331\n");
  CHECK(rate(1e16) == "rate: 1e+16\n");
  CHECK(rate(-0.0) == "rate: -0\n");
  CHECK(rate(-std::nan("")) == "rate: nan\n");
  CHECK(rate(-HUGE_VAL) == "rate: -inf\n");
  CHECK(text_of(Message().fixed32(5, 123456789.0F)) == "weights: 123456792\n");
}

TEST(message_text_indents_messages_and_sorts_maps) {
  CHECK(text_of(Message().bytes(9, Message().bytes(9, "")).bytes(9, Message().bytes(1, "x"))) ==
        "child {\n  child {\n  }\n}\nchild {\n  name: \"x\"\n}\n");
  const Message name = Message().bytes(1, "v");
  Message map;
  for (const char* key : {"b", "ab", "a", ""}) map.bytes(10, entry(key, name));
  std::string want;
  for (const char* key : {"", "b", "a", "ab"}) {
    want += std::string("attr {\n  key: \"") + key + "\"\n  value {\n    name: \"v\"\n  }\n}\n";
  }
  CHECK(text_of(map.varint(12, 0)) == want);
  CHECK(text_of(Message().bytes(10, "")) == "attr {\n  key: \"\"\n  value {\n  }\n}\n");
}

TEST(message_text_leaves_unknown_fields_out) {
  CHECK(text_of(Message().varint(99, 1).bytes(7, "x").varint(1, 5).varint(10, 5).bytes(1, "x")) == "name: \"x\"\n");
}

TEST(message_text_rejects_malformed_and_very_deep_messages) {
  CHECK(text_of(Message().key(1, 2)).starts_with("error"));
  CHECK(text_of(Message().bytes(9, "\x0a")).starts_with("error"));
  CHECK(text_of(Message().bytes(10, "\x0a")).starts_with("error"));
  CHECK(text_of(Message().bytes(10, entry("k", Message().key(1, 2)))).starts_with("error"));
  Message deep;
  for (int i = 0; i < 200; ++i) deep = Message().bytes(9, deep);
  CHECK(text_of(deep).ends_with("}\n"));
  for (int i = 0; i < 200; ++i) deep = Message().bytes(9, deep);
  CHECK(text_of(deep).starts_with("error"));
}

TEST(message_text_rejects_invalid_schemas) {
  const auto rejects = [](TextSchema schema) { CHECK_THROWS(std::invalid_argument, MessageText(std::move(schema))); };
  rejects({});
  rejects({{{{2, "b", FieldType::Bool}, {1, "a", FieldType::Bool}}}, {}});
  rejects({{{{1, "a", FieldType::Message, 1}}}, {}});
  rejects({{{{1, "a", FieldType::Enum, 0}}}, {}});
  rejects({{{{1, "a", FieldType::Message, 0, kRepeated, true}}}, {}});
  rejects({{{{1, "a", FieldType::Enum, 0, kOnce}}}, {{{1, "B"}, {1, "A"}}}});
  for (const int type : {0, 10, 19, -1}) CHECK_THROWS(std::invalid_argument, field_type_of(type));
  CHECK(field_type_of(9) == FieldType::String);
}

}  // namespace seamark
