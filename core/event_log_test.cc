#include "event_log.h"

#include "record.h"
#include "testing.h"
#include "testing_bytes.h"

namespace seamark {
using testing::text;
using Added = EventLog::Added;

namespace {

std::size_t records_in(Bytes bytes) {
  std::size_t count = 0;
  for (Record record; !bytes.empty(); bytes = bytes.subspan(record.size())) {
    CHECK(read_record(bytes, record) == Status::Ok && record.intact());
    ++count;
  }
  return count;
}

}  // namespace

TEST(event_log_calls_for_a_reader_when_it_is_no_longer_empty_and_when_it_fills) {
  EventLog log(10000, 0, 100);
  CHECK(log.add_scalar(text("loss"), 1, 1, 1) == Added::First);
  CHECK(log.add_scalar(text("loss"), 2, 2, 2) == Added::Quietly);
  CHECK(log.add_scalar(text("loss"), 3, 3, 3) == Added::Brisk);
  CHECK(log.add_event(text("anything")) == Added::Quietly);
  const Buffer taken = log.take();
  CHECK(records_in(taken) == 4 && log.end() == taken.size() && log.events() == 4 && log.pending() == 0);
  CHECK(log.add_event(text("after")) == Added::First);
  CHECK(log.end() == taken.size() + log.pending());
}

TEST(event_log_drops_the_newest_when_it_is_full_and_counts) {
  EventLog log(200, 0, 1000);
  std::size_t kept = 0;
  for (int i = 0; i < 20; ++i) kept += log.add_scalar(text("t"), i, i, i) != Added::Dropped ? 1 : 0;
  CHECK(kept > 1 && log.dropped() == 20 - kept && log.pending() < 300);
  CHECK(records_in(log.take()) == kept);
  CHECK(log.add_scalar(text("t"), 0, 0, 0) == Added::First);
}

TEST(event_log_takes_one_event_above_its_bound_when_it_is_empty) {
  EventLog log(10, 10, 1000);
  const std::string huge(100, 'x');
  CHECK(log.add_event(text(huge)) == Added::First);
  CHECK(log.add_event(text(huge)) == Added::Dropped);
  CHECK(log.reserve(100) && !log.reserve(1) && log.dropped() == 2);
  log.release(100);
  CHECK(log.reserve(4) && log.reserve(6) && !log.reserve(1) && log.reserved() == 10);
  log.release(1000);
  CHECK(log.reserved() == 0);
}

TEST(event_log_is_as_new_once_cleared) {
  EventLog log(200, 10, 1000);
  log.add_scalar(text("t"), 1, 1, 1);
  log.reserve(10);
  log.clear();
  CHECK(log.pending() == 0 && log.reserved() == 0 && log.end() == 0 && log.events() == 0);
  CHECK(log.add_scalar(text("t"), 1, 1, 1) == Added::First);
}

TEST(event_log_uses_spare_memory_again) {
  EventLog log(1000, 0, 1000);
  log.add_scalar(text("t"), 1, 1, 1);
  Buffer first = log.take();
  const std::uint8_t* const memory = first.data();
  log.take(std::move(first));
  log.add_scalar(text("t"), 1, 1, 1);
  CHECK(log.take().data() == memory);
}

}  // namespace seamark
