// Reads JSON values as views of the text, without building anything. Lenient: what no valid JSON has is skipped.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace seamark {

enum class JsonType : std::uint8_t { None, String, Bare, Object, Array };  // Bare: a number, true, false, null

struct JsonValue {
  JsonType type = JsonType::None;
  bool has_escapes = false;
  std::string_view text;  // of a string without its quotes
};

enum class JsonStatus : std::uint8_t { Ok, Incomplete, Bad };

// At least this many zero bytes have to follow the text.
inline constexpr std::size_t kJsonPadding = 16;

class JsonCursor {
 public:
  JsonCursor(const char* at, const char* end) : at_(at), end_(end) {}
  explicit JsonCursor(std::string_view padded) : JsonCursor(padded.data(), padded.data() + padded.size()) {}

  const char* at() const { return at_; }
  // The next character that is not space; 0 at the end.
  char peek() {
    while (*at_ == ' ' || *at_ == '\n' || *at_ == '\t' || *at_ == '\r') ++at_;
    return at_ < end_ ? *at_ : '\0';
  }
  bool at_end() const { return at_ >= end_; }
  void advance() { ++at_; }
  JsonStatus read_value(JsonValue& value);
  // A key with the colon after it.
  JsonStatus read_key(JsonValue& key);
  // The members of an object, from its brace on: `visit(key, cursor)` has to read the value.
  template <class Visit>
  JsonStatus read_object(Visit visit);

 private:
  JsonStatus read_string(JsonValue& value);
  JsonStatus skip_nested();
  JsonStatus missing() const { return at_ >= end_ ? JsonStatus::Incomplete : JsonStatus::Bad; }

  const char* at_;
  const char* end_;
};

template <class Visit>
JsonStatus JsonCursor::read_object(Visit visit) {
  if (peek() != '{') return missing();
  advance();
  if (peek() == '}') {
    advance();
    return JsonStatus::Ok;
  }
  while (true) {
    JsonValue key;
    if (const JsonStatus status = read_key(key); status != JsonStatus::Ok) return status;
    if (const JsonStatus status = visit(key, *this); status != JsonStatus::Ok) return status;
    const char next = peek();
    if (next != ',' && next != '}') return missing();
    advance();
    if (next == '}') return JsonStatus::Ok;
    if (peek() == '}') {  // a comma too many
      advance();
      return JsonStatus::Ok;
    }
  }
}

// Appends the string with its escapes replaced. Surrogates that stand alone become U+FFFD.
void unescape(std::string_view text, std::string& to);

// Microseconds in decimal, as a number or in quotes, to nanoseconds, exactly. A clock of 64 bits that wrapped is
// negative. Nothing for what is no number or too large.
std::optional<std::int64_t> parse_time_ns(std::string_view text);

struct JsonNumber {
  bool is_integer;
  std::int64_t integer;
  double real;
};
std::optional<JsonNumber> parse_number(std::string_view text);

}  // namespace seamark
