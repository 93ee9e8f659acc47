#include "scan/scan.h"

#include <cmath>
#include <utility>

#include "columns/stripe.h"
#include "format/fields.h"
#include "format/wire.h"

namespace seamark {
namespace {

constexpr std::size_t kMaxVersionBytes = 4096;

Bytes view(const std::vector<std::uint8_t>& bytes) { return bytes; }

void copy_prefix(Bytes text, std::vector<std::uint8_t>& out) {
  text = text.first(std::min(text.size(), kMaxVersionBytes));
  if (!text.empty()) out.assign(text.begin(), text.end());
}

}  // namespace

void Scanner::restore(Bytes tag, Form form, Bytes metadata) {
  Tag& entry = tags_[tags_.find_or_add(tag)];
  open_series(entry, form, metadata);
}

ScanResult Scanner::scan(Bytes data, std::uint64_t offset) {
  buffer_ = data;
  buffer_offset_ = offset;
  ScanResult result;
  Record record;
  while (result.consumed < data.size()) {
    if (pending_rows() >= max_rows_) {
      result.status = ReadStatus::Full;
      break;
    }
    result.status = read_record(data.subspan(result.consumed), record);
    if (result.status == ReadStatus::Incomplete) {
      result.needed_bytes = record.needed_bytes;
      break;
    }
    record_offset_ = offset + result.consumed;
    record_length_ = record.length;
    if (result.status == ReadStatus::Corrupt) {
      // Every poll finds the same damage again; it is one problem.
      if (std::exchange(corrupt_at_, record_offset_) != record_offset_) {
        report(ProblemCode::LengthCrc, record.crc_got, record.crc_want);
      }
      break;
    }
    result.consumed += record.size();
    scan_record(record);
  }
  buffer_ = {};
  return result;
}

void Scanner::scan_long(const Record& record, std::uint64_t offset) {
  buffer_ = record.data;
  buffer_offset_ = offset + kRecordHeaderBytes;
  record_offset_ = offset;
  record_length_ = record.length;
  scan_record(record);
  buffer_ = {};
}

void Scanner::skip_long(std::uint64_t length, std::uint64_t offset) {
  record_offset_ = offset;
  record_length_ = length;
  ++records_;
  report(ProblemCode::TooLong, length, kMaxRecordBytes);
}

void Scanner::scan_record(const Record& record) {
  ++records_;
  if (!record.intact()) {
    report(ProblemCode::DataCrc, record.crc_got, record.crc_want);
    return;
  }
  PlainScalar plain;
  if (match_plain_scalar(record.data, plain)) {
    count_event(plain.wall_time);
    Tag& tag = tags_[tags_.find_or_add(plain.tag)];
    const std::uint32_t series = series_of(tag, Form::Scalar, {});
    push_scalar({plain.step, plain.wall_time, static_cast<double>(plain.value), series});
  } else if (!scan_plain_tensor(record.data)) {
    scan_event(record.data);
  }
}

// Only for tags known to be scalars: the first value of a tag and new metadata need the parser.
bool Scanner::scan_plain_tensor(Bytes message) {
  PlainTensor plain;
  if (!match_plain_tensor(message, plain)) return false;
  const Tag& tag = tags_[tags_.find_or_add(plain.tag)];
  const std::uint32_t series = tag.series[static_cast<std::size_t>(Form::Scalar)];
  if (series == kNone || !tag.scalar) return false;
  if (!plain.metadata.empty() && !same_bytes(plain.metadata, tag.metadata)) return false;
  count_event(plain.wall_time);
  push_scalar({plain.step, plain.wall_time, static_cast<double>(plain.value), series});
  return true;
}

// All or nothing: the parser checks the whole message before the first row is added.
void Scanner::scan_event(Bytes message) {
  if (!parser_.parse(message)) {
    report(ProblemCode::BadEvent, 0, 0);
    return;
  }
  const Event& event = parser_.event();
  count_event(event.wall_time);
  copy_prefix(event.file_version, file_version_);
  for (const Value& value : event.values) add_value(value);
  if (event.has_content) {
    Tag& tag = tags_[tags_.find_or_add(event.content_tag)];
    std::uint32_t series = tag.series[static_cast<std::size_t>(event.form)];
    if (series == kNone) series = open_series(tag, event.form, {});
    if (event.form == Form::SessionLog) add_session_start(event.content);
    add_payload(series, event.content);
  }
}

void Scanner::add_session_start(Bytes content) {
  constexpr std::uint64_t kStart = 1;
  std::uint64_t status = 0;
  Field field;
  for (Cursor cursor(content); cursor.next(field);) {
    if (field.is(session_log_field::kStatus, Wire::Varint)) status = field.value;
  }
  const std::size_t counts = (session_starts_.size() + 1) * series_rows_.size();
  if (status != kStart || session_starts_.size() >= kMaxSessionStarts || counts > kMaxCounts) return;
  const Event& event = parser_.event();
  const auto within = static_cast<std::uint64_t>(content.data() - buffer_.data());
  session_starts_.push_back({event.step, event.wall_time, buffer_offset_ + within, series_rows_});
}

void Scanner::count_event(double wall_time) {
  ++events_;
  if (std::isnan(first_wall_) && std::isfinite(wall_time)) [[unlikely]]
    first_wall_ = wall_time;
}

void Scanner::add_value(const Value& value) {
  Tag& tag = tags_[tags_.find_or_add(value.name())];
  double number = static_cast<double>(value.simple);
  const bool scalar = value.form == Form::Scalar || (value.form == Form::Tensor && read_scalar(tag, value, number));
  const Form form = scalar ? Form::Scalar : value.form;
  const std::uint32_t series = series_of(tag, form, value.metadata);
  if (scalar) {
    push_scalar({parser_.event().step, parser_.event().wall_time, number, series});
  } else {
    add_payload(series, value.message);
  }
}

// The tag's stored metadata decides; without any, the metadata of this value does.
bool Scanner::read_scalar(const Tag& tag, const Value& value, double& out) {
  if (tag.metadata.empty() ? !is_scalar_metadata(value.metadata) : !tag.scalar) return false;
  if (read_number(value.tensor, out)) return true;
  report(ProblemCode::BadValue, value.tensor.dtype, value.tensor.elements);
  return false;
}

void Scanner::add_payload(std::uint32_t series, Bytes content) {
  const auto within = static_cast<std::uint64_t>(content.data() - buffer_.data());
  const Event& event = parser_.event();
  rows_.payloads.push({event.step, event.wall_time, buffer_offset_ + within, content.size(), series});
}

std::uint32_t Scanner::series_of(Tag& tag, Form form, Bytes metadata) {
  const std::uint32_t series = tag.series[static_cast<std::size_t>(form)];
  if (series != kNone) [[likely]]
    return series;
  return open_series(tag, form, tag.metadata.empty() ? metadata : view(tag.metadata));
}

// Stores metadata only if it opens a series, so that a scanner restored from the list of series treats every later
// value as the original scanner would.
std::uint32_t Scanner::open_series(Tag& tag, Form form, Bytes metadata) {
  const auto id = static_cast<std::uint32_t>(series_.size());
  series_.push_back({tag.name, form, {metadata.begin(), metadata.end()}});
  series_rows_.push_back(0);
  tag.series[static_cast<std::size_t>(form)] = id;
  if (tag.metadata.empty() && !metadata.empty()) {
    tag.metadata = series_.back().metadata;
    tag.scalar = is_scalar_metadata(tag.metadata);
  }
  return id;
}

void Scanner::report(ProblemCode code, std::uint64_t got, std::uint64_t want) {
  ++problem_count_;
  if (problems_.size() < kMaxProblems) problems_.push_back({code, record_offset_, record_length_, got, want});
}

Block Scanner::take_stripe() {
  if (pending_rows() == 0) return {};
  Block stripe = build_stripe(rows_.scalars.rows(), rows_.payloads.rows(), static_cast<std::uint32_t>(series_.size()));
  rows_.clear();
  return stripe;
}

std::vector<Problem> Scanner::take_problems() { return std::exchange(problems_, {}); }

}  // namespace seamark
