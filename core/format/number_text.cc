#include "format/number_text.h"

#include <charconv>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

namespace seamark {
namespace {

bool is_space(char letter) { return letter == ' ' || letter == '\r' || letter == '\t'; }

std::string_view trimmed(std::string_view cell) {
  while (!cell.empty() && is_space(cell.front())) cell.remove_prefix(1);
  while (!cell.empty() && is_space(cell.back())) cell.remove_suffix(1);
  return cell;
}

std::optional<float> parse_cell(std::string_view cell) {
  cell = trimmed(cell);
  if (cell.size() > 1 && cell[0] == '+' && cell[1] != '-') cell.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error == std::errc::invalid_argument || end != cell.data() + cell.size()) return std::nullopt;
  // from_chars does not say whether the number is too large or too small.
  if (error == std::errc::result_out_of_range) value = std::strtod(std::string(cell).c_str(), nullptr);
  return static_cast<float>(value);
}

// Appends the numbers of a line and returns how many they are; nothing if a cell is no number.
std::optional<std::size_t> parse_line(std::string_view line, char separator, std::vector<float>& values) {
  std::size_t count = 0;
  while (true) {
    const std::size_t end = line.find(separator);
    const std::optional<float> value = parse_cell(line.substr(0, end));
    if (!value) return std::nullopt;
    values.push_back(*value);
    ++count;
    if (end == std::string_view::npos) return count;
    line.remove_prefix(end + 1);
  }
}

}  // namespace

Result<NumberTable> parse_numbers(Bytes text, char separator) {
  NumberTable table;
  std::string_view rest(reinterpret_cast<const char*>(text.data()), text.size());
  table.values.reserve(text.size() / 16);
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (line.empty()) continue;
    const std::optional<std::size_t> count = parse_line(line, separator, table.values);
    if (!count) return Error{"a cell is not a number"};
    if (table.columns != 0 && *count != table.columns) return Error{"lines have different numbers of cells"};
    table.columns = *count;
  }
  return table;
}

}  // namespace seamark
