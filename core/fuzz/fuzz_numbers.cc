// Any bytes as lines of numbers: the table is whole, and written out again it has the same values.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "format/number_text.h"
#include "testing/messages.h"

namespace {

using namespace seamark;

std::string text_of(const NumberTable& table, char separator) {
  std::string text;
  std::array<char, 32> cell;
  for (std::size_t i = 0; i < table.values.size(); ++i) {
    const auto written = std::to_chars(cell.data(), cell.data() + cell.size(), static_cast<double>(table.values[i]));
    text.append(cell.data(), written.ptr);
    text.push_back((i + 1) % table.columns == 0 ? '\n' : separator);
  }
  return text;
}

bool is_same(float a, float b) { return std::isnan(a) ? std::isnan(b) : a == b; }

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const char separator = data[0] % 2 == 0 ? '\t' : ',';
  const Result<NumberTable> parsed = parse_numbers(Bytes(data + 1, size - 1), separator);
  if (!parsed) return 0;
  const NumberTable& table = *parsed;
  if (table.columns == 0 ? !table.values.empty() : table.values.size() % table.columns != 0) std::abort();
  const std::string text = text_of(table, separator);
  const Result<NumberTable> again = parse_numbers(testing::text(text), separator);
  if (!again || again->columns != table.columns) std::abort();
  const std::vector<float>& values = again->values;
  if (!std::equal(values.begin(), values.end(), table.values.begin(), table.values.end(), is_same)) std::abort();
  return 0;
}
