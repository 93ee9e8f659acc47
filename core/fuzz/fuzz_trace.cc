// Any text as a Chrome trace: whole and in blocks it gives the same columns, and these are a valid Trace.
#include <algorithm>
#include <cstdlib>

#include "trace/build/columns.h"
#include "trace/read/json_scan.h"

namespace {

using namespace seamark;

void require(bool condition) {
  if (!condition) std::abort();
}

TraceColumns scan(Bytes text, std::size_t block_bytes) {
  JsonTraceScanner scanner(block_bytes % 2 == 0);
  while (!text.empty()) {
    const Bytes block = text.first(std::min(block_bytes, text.size()));
    scanner.feed(block);
    text = text.subspan(block.size());
  }
  scanner.end();
  (void)scanner.take_arguments();
  return TraceColumns(std::move(scanner.builder()));
}

void check_rows(TraceColumns& columns) {
  const auto row_start = columns.take_row_start();
  const auto row_track = columns.take_row_track();
  const auto row_depth = columns.take_row_depth();
  const auto start = columns.take_start();
  const auto duration = columns.take_duration();
  require(row_start.values[0] == 0);
  require(row_start.values[row_track.size] == static_cast<std::int64_t>(columns.slices()));
  for (std::size_t row = 0; row < row_track.size; ++row) {
    const FinishedTrack& track = columns.tracks().at(static_cast<std::size_t>(row_track.values[row]));
    require(row == track.first_row + static_cast<std::size_t>(row_depth.values[row]));
    const auto first = static_cast<std::size_t>(row_start.values[row]);
    for (std::size_t slice = first; slice < static_cast<std::size_t>(row_start.values[row + 1]); ++slice) {
      require(start.values[slice] >= 0 && duration.values[slice] >= 0);
      if (slice == first) continue;
      require(start.values[slice - 1] + duration.values[slice - 1] <= start.values[slice]);
    }
  }
}

void check_slices(TraceColumns& columns) {
  const auto count = static_cast<std::int64_t>(columns.slices());
  const auto self_time = columns.take_self_time();
  const auto parent = columns.take_parent();
  const auto name = columns.take_name();
  for (std::size_t slice = 0; slice < columns.slices(); ++slice) {
    require(self_time.values[slice] >= 0 && parent.values[slice] >= -1 && parent.values[slice] < count);
    require(name.values[slice] < columns.names().size());
  }
  const auto from = columns.take_flow_from(), to = columns.take_flow_to();
  for (std::size_t i = 0; i < from.size; ++i) {
    require(from.values[i] >= 0 && from.values[i] < count && to.values[i] >= 0 && to.values[i] < count);
  }
}

void check_field(const TakenField& field, std::size_t items) {
  for (std::size_t i = 0; i < field.indices.size; ++i) {
    require(field.indices.values[i] >= 0 && field.indices.values[i] < static_cast<std::int64_t>(items));
    if (i > 0) require(field.indices.values[i - 1] < field.indices.values[i]);
  }
}

void check_others(TraceColumns& columns) {
  for (std::size_t field = 0; field < kFields; ++field) check_field(columns.take_field(field), columns.slices());
  const auto times = columns.take_instant_time();
  const auto names = columns.take_instant_name();
  const auto tracks = columns.take_instant_track();
  for (std::size_t i = 0; i < times.size; ++i) {
    require(times.values[i] >= 0 && names.values[i] < columns.names().size());
    require(static_cast<std::size_t>(tracks.values[i]) < columns.tracks().size());
  }
  for (std::size_t field = 0; field < kFields; ++field) check_field(columns.take_instant_field(field), times.size);
  const auto counter_times = columns.take_counter_times();
  for (const FinishedCounter& counter : columns.counters()) {
    require(counter.first + counter.points <= counter_times.size);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const Bytes text = data[0] < 32 ? Bytes(data + 1, size - 1) : Bytes(data, size);
  TraceColumns whole = scan(text, size), parts = scan(text, data[0] % 32 + 1);
  require(whole.slices() == parts.slices() && whole.origin() == parts.origin());
  require(whole.tracks().size() == parts.tracks().size() && whole.problems() == parts.problems());
  check_rows(parts);
  check_slices(parts);
  check_others(parts);
  return 0;
}
