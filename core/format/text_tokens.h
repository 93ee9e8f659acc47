// The tokens of protobuf text.
#pragma once

#include <string_view>
#include <vector>

#include "bytes.h"

namespace seamark {

// ASCII, whatever the locale is.
inline bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The names, values and signs of a text, one after another. Comments and white space are skipped.
class TextTokens {
 public:
  explicit TextTokens(Bytes text) : text_(reinterpret_cast<const char*>(text.data()), text.size()) {}

  // '\0' at the end.
  char peek() { return at_end() ? '\0' : text_[at_]; }
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
  std::string_view take_word();
  // The content of one string or of several in a row. False for one without an end, and for wrong escapes.
  bool take_string(std::vector<std::uint8_t>& out);
  // The line of the token that was taken last.
  std::size_t line() const;

 private:
  void skip_space();
  bool is_sign_of_exponent(std::size_t start) const;
  bool take_escape(std::vector<std::uint8_t>& out);
  bool take_hex(int max_digits, int min_digits, bool is_code_point, std::vector<std::uint8_t>& out);

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace seamark
