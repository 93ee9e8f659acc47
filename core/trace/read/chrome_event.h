// One event of a Chrome trace, from text to the builder.
#pragma once

#include "trace/build/builder.h"
#include "trace/read/json_text.h"

namespace seamark {

// Longer names are cut.
inline constexpr std::size_t kMaxNameBytes = 16 << 10;

class ChromeEvents {
 public:
  // With `copies_arguments` the text of arguments is appended to arguments(), and ranges are positions there.
  explicit ChromeEvents(bool copies_arguments) : copies_arguments_(copies_arguments) {}

  // Reads the event at the cursor. `text_offset` is the position of `text` in the source.
  JsonStatus read(JsonCursor& cursor, const char* text, std::uint64_t text_offset);

  TraceBuilder& builder() { return builder_; }
  std::uint64_t events() const { return events_; }
  std::string take_arguments();

 private:
  struct Number {
    std::size_t field;
    JsonNumber value;
  };

  JsonStatus read_member(const JsonValue& key, JsonCursor& cursor);
  JsonStatus read_arguments(JsonCursor& cursor);
  JsonStatus read_argument(const JsonValue& key, JsonCursor& cursor);
  void add();
  void add_slice(TraceTime time);
  void add_async(TraceTime time);
  void add_flow(TraceTime time);
  void add_instant(TraceTime time);
  void add_counter(TraceTime time);
  void add_metadata();
  void set_slice_fields(std::uint32_t slice);
  std::uint32_t name_of_event();
  std::uint32_t track_of_event();
  std::uint64_t key_of_event();
  ArgumentRange arguments_of_event();
  std::string_view decode(const JsonValue& value, std::string& scratch);

  TraceBuilder builder_;
  const bool copies_arguments_;
  std::string arguments_;
  std::uint64_t arguments_taken_ = 0;
  std::uint64_t events_ = 0;

  // The event that is read.
  const char* text_ = nullptr;
  std::uint64_t text_offset_ = 0;
  JsonValue phase_, name_, category_, process_, thread_, time_, duration_, id_, bind_point_, object_;
  std::vector<Number> numbers_;
  // Reused.
  std::string name_text_, category_text_, process_text_, thread_text_, key_;
};

}  // namespace seamark
