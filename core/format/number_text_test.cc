#include "format/number_text.h"

#include <cmath>
#include <limits>

#include "testing/messages.h"
#include "testing/testing.h"

namespace seamark {
using testing::text;

TEST(numbers_of_lines) {
  const auto table = parse_numbers(text("1\t-2.5e3\r\n\n+3\t .25 \n"), '\t');
  CHECK(table && table->columns == 2);
  CHECK((table->values == std::vector<float>{1, -2500, 3, 0.25F}));
  CHECK(parse_numbers(text("1,2\n3,4"), ',')->values.size() == 4);
  CHECK(parse_numbers(text(""), '\t')->values.empty());
  CHECK(parse_numbers(text("\n\r\n"), '\t')->columns == 0);
}

TEST(numbers_are_rounded_to_64_bits_and_then_to_32) {
  CHECK(parse_numbers(text("0.1"), '\t')->values[0] == 0.1F);
  CHECK(parse_numbers(text("1.00000017881393432617187499"), '\t')->values[0] ==
        static_cast<float>(1.00000017881393432617187499));
}

TEST(numbers_that_are_not_finite_or_out_of_range) {
  const auto values = parse_numbers(text("nan inf -Infinity 1e39 1e400 -1e400 1e-400 1e-40"), ' ')->values;
  CHECK(std::isnan(values[0]));
  const float infinity = std::numeric_limits<float>::infinity();
  CHECK(values[1] == infinity && values[2] == -infinity && values[3] == infinity && values[4] == infinity);
  CHECK(values[5] == -infinity && values[6] == 0 && values[7] > 0);
}

TEST(texts_that_are_no_numbers) {
  for (const char* wrong : {"a", "1\t", "\t1", "1\t\t2", "1 2", "1x", "+-1", "+", "0x10", "1,5", "1\n2\t3", "--1"}) {
    CHECK(!parse_numbers(text(wrong), '\t'));
  }
}

}  // namespace seamark
