// Tables of numbers as text: a row on each line.
#pragma once

#include <vector>

#include "bytes.h"
#include "result.h"

namespace seamark {

struct NumberTable {
  std::vector<float> values;  // row by row
  std::size_t columns = 0;
};

// Parses lines of the same number of cells. Each number is rounded to 64 bits and then to 32; one that is out of range
// is infinite or 0. Empty lines are skipped. An error for any other text; it does not name the line.
Result<NumberTable> parse_numbers(Bytes text, char separator);

}  // namespace seamark
