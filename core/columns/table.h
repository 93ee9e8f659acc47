// Structs that become columns of a table: each lists its fields once, in a macro FIELDS(X) of X(type, name).
#pragma once

#include <limits>

namespace seamark {

// The value of a field that is not known: NaN, or 0 for integers.
template <class T>
constexpr T missing() {
  return std::numeric_limits<T>::has_quiet_NaN ? std::numeric_limits<T>::quiet_NaN() : T{};
}

}  // namespace seamark

#define SEAMARK_DECLARE_FIELD(type, name) type name = ::seamark::missing<type>();
