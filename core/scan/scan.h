// Turns the bytes of one event file into rows by series, and continues as the file grows.
#pragma once

#include <utility>
#include <vector>

#include "columns/rows.h"
#include "format/event.h"
#include "format/record.h"
#include "scan/tags.h"

namespace seamark {

struct ScanResult {
  std::size_t consumed = 0;  // bytes of whole records
  ReadStatus status = ReadStatus::Ok;
  std::uint64_t needed_bytes = 0;  // if Incomplete: how many bytes from the record's start would complete it
};

enum class ProblemCode : std::uint32_t {
  LengthCrc = 1,  // nothing after it can be read; got and want are checksums
  DataCrc = 2,    // the record is skipped; got and want are checksums
  BadEvent = 3,   // not an event message: the record is skipped
  BadValue = 4,   // a scalar's tensor is not a number: stored as a payload; got = dtype, want = number of elements
  TooLong = 5,    // more than 2 GB, or more than 64 MB with too many fields: the record is skipped; got = length
};

struct Problem {
  ProblemCode code;
  std::uint64_t offset;  // of the record in the file
  std::uint64_t length;  // of its data, as the header claims
  std::uint64_t got;
  std::uint64_t want;
};

// A SessionLog with status START: the program started or restarted at this step.
struct SessionStart {
  std::int64_t step;
  double wall_time;
  std::uint64_t offset;                    // of its content in the file: payloads before it have smaller offsets
  std::vector<std::uint64_t> rows_before;  // scalar rows of each series that were scanned before it
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

  // `offset` is the position of data[0] in the file.
  ScanResult scan(Bytes data, std::uint64_t offset);

  // For one record at `offset` that is too long for scan(). The caller has compared its checksums; its data may be an
  // outline. skip_long reports it as a problem instead.
  void scan_long(const Record& record, std::uint64_t offset);
  void skip_long(std::uint64_t length, std::uint64_t offset);

  std::size_t pending_rows() const { return rows_.size(); }
  std::uint64_t events() const { return events_; }
  std::uint64_t records() const { return records_; }
  double first_wall() const { return first_wall_; }  // of the first event that has a finite one; NaN before that
  std::uint64_t problem_count() const { return problem_count_; }
  const std::vector<SeriesKey>& series() const { return series_; }
  const std::vector<std::uint8_t>& file_version() const { return file_version_; }
  const std::vector<SessionStart>& session_starts() const { return session_starts_; }

  Block take_stripe();  // empty when nothing is pending
  // The pending rows as they are. `empty` takes their place: an empty buffer, whose memory the scanner uses.
  PendingRows take_rows(PendingRows empty) { return std::exchange(rows_, std::move(empty)); }
  std::vector<Problem> take_problems();

 private:
  static constexpr std::size_t kMaxProblems = 1000;  // stored between two calls of take_problems; all are counted
  // A hostile file may claim any number of starts, among any number of series.
  static constexpr std::size_t kMaxSessionStarts = 256;
  static constexpr std::size_t kMaxCounts = std::size_t{1} << 20;  // in all their `rows_before`

  void scan_record(const Record& record);
  bool scan_plain_tensor(Bytes message);
  void scan_event(Bytes message);
  void count_event(double wall_time);
  void add_value(const Value& value);
  void add_payload(std::uint32_t series, Bytes content);
  void push_scalar(const ScalarRow& row) {
    ++series_rows_[row.series];
    rows_.scalars.push(row);
  }
  void add_session_start(Bytes content);
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

  std::uint64_t events_ = 0;
  std::uint64_t records_ = 0;
  double first_wall_ = std::numeric_limits<double>::quiet_NaN();
  std::uint64_t problem_count_ = 0;
  std::uint64_t corrupt_at_ = std::numeric_limits<std::uint64_t>::max();
  std::vector<std::uint8_t> file_version_;

  // The record being read, for problems and payload positions.
  Bytes buffer_;
  std::uint64_t buffer_offset_ = 0;
  std::uint64_t record_offset_ = 0;
  std::uint64_t record_length_ = 0;
};

}  // namespace seamark
