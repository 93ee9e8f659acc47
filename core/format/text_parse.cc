#include "format/text_parse.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

namespace seamark {
namespace {

// As for the text of messages: the entries of a map are messages here.
constexpr int kMaxDepth = 256;

using Out = std::vector<std::uint8_t>;

void put_varint(std::uint64_t value, Out& out) {
  for (; value >= 0x80; value >>= 7) out.push_back(static_cast<std::uint8_t>(value | 0x80U));
  out.push_back(static_cast<std::uint8_t>(value));
}

void put_key(std::uint32_t number, Wire wire, Out& out) {
  put_varint(std::uint64_t{number} << 3U | static_cast<std::uint64_t>(wire), out);
}

template <class T>
void put_fixed(T value, Out& out) {
  const std::size_t at = out.size();
  out.resize(at + sizeof value);
  store(out.data() + at, value);
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) { return is_letter(c) || is_digit(c); }

int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// The names, values and signs of a text, one after another. Comments and white space are skipped.
class Tokens {
 public:
  explicit Tokens(Bytes text) : text_(reinterpret_cast<const char*>(text.data()), text.size()) {}

  // '\0' at the end.
  char peek() {
    skip_space();
    return at_ == text_.size() ? '\0' : text_[at_];
  }
  bool at_end() {
    skip_space();
    return at_ == text_.size();
  }

  bool take(char sign) {
    if (at_end() || text_[at_] != sign) return false;
    ++at_;
    return true;
  }

  // A name or a number, with the letters, digits, dots and signs that it may have. Empty if there is none.
  std::string_view take_word() {
    skip_space();
    const std::size_t start = at_;
    if (at_ < text_.size() && is_letter(text_[at_])) {
      while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    } else {
      while (at_ < text_.size() && (is_word(text_[at_]) || text_[at_] == '.' || is_sign_of_exponent(start))) ++at_;
    }
    return text_.substr(start, at_ - start);
  }

  // The content of one string or of several in a row.
  bool take_string(Out& out) {
    while (peek() == '"' || peek() == '\'') {
      const char quote = text_[at_++];
      while (at_ < text_.size() && text_[at_] != quote) {
        if (text_[at_] == '\n') return false;
        if (text_[at_] == '\\') {
          ++at_;
          if (!take_escape(out)) return false;
        } else {
          out.push_back(static_cast<std::uint8_t>(text_[at_++]));
        }
      }
      if (at_ == text_.size()) return false;
      ++at_;
    }
    return true;
  }

  std::size_t line() const {
    return 1 +
           static_cast<std::size_t>(std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at_), '\n'));
  }

 private:
  void skip_space() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '#') {
        while (at_ < text_.size() && text_[at_] != '\n') ++at_;
      } else if (c == ' ' || (c >= '\t' && c <= '\r')) {
        ++at_;
      } else {
        return;
      }
    }
  }

  bool is_sign_of_exponent(std::size_t start) const {
    return (text_[at_] == '-' || text_[at_] == '+') && at_ > start && (text_[at_ - 1] | 0x20) == 'e';
  }

  bool take_escape(Out& out) {
    if (at_ == text_.size()) return false;
    const char c = text_[at_++];
    constexpr std::string_view kLetters = "abfnrtv\\'\"?", kBytes = "\a\b\f\n\r\t\v\\'\"?";
    if (const std::size_t found = kLetters.find(c); found != std::string_view::npos) {
      out.push_back(static_cast<std::uint8_t>(kBytes[found]));
      return true;
    }
    if (c >= '0' && c <= '7') {
      unsigned value = static_cast<unsigned>(c - '0');
      for (int digits = 1; digits < 3 && at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '7'; ++digits) {
        value = value * 8 + static_cast<unsigned>(text_[at_++] - '0');
      }
      out.push_back(static_cast<std::uint8_t>(value));
      return value <= 0xff;
    }
    if (c == 'x' || c == 'X') return take_hex(2, 1, out, false);
    if (c == 'u') return take_hex(4, 4, out, true);
    return c == 'U' && take_hex(8, 8, out, true);
  }

  bool take_hex(int max_digits, int min_digits, Out& out, bool is_code_point) {
    std::uint32_t value = 0;
    int digits = 0;
    for (; digits < max_digits && at_ < text_.size() && hex_digit(text_[at_]) >= 0; ++digits) {
      value = value << 4U | static_cast<std::uint32_t>(hex_digit(text_[at_++]));
    }
    if (digits < min_digits) return false;
    if (!is_code_point) {
      out.push_back(static_cast<std::uint8_t>(value));
      return true;
    }
    return put_utf8(value, out);
  }

  static bool put_utf8(std::uint32_t code, Out& out) {
    if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return false;
    const auto tail = [&](unsigned shift) {
      out.push_back(static_cast<std::uint8_t>(0x80U | ((code >> shift) & 0x3fU)));
    };
    if (code < 0x80) {
      out.push_back(static_cast<std::uint8_t>(code));
    } else if (code < 0x800) {
      out.push_back(static_cast<std::uint8_t>(0xc0U | code >> 6U));
      tail(0);
    } else if (code < 0x10000) {
      out.push_back(static_cast<std::uint8_t>(0xe0U | code >> 12U));
      tail(6);
      tail(0);
    } else {
      out.push_back(static_cast<std::uint8_t>(0xf0U | code >> 18U));
      tail(12);
      tail(6);
      tail(0);
    }
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

bool read_magnitude(std::string_view word, std::uint64_t& value) {
  int base = 10;
  if (word.size() > 2 && word[0] == '0' && (word[1] | 0x20) == 'x') {
    base = 16;
    word.remove_prefix(2);
  } else if (word.size() > 1 && word[0] == '0') {
    base = 8;
  }
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value, base);
  return error == std::errc() && end == word.data() + word.size();
}

bool read_double(std::string_view word, double& value) {
  if (word.size() > 1 && (word.back() | 0x20) == 'f' && is_digit(word[0])) word.remove_suffix(1);
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  // Too large or too small: infinity or zero, as protobuf does.
  if (error == std::errc::result_out_of_range) value = word.find('-') == std::string_view::npos ? HUGE_VAL : 0.0;
  return !word.empty() && error != std::errc::invalid_argument && end == word.data() + word.size();
}

class TextParser {
 public:
  TextParser(Bytes text, const TextSchema& schema) : tokens_(text), schema_(schema) {}

  Result<Out> run() {
    Out out;
    const bool is_read = parse_fields(0, '\0', 0, out);
    if (!is_read) return Error{"line " + std::to_string(tokens_.line()) + ": " + problem_};
    return out;
  }

 private:
  bool fail(std::string problem) {
    if (problem_.empty()) problem_ = std::move(problem);
    return false;
  }

  // Up to the sign that closes the message; '\0' stands for the end of the text.
  bool parse_fields(std::size_t type, char close, int depth, Out& out) {
    if (depth > kMaxDepth) return fail("messages are nested too deeply");
    while (true) {
      if (tokens_.at_end()) return close == '\0' || fail("the text ends within a message");
      if (close != '\0' && tokens_.take(close)) return true;
      const std::string_view name = tokens_.take_word();
      if (name.empty() && tokens_.peek() != '[') return fail("expected the name of a field");
      const TextField* field = name.empty() ? nullptr : find(type, name);
      if (name.empty() && !skip_extension()) return false;
      if (!(field == nullptr ? skip_content(depth) : parse_content(*field, depth, out))) return false;
      if (!tokens_.take(',')) tokens_.take(';');
    }
  }

  const TextField* find(std::size_t type, std::string_view name) const {
    for (const TextField& field : schema_.messages[type]) {
      if (field.name == name) return &field;
    }
    return nullptr;
  }

  bool parse_content(const TextField& field, int depth, Out& out) {
    const bool has_colon = tokens_.take(':');
    if (!has_colon && field.type != FieldType::Message) return fail("expected ':' after '" + field.name + "'");
    if (!tokens_.take('[')) return parse_value(field, depth, out);
    if (tokens_.take(']')) return true;
    do {
      if (!parse_value(field, depth, out)) return false;
    } while (tokens_.take(','));
    return tokens_.take(']') || fail("expected ']' after the values of '" + field.name + "'");
  }

  bool parse_value(const TextField& field, int depth, Out& out) {
    if (field.type == FieldType::Message) {
      const char close = tokens_.take('{') ? '}' : tokens_.take('<') ? '>' : '\0';
      if (close == '\0') return fail("expected '{' after '" + field.name + "'");
      Out content;
      if (!parse_fields(field.target, close, depth + 1, content)) return false;
      put_content(field.number, content, out);
      return true;
    }
    if (field.type == FieldType::String || field.type == FieldType::Bytes) {
      Out content;
      const bool is_string = tokens_.peek() == '"' || tokens_.peek() == '\'';
      if (!is_string || !tokens_.take_string(content)) return fail("expected a string for '" + field.name + "'");
      put_content(field.number, content, out);
      return true;
    }
    const bool is_negative = tokens_.take('-');
    return put_number(field, tokens_.take_word(), is_negative, out) || fail("wrong value of '" + field.name + "'");
  }

  static void put_content(std::uint32_t number, const Out& content, Out& out) {
    put_key(number, Wire::Length, out);
    put_varint(content.size(), out);
    out.insert(out.end(), content.begin(), content.end());
  }

  bool put_number(const TextField& field, std::string_view word, bool is_negative, Out& out) const {
    if (field.type == FieldType::Double || field.type == FieldType::Float) {
      double value = 0;
      if (!read_double(word, value)) return false;
      put_float(field, is_negative ? -value : value, out);
      return true;
    }
    std::uint64_t value = 0;
    if (!read_integer(field, word, value)) return false;
    put_integer(field, is_negative ? 0 - value : value, out);
    return true;
  }

  static void put_float(const TextField& field, double value, Out& out) {
    if (field.type == FieldType::Double) {
      put_key(field.number, Wire::Fixed64, out);
      put_fixed(value, out);
    } else {
      put_key(field.number, Wire::Fixed32, out);
      // A double beyond the range of float is undefined as a cast.
      const bool is_large = std::abs(value) > std::numeric_limits<float>::max();
      put_fixed(is_large ? std::copysign(HUGE_VALF, static_cast<float>(std::copysign(1.0, value)))
                         : static_cast<float>(value),
                out);
    }
  }

  bool read_integer(const TextField& field, std::string_view word, std::uint64_t& value) const {
    if (field.type == FieldType::Bool && !word.empty() && is_letter(word[0])) {
      value = word == "true" || word == "True" || word == "t" ? 1 : 0;
      return value == 1 || word == "false" || word == "False" || word == "f";
    }
    if (field.type == FieldType::Enum && !word.empty() && is_letter(word[0])) {
      for (const auto& [number, name] : schema_.enums[field.target]) {
        if (name != word) continue;
        value = static_cast<std::uint64_t>(std::int64_t{number});
        return true;
      }
      return false;
    }
    return read_magnitude(word, value);
  }

  static void put_integer(const TextField& field, std::uint64_t value, Out& out) {
    const auto zigzag = [](std::uint64_t bits) { return bits << 1U ^ (0 - (bits >> 63U)); };
    switch (field.type) {
      case FieldType::Fixed64:
      case FieldType::Sfixed64:
        put_key(field.number, Wire::Fixed64, out);
        put_fixed(value, out);
        return;
      case FieldType::Fixed32:
      case FieldType::Sfixed32:
        put_key(field.number, Wire::Fixed32, out);
        put_fixed(static_cast<std::uint32_t>(value), out);
        return;
      default:
        put_key(field.number, Wire::Varint, out);
        put_varint(field.type == FieldType::Sint32 || field.type == FieldType::Sint64 ? zigzag(value) : value, out);
    }
  }

  // The name of an extension or of the type in an Any.
  bool skip_extension() {
    tokens_.take('[');
    while (!tokens_.at_end() && !tokens_.take(']')) {
      if (tokens_.take_word().empty() && !tokens_.take('/') && !tokens_.take('-')) return fail("expected ']'");
    }
    return true;
  }

  // Of a field that the schema does not have.
  bool skip_content(int depth) {
    if (depth > kMaxDepth) return fail("messages are nested too deeply");
    tokens_.take(':');
    const char close = tokens_.take('{') ? '}' : tokens_.take('<') ? '>' : tokens_.take('[') ? ']' : '\0';
    if (close == '\0') return skip_scalar();
    while (!tokens_.take(close)) {
      if (tokens_.at_end()) return fail("the text ends within a message");
      if (!skip_inside(close, depth)) return false;
      if (!tokens_.take(',')) tokens_.take(';');
    }
    return true;
  }

  bool skip_inside(char close, int depth) {
    if (close != ']') {
      if (tokens_.peek() == '[' ? !skip_extension() : tokens_.take_word().empty()) {
        return fail("expected the name of a field");
      }
      return skip_content(depth + 1);
    }
    const bool is_message = tokens_.peek() == '{' || tokens_.peek() == '<';
    return is_message ? skip_content(depth + 1) : skip_scalar();
  }

  bool skip_scalar() {
    if (tokens_.peek() == '"' || tokens_.peek() == '\'') {
      Out ignored;
      return tokens_.take_string(ignored) || fail("a string has no end");
    }
    tokens_.take('-');
    return !tokens_.take_word().empty() || fail("expected a value");
  }

  Tokens tokens_;
  const TextSchema& schema_;
  std::string problem_;
};

}  // namespace

Result<std::vector<std::uint8_t>> parse_text(Bytes text, const TextSchema& schema) {
  return TextParser(text, schema).run();
}

}  // namespace seamark
