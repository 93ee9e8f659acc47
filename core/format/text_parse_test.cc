#include "format/text_parse.h"

#include <cmath>
#include <limits>

#include "testing/messages.h"
#include "testing/testing.h"

namespace seamark {
namespace {

using testing::Message;
using testing::text;

constexpr bool kRepeated = true;

TextSchema schema() {
  return {{{{1, "name", FieldType::String},
            {2, "sizes", FieldType::Int32, 0, kRepeated},
            {3, "rate", FieldType::Double},
            {4, "weight", FieldType::Float},
            {5, "color", FieldType::Enum, 0},
            {6, "is_done", FieldType::Bool},
            {7, "delta", FieldType::Sint64},
            {8, "child", FieldType::Message, 0, kRepeated},
            {9, "id", FieldType::Fixed64},
            {10, "offset", FieldType::Sfixed32}}},
          {{{-1, "NEGATIVE"}, {3, "BLUE"}}}};
}

bool parses_to(std::string_view given, const Message& expected) {
  const auto parsed = parse_text(text(given), schema());
  return parsed && same_bytes(*parsed, expected);
}

std::string error_of(std::string_view given) {
  const auto parsed = parse_text(text(given), schema());
  return parsed ? "" : parsed.error().message;
}

}  // namespace

TEST(text_parse_scalars) {
  CHECK(parses_to("", {}));
  CHECK(parses_to("name: \"a\" sizes: -7 # comment\n rate: 1.5e-3",
                  Message().bytes(1, "a").varint(2, static_cast<std::uint64_t>(-7)).fixed64(3, 1.5e-3)));
  CHECK(parses_to("weight: 3.40282347e+38 weight: -1e39",
                  Message().fixed32(4, std::numeric_limits<float>::max()).fixed32(4, -HUGE_VALF)));
  CHECK(parses_to("weight: -inf weight: 2.5f, weight: .5;",
                  Message().fixed32(4, -HUGE_VALF).fixed32(4, 2.5F).fixed32(4, 0.5F)));
  CHECK(parses_to("color: BLUE color: NEGATIVE color: 9",
                  Message().varint(5, 3).varint(5, static_cast<std::uint64_t>(-1)).varint(5, 9)));
  CHECK(parses_to("is_done: true is_done: f is_done: 1", Message().varint(6, 1).varint(6, 0).varint(6, 1)));
  CHECK(parses_to("delta: -2 sizes: 0x1F sizes: 010", Message().varint(7, 3).varint(2, 31).varint(2, 8)));
  CHECK(parses_to("id: 18446744073709551615 offset: -1",
                  Message().key(9, 1).put(~std::uint64_t{0}).key(10, 5).put(~std::uint32_t{0})));
}

TEST(text_parse_strings) {
  CHECK(parses_to(R"(name: "a\n\101\x41\"" 'b')", Message().bytes(1, "a\nAA\"b")));
  CHECK(parses_to(R"(name: "\u00e9\U0001F642")", Message().bytes(1, "\xc3\xa9\xf0\x9f\x99\x82")));
  CHECK(error_of("name: \"a") == "line 1: expected a string for 'name'");
  CHECK(error_of("\n\nname: \"\\q\"") == "line 3: expected a string for 'name'");
  CHECK(!error_of(R"(name: "\777")").empty());
  CHECK(!error_of(R"(name: "\ud800")").empty());
}

TEST(text_parse_messages_and_lists) {
  const Message inner = Message().bytes(1, "b");
  CHECK(parses_to("child { name: 'b' } child: < name: 'b' >", Message().bytes(8, inner).bytes(8, inner)));
  CHECK(parses_to("sizes: [1, 2] child [{name:'b'}, {}]",
                  Message().varint(2, 1).varint(2, 2).bytes(8, inner).bytes(8, Message())));
  CHECK(parses_to("sizes: []", {}));
}

TEST(text_parse_skips_unknown_fields) {
  CHECK(parses_to("new: -3 other { a: 'x' b [1, {c: 2}] } [ext.name/x] { d: 1 } name: 'b'", Message().bytes(1, "b")));
}

TEST(text_parse_errors_name_the_line) {
  CHECK(error_of("child {\n name: 'a'") == "line 2: the text ends within a message");
  CHECK(error_of("sizes 3") == "line 1: expected ':' after 'sizes'");
  CHECK(error_of("sizes: x") == "line 1: wrong value of 'sizes'");
  CHECK(error_of("}") == "line 1: expected the name of a field");
  CHECK(error_of("color: GREEN") == "line 1: wrong value of 'color'");
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "child {";
  CHECK(error_of(deep) == "line 1: messages are nested too deeply");
  deep.clear();
  for (int i = 0; i < 100'000; ++i) deep += "new {";
  CHECK(error_of(deep) == "line 1: messages are nested too deeply");
}

}  // namespace seamark
