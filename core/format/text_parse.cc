#include "format/text_parse.h"

#include <charconv>
#include <cmath>
#include <string_view>

#include "format/text_tokens.h"

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
      // The nearest float: the text of the largest one is a little above it, and what is larger is infinite.
      static_assert(std::numeric_limits<float>::is_iec559);
      put_fixed(static_cast<float>(value), out);
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

  TextTokens tokens_;
  const TextSchema& schema_;
  std::string problem_;
};

}  // namespace

Result<std::vector<std::uint8_t>> parse_text(Bytes text, const TextSchema& schema) {
  return TextParser(text, schema).run();
}

}  // namespace seamark
