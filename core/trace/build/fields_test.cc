#include "trace/build/fields.h"

#include "testing/testing.h"

namespace seamark {

TEST(every_field_is_found_by_its_name) {
  for (std::size_t field = 0; field < kFields; ++field) CHECK(find_field(kFieldNames[field]) == field);
  CHECK(find_field("external id") == find_field("External id"));
  CHECK(find_field("") == kNoField && find_field("correlatioN") == kNoField && find_field("x") == kNoField);
}

TEST(a_sparse_column_widens_for_large_numbers_and_fractions) {
  SparseColumn column;
  for (std::uint32_t i = 0; i < 5000; ++i) column.add(i * 2, std::int64_t{i});
  column.add(20'000, std::int64_t{1} << 40U);
  CHECK(column.size() == 5001 && !column.is_real());
  CHECK(column.integer(4999) == 4999 && column.integer(5000) == std::int64_t{1} << 40U && column.item(3) == 6);
  column.add(20'001, 0.5);
  column.add(20'002, std::int64_t{7});
  CHECK(column.is_real() && column.real(0) == 0 && column.real(4999) == 4999 && column.real(5001) == 0.5);
  CHECK(column.real(5002) == 7);
}

TEST(of_an_argument_that_is_there_twice_the_last_counts) {
  SparseColumn column;
  column.add(3, std::int64_t{1});
  column.add(3, std::int64_t{2});
  CHECK(column.size() == 1 && column.integer(0) == 2);
}

}  // namespace seamark
