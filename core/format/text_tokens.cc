#include "format/text_tokens.h"

#include <algorithm>

namespace seamark {
namespace {

using Out = std::vector<std::uint8_t>;

bool is_word(char c) { return is_letter(c) || is_digit(c); }

int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

bool put_utf8(std::uint32_t code, Out& out) {
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

}  // namespace

std::string_view TextTokens::take_word() {
  skip_space();
  const std::size_t start = at_;
  if (at_ < text_.size() && is_letter(text_[at_])) {
    while (at_ < text_.size() && is_word(text_[at_])) ++at_;
  } else {
    while (at_ < text_.size() && (is_word(text_[at_]) || text_[at_] == '.' || is_sign_of_exponent(start))) ++at_;
  }
  return text_.substr(start, at_ - start);
}

bool TextTokens::take_string(Out& out) {
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

std::size_t TextTokens::line() const {
  return 1 +
         static_cast<std::size_t>(std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at_), '\n'));
}

void TextTokens::skip_space() {
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

bool TextTokens::is_sign_of_exponent(std::size_t start) const {
  return (text_[at_] == '-' || text_[at_] == '+') && at_ > start && (text_[at_ - 1] | 0x20) == 'e';
}

bool TextTokens::take_escape(Out& out) {
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
  if (c == 'x' || c == 'X') return take_hex(2, 1, false, out);
  if (c == 'u') return take_hex(4, 4, true, out);
  return c == 'U' && take_hex(8, 8, true, out);
}

bool TextTokens::take_hex(int max_digits, int min_digits, bool is_code_point, Out& out) {
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

}  // namespace seamark
