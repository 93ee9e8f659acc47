// TraceColumns: a finished trace, whose columns are taken one after another.
#pragma once

#include <utility>

#include "trace/build/nest.h"

namespace seamark {

template <class T>
Column<T> make_column(std::size_t size) {
  return std::make_unique_for_overwrite<T[]>(size);
}

template <class T>
struct TakenColumn {
  Column<T> values;
  std::size_t size = 0;
};

// Ascending indices of slices or instants with their values, of which one is empty.
struct TakenField {
  TakenColumn<std::int64_t> indices;
  TakenColumn<std::int64_t> integers;
  TakenColumn<double> reals;
  bool is_real = false;
};

struct FinishedTrack {
  const TrackEntry* entry;
  const ProcessEntry* process;
  std::uint32_t first_row;
  std::uint32_t rows;
  std::uint64_t slices;
};

struct FinishedCounter {
  const CounterEntry* entry;
  const ProcessEntry* process;
  std::size_t first;
  std::size_t points;
};

class TraceColumns {
 public:
  explicit TraceColumns(TraceBuilder builder);

  TraceTime origin() const { return origin_; }  // the first start, as the reader gave it
  std::size_t slices() const { return slices_; }
  const std::vector<FinishedTrack>& tracks() const { return tracks_; }
  const std::vector<FinishedCounter>& counters() const { return counters_; }
  const TextTable& names() const { return builder_.names_; }
  std::string_view category(std::uint32_t name) const { return builder_.categories_.text(builder_.names_.label(name)); }
  std::vector<std::string> problems() const;

  // Each may be called once, and frees what it needed.
  TakenColumn<TraceTime> take_start() { return take_slices(builder_.start_, origin_); }
  TakenColumn<TraceTime> take_duration() { return take_slices(builder_.duration_, TraceTime{0}); }
  TakenColumn<TraceTime> take_self_time() { return {std::move(self_time_), slices_}; }
  TakenColumn<std::uint32_t> take_name() { return take_slices(builder_.name_, std::uint32_t{0}); }
  TakenColumn<std::int32_t> take_parent() { return {std::move(parent_), slices_}; }
  TakenColumn<std::uint64_t> take_argument_start() { return take_slices(builder_.argument_start_, std::uint64_t{0}); }
  TakenColumn<std::uint32_t> take_argument_size() { return take_slices(builder_.argument_size_, std::uint32_t{0}); }
  TakenColumn<std::int64_t> take_row_start() { return {std::move(row_start_), rows_ + 1}; }
  TakenColumn<std::int32_t> take_row_track() { return {std::move(row_track_), rows_}; }
  TakenColumn<std::int32_t> take_row_depth() { return {std::move(row_depth_), rows_}; }
  TakenColumn<TraceTime> take_counter_times();
  TakenColumn<double> take_counter_values();
  TakenColumn<std::int64_t> take_flow_from() { return std::move(flow_from_); }
  TakenColumn<std::int64_t> take_flow_to() { return std::move(flow_to_); }
  TakenColumn<TraceTime> take_instant_time();
  TakenColumn<std::uint32_t> take_instant_name();
  TakenColumn<std::int32_t> take_instant_track();
  bool has_field(std::size_t field) const { return builder_.slice_fields_[field].size() > 0; }
  bool has_instant_field(std::size_t field) const { return builder_.instant_fields_[field].size() > 0; }
  TakenField take_field(std::size_t field);
  TakenField take_instant_field(std::size_t field);

 private:
  void match_edges();
  void order_tracks();
  void find_origin();
  void nest();
  void lay_out_rows(const NestColumns& nested, const Column<std::uint32_t>& order,
                    const std::vector<std::uint32_t>& rows_of_track);
  void pair_flows();
  void order_counters();
  void order_instants();

  template <class T>
  TakenColumn<T> take_slices(Chunked<T>& column, T origin) {
    TakenColumn<T> taken{make_column<T>(slices_), slices_};
    for (std::size_t slice = 0; slice < column.size(); ++slice) {
      if (index_of_[slice] != kNone) taken.values[index_of_[slice]] = static_cast<T>(column[slice] - origin);
    }
    column.clear();
    return taken;
  }

  TraceBuilder builder_;
  TraceTime origin_ = 0, end_ = 0;
  std::vector<FinishedTrack> tracks_;
  std::vector<std::uint32_t> track_order_;     // of each track of the builder: its index in tracks_, or kNone
  std::vector<std::uint64_t> first_of_track_;  // positions in order of track; one more than tracks
  std::size_t slices_ = 0, rows_ = 0;
  Column<std::uint32_t> index_of_;  // of each slice of the builder: its index in the columns, or kNone
  Column<TraceTime> self_time_;
  Column<std::int32_t> parent_, row_track_, row_depth_;
  Column<std::int64_t> row_start_;
  TakenColumn<std::int64_t> flow_from_, flow_to_;
  std::vector<FinishedCounter> counters_;
  Column<std::uint32_t> instant_order_, instant_index_of_;
};

}  // namespace seamark
