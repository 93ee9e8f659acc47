// The finished trace of Python, for the readers of all formats.
#pragma once

#include "bind/bind.h"
#include "trace/build/columns.h"

namespace seamark {

struct PyTraceColumns {
  explicit PyTraceColumns(TraceBuilder builder) : columns(std::move(builder)) {}
  TraceColumns columns;
};

}  // namespace seamark
