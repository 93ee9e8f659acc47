#include "trace/read/json_scan.h"

#include <algorithm>

namespace seamark {

namespace {

constexpr std::size_t kMaxEventBytes = std::size_t{64} << 20;
constexpr std::size_t kMaxMemberBytes = std::size_t{4} << 20, kMaxMetadataBytes = std::size_t{16} << 20;

}  // namespace

void JsonTraceScanner::feed(Bytes block) {
  const std::size_t kept = size_ - at_;
  if (at_ > 0 && kept > 0) std::memmove(buffer_.data(), buffer_.data() + at_, kept);
  offset_ += at_;
  at_ = 0;
  size_ = kept + block.size();
  if (buffer_.size() < size_ + kJsonPadding) buffer_.resize(size_ + kJsonPadding);
  if (!block.empty()) std::memcpy(buffer_.data() + kept, block.data(), block.size());
  std::fill_n(buffer_.data() + size_, kJsonPadding, '\0');
  if (size_ < wanted_) return;
  wanted_ = 0;
  while (at_ < size_ && step()) {
  }
}

void JsonTraceScanner::end() {
  // A number at the very end is complete now.
  wanted_ = 0;
  const std::uint8_t space = ' ';
  feed({&space, 1});
  const bool has_rest = std::any_of(buffer_.begin() + static_cast<std::ptrdiff_t>(at_),
                                    buffer_.begin() + static_cast<std::ptrdiff_t>(size_),
                                    [](char c) { return c != ' ' && c != '\n' && c != '\r' && c != '\t'; });
  // The bracket at the end of an array may be missing.
  const bool may_end = state_ == State::Done || (state_ == State::Events && is_array_ && !has_rest && !skips_);
  ends_early_ = !may_end && state_ != State::NoJson;
  if (state_ == State::Start) state_ = State::NoJson;
  buffer_ = {};
}

// Reads one thing. Returns whether to continue.
bool JsonTraceScanner::step() {
  if (skips_) return skip_long_value();
  switch (state_) {
    case State::Start: return step_start();
    case State::Members: return step_member();
    case State::Events: return step_event();
    default: at_ = size_; return false;
  }
}

bool JsonTraceScanner::step_start() {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (const std::string_view text(buffer_.data(), size_); offset_ + at_ == 0) {
    if (size_ < kByteOrderMark.size() && kByteOrderMark.starts_with(text)) return false;
    if (text.starts_with(kByteOrderMark)) at_ += kByteOrderMark.size();
  }
  JsonCursor cursor(buffer_.data() + at_, buffer_.data() + size_);
  const char first = cursor.peek();
  at_ = static_cast<std::size_t>(cursor.at() - buffer_.data());
  if (at_ >= size_) return false;
  ++at_;
  is_array_ = first == '[';
  has_events_ = is_array_;
  state_ = is_array_ ? State::Events : first == '{' ? State::Members : State::NoJson;
  return true;
}

bool JsonTraceScanner::step_member() {
  const char* const begin = buffer_.data() + at_;
  JsonCursor cursor(begin, buffer_.data() + size_);
  const auto accept = [&] {
    at_ = static_cast<std::size_t>(cursor.at() - buffer_.data());
    return true;
  };
  const char first = cursor.peek();
  if (first == ',' || first == '}') {
    cursor.advance();
    if (first == '}') state_ = State::Done;
    return accept();
  }
  JsonValue key, value;
  JsonStatus status = cursor.read_key(key);
  if (status == JsonStatus::Bad) {
    cursor.advance();
    return accept();
  }
  if (status == JsonStatus::Ok && key.text == "traceEvents" && cursor.peek() == '[') {
    cursor.advance();
    has_events_ = true;
    state_ = State::Events;
    return accept();
  }
  const char* const value_begin = cursor.at();
  if (status == JsonStatus::Ok) status = cursor.read_value(value);
  if (status == JsonStatus::Ok) {
    store_metadata(key, value);
    return accept();
  }
  if (status == JsonStatus::Incomplete && size_ - at_ > kMaxMemberBytes) {
    at_ = static_cast<std::size_t>(value_begin - buffer_.data());
    skips_ = true;
    skip_depth_ = 0;
    return true;
  }
  if (status == JsonStatus::Bad) {
    cursor.advance();
    return accept();
  }
  wanted_ = (size_ - at_) * 2;
  return false;
}

bool JsonTraceScanner::step_event() {
  JsonCursor cursor(buffer_.data() + at_, buffer_.data() + size_);
  const auto accept = [&] {
    at_ = static_cast<std::size_t>(cursor.at() - buffer_.data());
    return true;
  };
  const char first = cursor.peek();
  if (first == ',' || first == ']') {
    cursor.advance();
    if (first == ']') state_ = is_array_ ? State::Done : State::Members;
    return accept();
  }
  if (cursor.at_end()) {
    accept();
    return false;
  }
  accept();  // the space
  JsonStatus status = JsonStatus::Ok;
  if (first == '{') {
    status = events_.read(cursor, buffer_.data(), offset_);
  } else {
    JsonValue other;
    status = cursor.read_value(other);
    if (status == JsonStatus::Ok) events_.builder().count(TraceProblem::NoObject);
    if (status == JsonStatus::Bad) cursor.advance();
  }
  if (status == JsonStatus::Ok) return accept();
  if (status == JsonStatus::Bad) {
    events_.builder().count(TraceProblem::BadEvent);
    if (first != '{') return accept();
  }
  if (status == JsonStatus::Bad || size_ - at_ > kMaxEventBytes) {
    if (status == JsonStatus::Incomplete) events_.builder().count(TraceProblem::BadEvent);
    skips_ = true;
    skip_depth_ = 0;
    return true;
  }
  wanted_ = (size_ - at_) * 2;
  return false;
}

void JsonTraceScanner::store_metadata(const JsonValue& key, const JsonValue& value) {
  const std::size_t bytes = key.text.size() + value.text.size();
  if (bytes > kMaxMemberBytes || metadata_bytes_ + bytes > kMaxMetadataBytes) return;
  metadata_bytes_ += bytes;
  std::string text(value.text);
  if (value.type == JsonType::String) text = '"' + text + '"';
  metadata_.push_back({std::string(key.text), std::move(text)});
}

// A value that is too long or malformed: to the bracket that closes it.
bool JsonTraceScanner::skip_long_value() {
  for (; at_ < size_; ++at_) {
    const char c = buffer_[at_];
    if (skips_string_) {
      if (c == '\\' && at_ + 1 >= size_) return false;  // with the next block
      if (c == '\\')
        ++at_;
      else if (c == '"')
        skips_string_ = false;
    } else if (c == '"') {
      skips_string_ = true;
      if (skip_depth_ == 0) continue;
    } else if (c == '{' || c == '[') {
      ++skip_depth_;
    } else if ((c == '}' || c == ']') && skip_depth_ > 0) {
      if (--skip_depth_ == 0) {
        ++at_;
        skips_ = false;
        return true;
      }
    }
    // A long string by itself.
    if (skip_depth_ == 0 && !skips_string_ && c == '"') {
      ++at_;
      skips_ = false;
      return true;
    }
  }
  return false;
}

}  // namespace seamark
