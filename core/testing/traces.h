// Traces for tests: from text to columns.
#pragma once

#include <string_view>
#include <vector>

#include "trace/build/columns.h"
#include "trace/read/json_scan.h"

namespace seamark::testing {

template <class T>
std::vector<T> to_vector(const TakenColumn<T>& column) {
  return {column.values.get(), column.values.get() + column.size};
}

// Fed in blocks of some size.
inline JsonTraceScanner scan_trace(std::string_view text, std::size_t block_bytes = 1 << 20,
                                   bool copies_arguments = false) {
  JsonTraceScanner scanner(copies_arguments);
  for (std::size_t at = 0; at < text.size(); at += block_bytes) scanner.feed(bytes_of(text.substr(at, block_bytes)));
  scanner.end();
  return scanner;
}

inline TraceColumns columns_of(JsonTraceScanner scanner) { return TraceColumns(std::move(scanner.builder())); }

}  // namespace seamark::testing
