// A bounded queue of framed records in front of a file, in the order in which they were logged.
#pragma once

#include <utility>

#include "write/encode.h"

namespace seamark {

// Not locked: for one caller at a time, which the GIL guarantees in Python.
class EventLog {
 public:
  // `max_bytes` limits the records. Payloads that wait elsewhere to be encoded have a limit of their own,
  // `max_payload_bytes`, so that many images never displace a scalar. From `flush_bytes` on, the log should be drained.
  EventLog(std::size_t max_bytes, std::size_t max_payload_bytes, std::size_t flush_bytes);

  enum class AddResult {
    Queued,       // the log was not empty
    First,        // the log was empty
    ShouldFlush,  // the log grew past `flush_bytes`
    Dropped,      // the log is full: drops the newest, so that the rest has no gaps
  };

  AddResult add_scalar(Bytes tag, double value, std::int64_t step, double wall_time);
  // Frames and adds a serialized Event.
  AddResult add_event(Bytes event);

  // Reserves room for a payload that waits elsewhere to be encoded. False, and counted as dropped, if there is none.
  // The first one always has room; otherwise an array above the limit could never be logged.
  bool reserve(std::size_t bytes);
  void release(std::size_t bytes) { reserved_ -= bytes < reserved_ ? bytes : reserved_; }

  // Bytes added so far: the position of the next record, by which payloads keep their order among the records.
  std::uint64_t end() const { return end_; }
  std::uint64_t events() const { return events_; }
  std::uint64_t dropped() const { return dropped_; }
  std::size_t pending() const { return records_.size(); }
  std::size_t reserved() const { return reserved_; }

  // Returns all records and leaves the log empty.
  Buffer take() { return std::exchange(records_, {}); }
  // Also resets the counts, for a forked child.
  void clear();

 private:
  template <class Append>
  AddResult add(std::size_t size_hint, Append append);

  std::size_t max_bytes_, max_payload_bytes_, flush_bytes_;
  Buffer records_;
  std::size_t reserved_ = 0;
  std::uint64_t end_ = 0, events_ = 0, dropped_ = 0;
};

}  // namespace seamark
