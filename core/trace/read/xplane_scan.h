// Reads an XSpace (`*.xplane.pb` of TensorFlow, JAX and others) into a trace.
//
// Planes become processes and lines become tracks. The arguments of a slice are the message of its event, which is
// decoded on request. What is beside the events (the stats of planes, errors, modules) is left to the caller.
#pragma once

#include <atomic>

#include "bytes.h"
#include "trace/build/builder.h"

namespace seamark {

struct XPlaneReport {
  std::uint64_t bad_events = 0;     // malformed
  std::uint64_t summed_events = 0;  // without a time: sums of several events
  std::uint64_t unnamed_events = 0;
  bool is_cut = false;      // the file ends early
  bool is_corrupt = false;  // parts of it are no messages
};

// Stores meanwhile how many bytes were read, for other threads.
XPlaneReport scan_xplane(Bytes file, TraceBuilder& builder, std::atomic<std::uint64_t>* bytes_read = nullptr);

}  // namespace seamark
