// A small test runner. A failed CHECK prints its line, and the test continues.
#pragma once

#include <cmath>
#include <cstdio>
#include <vector>

namespace seamark::testing {

struct Test {
  const char* name;
  void (*run)();
};

std::vector<Test>& tests();
void fail(const char* file, int line, const char* what);

struct Registration {
  Registration(const char* name, void (*run)()) { tests().push_back({name, run}); }
};

// Equal, where NaN equals NaN.
inline bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }
inline bool close(double a, double b, double relative = 1e-12) {
  return same(a, b) || std::abs(a - b) <= relative * std::fmax(1e-300, std::fmax(std::abs(a), std::abs(b)));
}

}  // namespace seamark::testing

#define TEST(name)                                                                   \
  static void test_##name();                                                         \
  static const ::seamark::testing::Registration register_##name(#name, test_##name); \
  static void test_##name()

#define CHECK(...)                                                                  \
  do {                                                                              \
    if (!(__VA_ARGS__)) ::seamark::testing::fail(__FILE__, __LINE__, #__VA_ARGS__); \
  } while (false)

#define CHECK_THROWS(exception, ...)                                                               \
  do {                                                                                             \
    bool thrown = false;                                                                           \
    try {                                                                                          \
      __VA_ARGS__;                                                                                 \
    } catch (const exception&) {                                                                   \
      thrown = true;                                                                               \
    }                                                                                              \
    if (!thrown) ::seamark::testing::fail(__FILE__, __LINE__, #__VA_ARGS__ " throws " #exception); \
  } while (false)
