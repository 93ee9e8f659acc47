// How functions report what they found in bytes from outside.
//
// Incomplete is a value: a record that ends early is a ReadStatus, because that is how a file looks while it is
// written. Corrupt is an error: a Result holds either a value or an Error. The parsers' predicates, which run for every
// event, return false for malformed bytes. Exceptions are for wrong arguments and for lack of memory.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace seamark {

enum class ReadStatus {
  Ok = 0,
  Incomplete = 1,  // ends within a record: normal at the end of a growing file
  Full = 2,        // the scanner holds its maximum of rows: take them, then continue
  Corrupt = 3,     // a record's length fails its checksum, and nothing marks where the next record starts
};

struct Error {
  std::string message;
  int system_code = 0;  // errno if the system refused, else 0

  static Error from_system(int code) { return {{}, code}; }
};

// For checks that have no value to return.
using OptionalError = std::optional<Error>;

template <class T>
class [[nodiscard]] Result {
 public:
  // Implicit, so that a function returns either.
  Result(T value) : content_(std::in_place_index<0>, std::move(value)) {}      // NOLINT(google-explicit-constructor)
  Result(Error error) : content_(std::in_place_index<1>, std::move(error)) {}  // NOLINT(google-explicit-constructor)

  explicit operator bool() const { return content_.index() == 0; }
  T& operator*() { return *std::get_if<0>(&content_); }
  const T& operator*() const { return *std::get_if<0>(&content_); }
  T* operator->() { return std::get_if<0>(&content_); }
  const T* operator->() const { return std::get_if<0>(&content_); }
  const Error& error() const { return *std::get_if<1>(&content_); }

 private:
  std::variant<T, Error> content_;
};

}  // namespace seamark
