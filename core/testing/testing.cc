#include "testing/testing.h"

#include <exception>

namespace seamark::testing {
namespace {

int failed_checks = 0;

bool passes(const Test& test) {
  failed_checks = 0;
  try {
    test.run();
  } catch (const std::exception& error) {
    fail(test.name, 0, error.what());
  }
  if (failed_checks > 0) std::printf("FAILED %s\n", test.name);
  return failed_checks == 0;
}

}  // namespace

std::vector<Test>& tests() {
  static std::vector<Test> all;
  return all;
}

void fail(const char* file, int line, const char* what) {
  if (++failed_checks <= 5) std::printf("%s:%d: %s\n", file, line, what);
}

}  // namespace seamark::testing

int main() {
  int passed = 0;
  int failed = 0;
  for (const auto& test : seamark::testing::tests()) {
    ++(seamark::testing::passes(test) ? passed : failed);
  }
  std::printf("%d passed, %d failed\n", passed, failed);
  return failed == 0 ? 0 : 1;
}
