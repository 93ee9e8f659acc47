// TraceBuilder: what readers of all formats fill: slices on tracks, counters, flows and instants, in any order.
//
// Times are nanoseconds since any origin, which finish() finds. A trace has up to hundreds of millions of slices, so
// everything about a slice is in columns of numbers, and each column is freed when it was taken.
#pragma once

#include <string>
#include <unordered_map>

#include "trace/build/fields.h"
#include "trace/build/text_table.h"

namespace seamark {

using TraceTime = std::int64_t;  // nanoseconds
// Later moments are wrong, and would make differences of times overflow.
inline constexpr TraceTime kMaxTraceTime = (TraceTime{1} << 62) - 1;
inline constexpr std::int64_t kNoSortIndex = std::numeric_limits<std::int64_t>::max();

enum class TrackType : std::uint8_t { Thread, Stream, Line, Async };

struct TrackEntry {
  std::uint32_t process = 0;
  TrackType type = TrackType::Thread;
  bool is_device = false;
  bool may_overlap = false;  // slices that overlap without nesting are no problem
  std::string tid;
  std::string name;
  std::int64_t sort_index = kNoSortIndex;
  std::uint64_t slices = 0;
  std::uint64_t instants = 0;
};

struct ProcessEntry {
  std::string pid;
  std::string name;
  std::string labels;
  std::int64_t sort_index = kNoSortIndex;
};

struct CounterEntry {
  std::uint32_t process = 0;
  std::string name;
  std::string series;  // the key among the arguments; "" if the name says all
};

// Where the arguments of a slice are in the source.
struct ArgumentRange {
  std::uint64_t start = 0;
  std::uint32_t size = 0;
};

enum class FlowPhase : std::uint8_t { Start, Step, End };

enum class TraceProblem : std::uint8_t {
  NegativeDuration,
  BadDuration,
  BadTime,
  NoTime,
  Overlap,
  TooDeep,
  EndWithoutBegin,
  NoEnd,
  TooManySlices,
  TooManyNames,
  TooManyTracks,
  LongName,
  BadEvent,
  NoObject,
};
inline constexpr std::size_t kTraceProblems = 14;

struct FlowPoint {
  std::uint64_t key;
  TraceTime time;
  std::uint32_t track;  // after binding: the slice, or kNone
  FlowPhase phase;
  bool binds_to_next;
};

// A begin (with its slice) or an end (kNone).
struct SliceEdge {
  std::uint64_t key;  // edges of different keys do not belong together
  TraceTime time;
  std::uint32_t slice;
};

struct CounterPoint {
  TraceTime time;
  double value;
  std::uint32_t counter;
};

class TraceColumns;

class TraceBuilder {
 public:
  TraceBuilder();

  // A name with the category that the file gives it.
  std::uint32_t name(std::string_view text, std::string_view category);
  std::uint32_t process(std::string_view pid);
  std::uint32_t track(std::string_view pid, std::string_view tid);
  // Where slices of a process overlap: one track for each title.
  std::uint32_t async_track(std::string_view pid, std::string_view title);
  TrackEntry& track_entry(std::uint32_t track) { return tracks_[track]; }
  ProcessEntry& process_entry(std::uint32_t process) { return processes_[process]; }

  // Returns the number of the slice, in order of addition; kNone if it was left out.
  std::uint32_t add_slice(std::uint32_t track, std::uint32_t name, TraceTime start, TraceTime duration,
                          ArgumentRange arguments = {});
  // A slice that lasts until the end with the same key that belongs to it.
  std::uint32_t begin_slice(std::uint32_t track, std::uint64_t key, std::uint32_t name, TraceTime start,
                            ArgumentRange arguments = {});
  void end_slice(std::uint64_t key, TraceTime end);
  // The key of begins and ends on a thread.
  static std::uint64_t thread_key(std::uint32_t track) { return track; }

  std::uint32_t add_instant(std::uint32_t track, std::uint32_t name, TraceTime time);
  void set_field(std::size_t field, std::uint32_t slice, std::int64_t value) { slice_fields_[field].add(slice, value); }
  void set_field(std::size_t field, std::uint32_t slice, double value) { slice_fields_[field].add(slice, value); }
  void set_instant_field(std::size_t field, std::uint32_t instant, std::int64_t value) {
    instant_fields_[field].add(instant, value);
  }
  void set_instant_field(std::size_t field, std::uint32_t instant, double value) {
    instant_fields_[field].add(instant, value);
  }

  // A point of an arrow with this key, at the slice around `time`, or at the next slice that begins.
  void add_flow(FlowPhase phase, std::uint64_t key, std::uint32_t track, TraceTime time, bool binds_to_next = false);
  // An arrow between two slices.
  void add_link(std::uint32_t from, std::uint32_t to) { links_.emplace_back(from, to); }
  // kNone if there are too many.
  std::uint32_t counter(std::string_view pid, std::string_view name, std::string_view series);
  void add_point(std::uint32_t counter, TraceTime time, double value);

  void count(TraceProblem problem, std::uint64_t times = 1) { problems_[static_cast<std::size_t>(problem)] += times; }
  std::size_t slices() const { return start_.size(); }
  std::size_t events() const { return start_.size() + instant_time_.size() + points_.size() + flows_.size(); }

 private:
  friend class TraceColumns;

  bool is_time(TraceTime time);
  bool is_annotation(std::uint32_t slice) const { return names_.label(name_[slice]) == annotation_category_; }

  TextTable categories_, names_, track_keys_, process_keys_, counter_keys_;
  std::vector<std::uint8_t> category_is_device_;
  std::uint32_t annotation_category_ = kNone;
  std::uint32_t other_name_ = kNone;  // of names above the limit
  std::vector<TrackEntry> tracks_;
  std::vector<ProcessEntry> processes_;
  std::vector<CounterEntry> counters_;
  std::string key_;  // reused
  // What the last call found: neighbours in a file are mostly on the same track.
  std::string last_pid_, last_tid_;
  std::uint32_t last_track_ = kNone;

  Chunked<TraceTime> start_, duration_;
  Chunked<std::uint32_t> name_, track_, argument_size_;
  Chunked<std::uint64_t> argument_start_;
  std::array<SparseColumn, kFields> slice_fields_, instant_fields_;
  Chunked<TraceTime> instant_time_;
  Chunked<std::uint32_t> instant_name_, instant_track_;
  std::vector<SliceEdge> edges_;
  std::vector<FlowPoint> flows_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> links_;
  std::vector<CounterPoint> points_;
  std::array<std::uint64_t, kTraceProblems> problems_{};
};

}  // namespace seamark
