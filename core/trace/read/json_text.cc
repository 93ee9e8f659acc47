#include "trace/read/json_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "bytes.h"

namespace seamark {

namespace {

constexpr std::uint64_t kOnes = 0x0101010101010101U, kHighs = 0x8080808080808080U;

// Marks each byte that equals `c`; the lowest mark is exact.
std::uint64_t find_byte(std::uint64_t word, char c) {
  const std::uint64_t differences = word ^ (kOnes * static_cast<unsigned char>(c));
  return (differences - kOnes) & ~differences & kHighs;
}

enum class CharType : std::uint8_t { Other, Quote, Open, Close, Zero, Delimiter };

constexpr std::array<CharType, 256> kCharTypes = [] {
  std::array<CharType, 256> types{};
  types['"'] = CharType::Quote;
  types['{'] = types['['] = CharType::Open;
  types['}'] = types[']'] = CharType::Close;
  types[0] = CharType::Zero;
  types[','] = types[':'] = types[' '] = types['\n'] = types['\r'] = types['\t'] = CharType::Delimiter;
  return types;
}();

CharType type_of(char c) { return kCharTypes[static_cast<unsigned char>(c)]; }

std::optional<std::uint32_t> read_hex(std::string_view text) {
  std::uint32_t code = 0;
  if (text.size() < 4) return std::nullopt;
  const auto [end, error] = std::from_chars(text.data(), text.data() + 4, code, 16);
  if (error != std::errc() || end != text.data() + 4) return std::nullopt;
  return code;
}

void append_utf8(std::uint32_t code, std::string& to) {
  const auto put = [&](std::uint32_t byte) { to.push_back(static_cast<char>(byte)); };
  if (code < 0x80) return put(code);
  if (code < 0x800) {
    put(0xc0 | code >> 6U);
  } else if (code < 0x10000) {
    put(0xe0 | code >> 12U);
    put(0x80 | (code >> 6U & 0x3f));
  } else {
    put(0xf0 | code >> 18U);
    put(0x80 | (code >> 12U & 0x3f));
    put(0x80 | (code >> 6U & 0x3f));
  }
  put(0x80 | (code & 0x3f));
}

// 2^64 as a double is printed: the last millisecond before the wrap of a clock in microseconds is rounded to it.
constexpr std::string_view kRoundedWrap = "18446744073709552000";

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// "-1.5e3" becomes "-1500": Python writes floats of 1e16 and above so, which includes clocks that wrapped.
std::optional<std::int64_t> parse_scientific_ns(std::string_view text) {
  constexpr int kMaxPlaces = 40;
  const std::size_t letter = text.find_first_of("eE");
  std::string_view mantissa = text.substr(0, letter), power = text.substr(letter + 1);
  if (power.starts_with('+') && !power.starts_with("+-")) power.remove_prefix(1);
  int places = 0;
  const auto [end, error] = std::from_chars(power.data(), power.data() + power.size(), places);
  if (error != std::errc() || end != power.data() + power.size() || places > kMaxPlaces) return std::nullopt;
  std::string plain = mantissa.starts_with('-') ? "-" : "";
  mantissa.remove_prefix(plain.size());
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  std::string digits(mantissa.substr(0, point));
  if (point < mantissa.size()) digits += mantissa.substr(point + 1);
  // Further left than kMaxPlaces, all digits are below a nanosecond.
  const int moved = std::max(static_cast<int>(point) + places, -kMaxPlaces);
  if (moved <= 0) {
    plain.append("0.").append(static_cast<std::size_t>(-moved), '0').append(digits);
  } else {
    const auto whole = static_cast<std::size_t>(moved);
    if (digits.size() < whole) digits.append(whole - digits.size(), '0');
    plain.append(digits, 0, whole).append(1, '.').append(digits, whole);
  }
  return parse_time_ns(plain);
}

// Above 2^64 ns only negative microseconds of 64 bits make sense.
std::optional<std::int64_t> wrap_time(std::uint64_t micros, std::uint64_t fraction) {
  constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();
  if (micros <= (kMax - fraction) / 1000) return static_cast<std::int64_t>(micros * 1000 + fraction);
  const std::uint64_t before = kMax - micros + 1;
  if (before > kMax / 4000) return std::nullopt;
  return static_cast<std::int64_t>(fraction) - static_cast<std::int64_t>(before * 1000);
}

}  // namespace

JsonStatus JsonCursor::read_string(JsonValue& value) {
  const char* const begin = ++at_;
  value.type = JsonType::String;
  value.has_escapes = false;
  while (true) {
    // Reads into the padding at most.
    for (; at_ < end_; at_ += 8) {
      const auto word = load<std::uint64_t>(reinterpret_cast<const std::uint8_t*>(at_));
      const std::uint64_t found = find_byte(word, '"') | find_byte(word, '\\');
      if (found != 0) {
        at_ += std::countr_zero(found) / 8;
        break;
      }
    }
    if (at_ >= end_) return JsonStatus::Incomplete;
    if (*at_ == '"') break;
    value.has_escapes = true;
    at_ += 2;
  }
  value.text = {begin, static_cast<std::size_t>(at_ - begin)};
  ++at_;
  return JsonStatus::Ok;
}

JsonStatus JsonCursor::skip_nested() {
  std::size_t depth = 0;
  JsonValue text;
  while (true) {
    switch (type_of(*at_)) {
      case CharType::Quote:
        if (read_string(text) != JsonStatus::Ok) return JsonStatus::Incomplete;
        break;
      case CharType::Open:
        ++depth;
        ++at_;
        break;
      case CharType::Close:
        ++at_;
        if (--depth == 0) return JsonStatus::Ok;
        break;
      case CharType::Zero:
        if (at_ >= end_) return JsonStatus::Incomplete;
        ++at_;
        break;
      default: ++at_;
    }
  }
}

JsonStatus JsonCursor::read_value(JsonValue& value) {
  const char first = peek();
  if (first == '"') return read_string(value);
  const char* const begin = at_;
  value.has_escapes = false;
  if (first == '{' || first == '[') {
    value.type = first == '{' ? JsonType::Object : JsonType::Array;
    const JsonStatus status = skip_nested();
    if (status == JsonStatus::Ok) value.text = {begin, static_cast<std::size_t>(at_ - begin)};
    return status;
  }
  while (type_of(*at_) == CharType::Other) ++at_;
  if (at_ >= end_) return JsonStatus::Incomplete;
  if (at_ == begin) return JsonStatus::Bad;
  value.type = JsonType::Bare;
  value.text = {begin, static_cast<std::size_t>(at_ - begin)};
  return JsonStatus::Ok;
}

JsonStatus JsonCursor::read_key(JsonValue& key) {
  if (peek() != '"') return missing();
  if (const JsonStatus status = read_string(key); status != JsonStatus::Ok) return status;
  if (peek() != ':') return missing();
  ++at_;
  return JsonStatus::Ok;
}

void unescape(std::string_view text, std::string& to) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t escape = std::min(text.find('\\', at), text.size());
    to.append(text.substr(at, escape - at));
    if (escape + 1 >= text.size()) return;
    const char c = text[escape + 1];
    at = escape + 2;
    if (c != 'u') {
      constexpr std::string_view kLetters = "bfnrt", kControls = "\b\f\n\r\t";
      const std::size_t letter = kLetters.find(c);
      to.push_back(letter == std::string_view::npos ? c : kControls[letter]);
      continue;
    }
    const std::optional<std::uint32_t> high = read_hex(text.substr(at));
    if (!high) continue;
    at += 4;
    std::uint32_t code = *high;
    if (code >= 0xd800 && code < 0xdc00 && text.substr(at, 2) == "\\u") {
      const std::optional<std::uint32_t> low = read_hex(text.substr(at + 2));
      if (low && *low >= 0xdc00 && *low < 0xe000) {
        code = 0x10000 + ((code - 0xd800) << 10U) + (*low - 0xdc00);
        at += 6;
      }
    }
    append_utf8(code >= 0xd800 && code < 0xe000 ? 0xfffd : code, to);
  }
}

std::optional<std::int64_t> parse_time_ns(std::string_view text) {
  const char* at = text.data();
  const char* const end = at + text.size();
  const bool is_negative = at < end && *at == '-';
  if (is_negative) ++at;
  std::uint64_t micros = 0;
  const auto [point, error] = std::from_chars(at, end, micros);
  if (error == std::errc::result_out_of_range) {
    if (text.find_first_of("eE") != std::string_view::npos) return parse_scientific_ns(text);
    if (std::string_view(at, static_cast<std::size_t>(point - at)) != kRoundedWrap) return std::nullopt;
    micros = 0;
  } else if (error != std::errc()) {
    return std::nullopt;
  }
  at = point;
  std::uint64_t fraction = 0;
  if (at < end && *at == '.') {
    ++at;
    for (std::uint64_t scale = 100; at < end && is_digit(*at); ++at, scale /= 10) {
      fraction += static_cast<std::uint64_t>(*at - '0') * scale;
      if (scale == 0) {
        fraction += *at >= '5';
        while (at < end && is_digit(*at)) ++at;
        break;
      }
    }
  }
  if (at < end) return *at == 'e' || *at == 'E' ? parse_scientific_ns(text) : std::nullopt;
  const std::optional<std::int64_t> time = wrap_time(micros, fraction);
  if (!time || !is_negative) return time;
  return *time == std::numeric_limits<std::int64_t>::min() ? std::nullopt : std::optional(-*time);
}

std::optional<JsonNumber> parse_number(std::string_view text) {
  const char* const end = text.data() + text.size();
  std::int64_t integer = 0;
  const auto whole = std::from_chars(text.data(), end, integer);
  if (whole.ec == std::errc() && whole.ptr == end) return JsonNumber{true, integer, 0};
  double real = 0;
  const auto fraction = std::from_chars(text.data(), end, real);
  if (fraction.ec != std::errc() || fraction.ptr != end || !std::isfinite(real)) return std::nullopt;
  return JsonNumber{false, 0, real};
}

}  // namespace seamark
