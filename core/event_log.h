// Events on their way to a file: framed records in the order in which they were logged, and a bound on what may wait.
#pragma once

#include "encode.h"

namespace seamark {

// Not locked: one caller at a time, which in Python the interpreter's lock sees to.
class EventLog {
 public:
  // `max_bytes` bounds the records; what waits outside to be encoded has a bound of its own, `max_payload_bytes`, so
  // that a flood of images cannot cost a single scalar. At `brisk_bytes` the one who drains is called at once.
  EventLog(std::size_t max_bytes, std::size_t max_payload_bytes, std::size_t brisk_bytes);

  enum class Added {
    Quietly,  // somebody already knows that there is something to drain
    First,    // the log was empty
    Brisk,    // the log grew past `brisk_bytes`
    Dropped,  // no room: the newest is dropped, so that what is kept has no holes
  };

  Added add_scalar(Bytes tag, double value, std::int64_t step, double wall_time);
  // `event` is a serialized Event; it is framed here.
  Added add_event(Bytes event);

  // Makes room for something that waits to be encoded elsewhere; false, and counted as dropped, when there is none. What
  // is alone in the queue always has room: else an array above the bound could never be logged.
  bool reserve(std::size_t bytes);
  void release(std::size_t bytes) { reserved_ -= bytes < reserved_ ? bytes : reserved_; }

  // Bytes ever added. A payload that remembers end() knows its place among the records.
  std::uint64_t end() const { return end_; }
  std::uint64_t events() const { return events_; }
  std::uint64_t dropped() const { return dropped_; }
  std::size_t pending() const { return records_.size(); }
  std::size_t reserved() const { return reserved_; }

  // Hands over all records and is empty after it. `spare` is taken in exchange: its memory is used again.
  Buffer take(Buffer spare = {});
  // As new, with the counts at zero: what a forked child begins with.
  void clear();

 private:
  template <class Append>
  Added add(std::size_t about, Append append);

  std::size_t max_bytes_, max_payload_bytes_, brisk_bytes_;
  Buffer records_;
  std::size_t reserved_ = 0;
  std::uint64_t end_ = 0, events_ = 0, dropped_ = 0;
};

}  // namespace seamark
