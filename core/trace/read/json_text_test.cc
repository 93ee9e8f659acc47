#include "trace/read/json_text.h"

#include "testing/testing.h"

namespace seamark {
namespace {

std::string unescaped(std::string_view text) {
  std::string to;
  unescape(text, to);
  return to;
}

// With the padding that a cursor needs.
JsonStatus read(std::string text, JsonValue& value) {
  static std::string padded;
  const std::size_t size = text.size();
  padded = std::move(text) + std::string(kJsonPadding, '\0');
  return JsonCursor(padded.data(), padded.data() + size).read_value(value);
}

}  // namespace

TEST(times_in_microseconds_are_exact_nanoseconds) {
  CHECK(parse_time_ns("1700000000123456.789") == 1'700'000'000'123'456'789);
  CHECK(parse_time_ns("0") == 0 && parse_time_ns("1.5") == 1500 && parse_time_ns("-2.001") == -2001);
  CHECK(parse_time_ns("1.0004") == 1000 && parse_time_ns("1.0005") == 1001 && parse_time_ns("1.9999") == 2000);
  CHECK(parse_time_ns("1.5e3") == 1'500'000);
}

TEST(a_clock_that_wrapped_is_negative) {
  CHECK(parse_time_ns("18446744073709551.000") == -616);
  CHECK(parse_time_ns("18446744073709551615") == -1000);
  CHECK(parse_time_ns("18446744073709551614.5") == -1500);
  CHECK(parse_time_ns("18446744073709552000") == 0);
}

TEST(exponents_are_read_as_exactly_as_plain_digits) {
  CHECK(parse_time_ns("1.700000000123456789e15") == 1'700'000'000'123'456'789);
  CHECK(parse_time_ns("1.844674407370955e+16") == parse_time_ns("18446744073709550"));
  CHECK(parse_time_ns("1.8446744073709551615e19") == -1000 && parse_time_ns("18446744073709551614500E-3") == -1500);
  CHECK(parse_time_ns("1.8446744073709552e+19") == 0);
  CHECK(!parse_time_ns("1.8e19") && !parse_time_ns("18000000000000000000"));
  CHECK(parse_time_ns("-2.5e-1") == -250 && parse_time_ns("25e-3") == 25 && parse_time_ns("6e-4") == 1);
  CHECK(parse_time_ns("1e-2147483648") == 0 && parse_time_ns("0.0e0") == 0);
}

TEST(what_is_no_time_has_none) {
  for (const char* text : {"", "-", "abc", "1x", "1.2.3", "99999999999999999999", "1e300", "20000000000000000", "nan",
                           "1e", "1e+-5", "1e5x"}) {
    CHECK(!parse_time_ns(text));
  }
}

TEST(numbers_are_integers_if_they_fit) {
  CHECK(parse_number("42")->is_integer && parse_number("42")->integer == 42);
  CHECK(!parse_number("0.5")->is_integer && parse_number("0.5")->real == 0.5);
  CHECK(parse_number("18446744073709551615")->real == 18446744073709551616.0);
  CHECK(!parse_number("") && !parse_number("true") && !parse_number("1,2") && !parse_number("inf"));
}

TEST(escapes_become_utf8) {
  CHECK(unescaped(R"(a\"b\\c\/d\n\u00e9\u4e2d\ud83d\ude00)") == "a\"b\\c/d\n\xc3\xa9\xe4\xb8\xad\xf0\x9f\x98\x80");
  CHECK(unescaped(R"(\ud83dx)") == "\xef\xbf\xbdx");
  CHECK(unescaped(R"(\u12)") == "12" && unescaped("\\") == "");
}

TEST(values_are_views_of_the_text) {
  JsonValue value;
  CHECK(read(R"( {"a": ["]", {"b": "\"}"}]} , 1)", value) == JsonStatus::Ok);
  CHECK(value.type == JsonType::Object && value.text == R"({"a": ["]", {"b": "\"}"}]})");
  CHECK(read(R"("x\"y", 1)", value) == JsonStatus::Ok && value.has_escapes && value.text == R"(x\"y)");
  CHECK(read("12.5]", value) == JsonStatus::Ok && value.type == JsonType::Bare && value.text == "12.5");
  for (const char* text : {"", "12", "\"ab", "\"ab\\", "{\"a\": [1, 2", "[\"}"}) {
    CHECK(read(text, value) == JsonStatus::Incomplete);
  }
  CHECK(read(", 1", value) == JsonStatus::Bad);
}

}  // namespace seamark
