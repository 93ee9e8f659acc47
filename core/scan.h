// Event bytes in, rows by series out: follows one event file from its first byte to its growing end.
#pragma once

#include <utility>
#include <vector>

#include "event.h"
#include "record.h"
#include "rows.h"
#include "tags.h"

namespace seamark {

enum class ScanStatus {
  Ok = 0,        // all of it was consumed
  NeedMore = 1,  // a partial record is left at the end
  Full = 2,      // enough rows are pending: take them, then scan on
  Corrupt = 3,   // a length fails its checksum: the file ends here
};

enum class ProblemCode : std::uint32_t {
  LengthCrc = 1,  // the file ends here; got and want are checksums
  DataCrc = 2,    // the record is skipped; got and want are checksums
  BadEvent = 3,   // not an event message: the record is skipped whole
  BadValue = 4,   // a scalar's tensor is no number: kept as payload; got = dtype, want = number of elements
  TooLong = 5,    // of more than 2 GB, or a long one of too many parts: the record is skipped; got = length
};

struct Problem {
  ProblemCode code;
  std::uint64_t offset;  // of the record in the file
  std::uint64_t length;  // of its data, as the header claims
  std::uint64_t got;
  std::uint64_t want;
};

// A SessionLog that says START: the program began, or began again, at this step.
struct SessionStart {
  std::int64_t step;
  double wall_time;
  std::uint64_t offset;                  // of its content in the file: payloads before it lie at smaller ones
  std::vector<std::uint64_t> rows_before;  // scalar rows of each series that this scanner had seen before it
};

struct SeriesKey {
  std::vector<std::uint8_t> tag;
  Form form;
  std::vector<std::uint8_t> metadata;  // SummaryMetadata of the tag's first value
};

// For one thread at a time.
class Scanner {
 public:
  explicit Scanner(std::size_t max_rows) : max_rows_(std::max<std::size_t>(max_rows, 1)) {}

  // Opens a series that an earlier scan of the same file had found. The order of the calls gives the ids.
  void restore(Bytes tag, Form form, Bytes metadata);

  // data[0] lies at `offset` in the file. Returns how many bytes were consumed: whole records only.
  std::size_t scan(Bytes data, std::uint64_t offset);

  // One record at `offset` that is too long for scan(): its checksums were compared by the caller, and its data may be
  // an outline. Or it is skipped and told.
  void scan_long(const Record& record, std::uint64_t offset);
  void skip_long(std::uint64_t length, std::uint64_t offset);

  ScanStatus status() const { return status_; }
  std::uint64_t needed() const { return needed_; }
  std::size_t pending_rows() const { return rows_.scalars.size() + rows_.payloads.size(); }
  std::uint64_t events() const { return events_; }
  std::uint64_t records() const { return records_; }
  double first_wall() const { return first_wall_; }  // of the first event with a finite one; NaN before that
  std::uint64_t problem_count() const { return problem_count_; }
  const std::vector<SeriesKey>& series() const { return series_; }
  const std::vector<std::uint8_t>& file_version() const { return file_version_; }
  const std::vector<std::uint8_t>& source_writer() const { return source_writer_; }

  const std::vector<SessionStart>& session_starts() const { return session_starts_; }

  Block take_stripe();  // empty when nothing is pending
  // The pending rows as they are, for a stripe that another thread builds; `empty` takes their place.
  PendingRows take_rows(PendingRows empty) { return std::exchange(rows_, std::move(empty)); }
  std::vector<Problem> take_problems();

 private:
  static constexpr std::size_t kMostProblems = 1000;  // kept, per call; all are counted
  // A file may claim any number of starts, among any number of series: more than this is no restart of a program.
  static constexpr std::size_t kMostSessionStarts = 256;
  static constexpr std::size_t kMostCounts = std::size_t{1} << 20;  // in all their `rows_before`

  void take_record(const Record& record);
  bool scan_plain_tensor(Bytes message);
  void scan_event(Bytes message);
  void count_event(double wall_time);
  void add_value(const Value& value);
  void add_payload(std::uint32_t series, Bytes content);
  void push_scalar(const ScalarRow& row) {
    ++series_rows_[row.series];
    rows_.scalars.push(row);
  }
  void note_session_start(Bytes content);
  bool read_scalar(const Tag& tag, const Value& value, double& out);
  std::uint32_t series_of(Tag& tag, Form form, Bytes metadata);
  std::uint32_t open_series(Tag& tag, Form form, Bytes metadata);
  void report(ProblemCode code, std::uint64_t got, std::uint64_t want);

  std::size_t max_rows_;
  EventParser parser_;
  TagTable tags_;
  std::vector<SeriesKey> series_;
  PendingRows rows_;
  std::vector<std::uint64_t> series_rows_;  // scalar rows of each series so far
  std::vector<SessionStart> session_starts_;
  std::vector<Problem> problems_;

  ScanStatus status_ = ScanStatus::Ok;
  std::uint64_t needed_ = 0;
  std::uint64_t events_ = 0;
  std::uint64_t records_ = 0;
  double first_wall_ = std::numeric_limits<double>::quiet_NaN();
  std::uint64_t problem_count_ = 0;
  std::uint64_t corrupt_at_ = std::numeric_limits<std::uint64_t>::max();
  std::vector<std::uint8_t> file_version_;
  std::vector<std::uint8_t> source_writer_;

  // The record being read, for problems and payload positions.
  Bytes buffer_;
  std::uint64_t buffer_offset_ = 0;
  std::uint64_t record_offset_ = 0;
  std::uint64_t record_length_ = 0;
};

}  // namespace seamark
