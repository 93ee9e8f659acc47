#include "columns/rows.h"

#include "testing/testing.h"

namespace seamark {
namespace {

RowBuffer<ScalarRow> buffer_of(int rows) {
  RowBuffer<ScalarRow> buffer;
  for (int i = 0; i < rows; ++i) buffer.push({i, 0, 0, 0});
  return buffer;
}

TEST(a_row_buffer_grows_and_keeps_its_memory_when_cleared) {
  RowBuffer<ScalarRow> buffer = buffer_of(1000);
  CHECK(buffer.size() == 1000 && buffer.rows()[999].step == 999);
  const std::size_t capacity = buffer.capacity();
  buffer.clear();
  CHECK(buffer.size() == 0 && buffer.capacity() == capacity);
}

TEST(a_moved_from_row_buffer_is_empty_and_can_be_filled_again) {
  RowBuffer<ScalarRow> source = buffer_of(3);
  const RowBuffer<ScalarRow> constructed(std::move(source));
  CHECK(source.size() == 0 && source.capacity() == 0 && source.rows().empty());
  source.push({7, 0, 0, 0});
  RowBuffer<ScalarRow> assigned = buffer_of(5);
  assigned = std::move(source);
  CHECK(assigned.size() == 1 && assigned.rows()[0].step == 7);
  CHECK(source.size() == 0 && source.capacity() == 0);
  source.push({8, 0, 0, 0});
  CHECK(source.rows()[0].step == 8 && constructed.size() == 3);
}

}  // namespace
}  // namespace seamark
