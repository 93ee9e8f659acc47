// JsonTraceScanner: a Chrome trace from blocks of bytes; an event may span blocks.
//
// Both forms are read: an array of events, and an object with `traceEvents` whose other members are metadata. Memory
// is bounded by the columns of the builder, the longest event and the limit of metadata.
#pragma once

#include "trace/read/chrome_event.h"

namespace seamark {

struct TraceMetadata {
  std::string key;
  std::string json;
};

class JsonTraceScanner {
 public:
  explicit JsonTraceScanner(bool copies_arguments) : events_(copies_arguments) {}

  void feed(Bytes block);
  // After the last block. The builder may then be taken.
  void end();

  TraceBuilder& builder() { return events_.builder(); }
  std::string take_arguments() { return events_.take_arguments(); }
  std::uint64_t events() const { return events_.events(); }
  const std::vector<TraceMetadata>& metadata() const { return metadata_; }
  bool is_json() const { return state_ != State::NoJson; }
  bool has_events() const { return has_events_; }
  bool ends_early() const { return ends_early_; }

 private:
  enum class State : std::uint8_t { Start, Members, Events, Done, NoJson };

  bool step();
  bool step_start();
  bool step_member();
  bool step_event();
  void store_metadata(const JsonValue& key, const JsonValue& value);
  bool skip_long_value();

  ChromeEvents events_;
  State state_ = State::Start;
  bool is_array_ = false, has_events_ = false, ends_early_ = false;
  std::vector<char> buffer_;  // the bytes that are not read yet, with padding
  std::size_t size_ = 0;      // of buffer_, without the padding
  std::size_t at_ = 0;
  std::uint64_t offset_ = 0;  // of buffer_[0] in the source
  std::size_t wanted_ = 0;    // an event is read again only when the buffer has grown to this size
  // Within a value that is too long to be stored: its open brackets, and whether a string is open.
  std::size_t skip_depth_ = 0;
  bool skips_ = false, skips_string_ = false;
  std::vector<TraceMetadata> metadata_;
  std::size_t metadata_bytes_ = 0;
};

}  // namespace seamark
