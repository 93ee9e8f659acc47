#include "helper.h"

#include <stdexcept>

#include "../testing.h"

namespace seamark {
namespace {

TEST(a_helper_does_one_thing_after_the_other) {
  Helper helper;
  helper.finish();
  int sum = 0;
  for (int number = 1; number <= 100; ++number) {
    helper.begin([&sum, number] { sum += number; });
    helper.finish();
  }
  CHECK(sum == 5050);
}

TEST(what_a_helper_throws_is_thrown_once_where_it_is_waited_for) {
  Helper helper;
  helper.begin([] { throw std::runtime_error("no"); });
  CHECK_THROWS(std::runtime_error, helper.finish());
  helper.finish();
}

TEST(a_helper_ends_with_its_work) {
  bool is_done = false;
  { Helper().begin([&is_done] { is_done = true; }); }
  CHECK(is_done);
}

}  // namespace
}  // namespace seamark
