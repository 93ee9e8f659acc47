#include "event_log.h"

#include "record.h"

namespace seamark {

EventLog::EventLog(std::size_t max_bytes, std::size_t max_payload_bytes, std::size_t brisk_bytes)
    : max_bytes_(max_bytes), max_payload_bytes_(max_payload_bytes), brisk_bytes_(brisk_bytes) {}

template <class Append>
EventLog::Added EventLog::add(std::size_t about, Append append) {
  const std::size_t before = records_.size();
  if (before != 0 && before + about > max_bytes_) {
    ++dropped_;
    return Added::Dropped;
  }
  append();
  end_ += records_.size() - before;
  ++events_;
  if (before == 0) return Added::First;
  return before < brisk_bytes_ && records_.size() >= brisk_bytes_ ? Added::Brisk : Added::Quietly;
}

EventLog::Added EventLog::add_scalar(Bytes tag, double value, std::int64_t step, double wall_time) {
  return add(tag.size(), [&] { append_scalar(tag, value, step, wall_time, records_); });
}

EventLog::Added EventLog::add_event(Bytes event) {
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

Buffer EventLog::take(Buffer spare) {
  spare.clear();
  std::swap(spare, records_);
  return spare;
}

void EventLog::clear() {
  records_.clear();
  reserved_ = 0;
  end_ = events_ = dropped_ = 0;
}

}  // namespace seamark
