#include "write/event_log.h"

#include "format/record.h"
#include "testing/messages.h"
#include "testing/testing.h"

namespace seamark {
using testing::text;
using AddResult = EventLog::AddResult;

namespace {

std::size_t records_in(Bytes bytes) {
  std::size_t count = 0;
  for (Record record; !bytes.empty(); bytes = bytes.subspan(record.size())) {
    CHECK(read_record(bytes, record) == ReadStatus::Ok && record.intact());
    ++count;
  }
  return count;
}

}  // namespace

TEST(event_log_reports_when_it_is_no_longer_empty_and_when_it_should_be_flushed) {
  EventLog log(10000, 0, 100);
  CHECK(log.add_scalar(text("loss"), 1, 1, 1) == AddResult::First);
  CHECK(log.add_scalar(text("loss"), 2, 2, 2) == AddResult::Queued);
  CHECK(log.add_scalar(text("loss"), 3, 3, 3) == AddResult::ShouldFlush);
  CHECK(log.add_event(text("anything")) == AddResult::Queued);
  const Buffer taken = log.take();
  CHECK(records_in(taken) == 4 && log.end() == taken.size() && log.events() == 4 && log.pending() == 0);
  CHECK(log.add_event(text("after")) == AddResult::First);
  CHECK(log.end() == taken.size() + log.pending());
}

TEST(event_log_drops_the_newest_when_it_is_full_and_counts) {
  EventLog log(200, 0, 1000);
  std::size_t kept = 0;
  for (int i = 0; i < 20; ++i) kept += log.add_scalar(text("t"), i, i, i) != AddResult::Dropped ? 1 : 0;
  CHECK(kept > 1 && log.dropped() == 20 - kept && log.pending() < 300);
  CHECK(records_in(log.take()) == kept);
  CHECK(log.add_scalar(text("t"), 0, 0, 0) == AddResult::First);
}

TEST(event_log_takes_one_event_above_its_limit_if_it_is_empty) {
  EventLog log(10, 10, 1000);
  const std::string huge(100, 'x');
  CHECK(log.add_event(text(huge)) == AddResult::First);
  CHECK(log.add_event(text(huge)) == AddResult::Dropped);
  CHECK(log.reserve(100) && !log.reserve(1) && log.dropped() == 2);
  log.release(100);
  CHECK(log.reserve(4) && log.reserve(6) && !log.reserve(1) && log.reserved() == 10);
  log.release(1000);
  CHECK(log.reserved() == 0);
}

TEST(event_log_is_reset_by_clear) {
  EventLog log(200, 10, 1000);
  log.add_scalar(text("t"), 1, 1, 1);
  log.reserve(10);
  log.clear();
  CHECK(log.pending() == 0 && log.reserved() == 0 && log.end() == 0 && log.events() == 0);
  CHECK(log.add_scalar(text("t"), 1, 1, 1) == AddResult::First);
}

}  // namespace seamark
