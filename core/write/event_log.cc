#include "write/event_log.h"

#include "format/record.h"

namespace seamark {

EventLog::EventLog(std::size_t max_bytes, std::size_t max_payload_bytes, std::size_t flush_bytes)
    : max_bytes_(max_bytes),
      max_payload_bytes_(max_payload_bytes),
      flush_bytes_(flush_bytes) {}

template <class Append>
EventLog::AddResult EventLog::add(std::size_t size_hint, Append append) {
  const std::size_t before = records_.size();
  if (before != 0 && before + size_hint > max_bytes_) {
    ++dropped_;
    return AddResult::Dropped;
  }
  append();
  end_ += records_.size() - before;
  ++events_;
  if (before == 0) return AddResult::First;
  return before < flush_bytes_ && records_.size() >= flush_bytes_ ? AddResult::ShouldFlush : AddResult::Queued;
}

EventLog::AddResult EventLog::add_scalar(Bytes tag, double value, std::int64_t step, double wall_time) {
  return add(tag.size(), [&] { append_scalar(tag, value, step, wall_time, records_); });
}

EventLog::AddResult EventLog::add_event(Bytes event) {
  return add(event.size(), [&] { append_record(event, records_); });
}

bool EventLog::reserve(std::size_t bytes) {
  if (reserved_ != 0 && (bytes > max_payload_bytes_ || reserved_ > max_payload_bytes_ - bytes)) {
    ++dropped_;
    return false;
  }
  reserved_ += bytes;
  return true;
}

void EventLog::clear() {
  records_.clear();
  reserved_ = 0;
  end_ = events_ = dropped_ = 0;
}

}  // namespace seamark
