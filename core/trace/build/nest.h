// Which row of a track each slice is on, and which slice is around it.
#pragma once

#include <vector>

#include "columns/series.h"
#include "trace/build/builder.h"

namespace seamark {

struct NestItem {
  TraceTime start, duration;
  std::uint32_t slice;         // its number in the builder
  bool is_annotation = false;  // of the user

  TraceTime end() const { return start + duration; }
};

inline constexpr std::uint16_t kMaxRows = 4096;
inline constexpr std::uint16_t kNoRow = kMaxRows;

// The results of all tracks, one entry for each slice in order of track and start.
struct NestColumns {
  Column<std::uint16_t> row;  // kNoRow: left out
  Column<std::uint32_t> parent;
  Column<TraceTime> self_time;
};

// Nests the slices of one track after another.
class Nester {
 public:
  explicit Nester(NestColumns& columns) : columns_(columns) {}

  // Sorts the items by start, the longest first. `first` is the position of the first one in the columns. Binds the
  // points of flows, which are in order of time, to slices. Returns the number of rows.
  std::uint32_t nest(std::span<NestItem> items, std::size_t first, std::span<FlowPoint> flows);

  // Slices on a deeper row than their parent demands, because of others. An annotation and a call may overlap: the
  // call that begins an annotation ends inside it.
  std::uint64_t overlaps() const { return overlaps_; }
  std::uint64_t left_out() const { return left_out_; }

 private:
  struct Row {
    TraceTime start, end;    // of its last slice
    std::uint32_t position;  // in the columns
    std::uint32_t slice;
    bool is_annotation;
  };

  void place(const NestItem& item, std::size_t position);
  std::size_t find_parent(const NestItem& item) const;
  void bind_enclosing(FlowPoint& flow) const;

  NestColumns& columns_;
  std::vector<Row> rows_;
  std::size_t open_ = 0;  // the rows from here on are free
  std::uint64_t overlaps_ = 0, left_out_ = 0;
};

}  // namespace seamark
