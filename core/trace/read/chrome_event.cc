#include "trace/read/chrome_event.h"

#include <algorithm>
#include <utility>

namespace seamark {

namespace {

constexpr std::uint64_t kAsyncKey = std::uint64_t{1} << 63U;

// Without the bytes of a character that is cut.
std::string_view cut_text(std::string_view text) {
  std::size_t size = kMaxNameBytes;
  while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xc0U) == 0x80U) --size;
  return text.substr(0, size);
}

JsonValue member_of(const JsonValue& object, std::string_view wanted) {
  JsonValue found;
  if (object.type != JsonType::Object) return found;
  JsonCursor cursor(object.text);
  cursor.read_object([&](const JsonValue& key, JsonCursor& at) {
    JsonValue value;
    const JsonStatus status = at.read_value(value);
    if (key.text == wanted) found = value;
    return status;
  });
  return found;
}

}  // namespace

std::string ChromeEvents::take_arguments() {
  arguments_taken_ += arguments_.size();
  return std::exchange(arguments_, {});
}

JsonStatus ChromeEvents::read(JsonCursor& cursor, const char* text, std::uint64_t text_offset) {
  text_ = text;
  text_offset_ = text_offset;
  phase_ = name_ = category_ = process_ = thread_ = time_ = duration_ = id_ = bind_point_ = object_ = {};
  numbers_.clear();
  const JsonStatus status =
      cursor.read_object([this](const JsonValue& key, JsonCursor& at) { return read_member(key, at); });
  if (status == JsonStatus::Ok) {
    ++events_;
    add();
  }
  return status;
}

JsonStatus ChromeEvents::read_member(const JsonValue& key, JsonCursor& cursor) {
  JsonValue other;
  JsonValue* value = &other;
  const std::string_view text = key.text;
  switch (text.size()) {
    case 2:
      if (text == "ph")
        value = &phase_;
      else if (text == "ts")
        value = &time_;
      else if (text == "id")
        value = &id_;
      else if (text == "bp")
        value = &bind_point_;
      break;
    case 3:
      if (text == "pid")
        value = &process_;
      else if (text == "tid")
        value = &thread_;
      else if (text == "dur")
        value = &duration_;
      else if (text == "cat")
        value = &category_;
      else if (text == "id2")
        value = &id_;
      break;
    case 4:
      if (text == "name")
        value = &name_;
      else if (text == "args" && cursor.peek() == '{')
        return read_arguments(cursor);
      break;
    default: break;
  }
  return cursor.read_value(*value);
}

JsonStatus ChromeEvents::read_arguments(JsonCursor& cursor) {
  const char* const begin = cursor.at();
  const JsonStatus status =
      cursor.read_object([this](const JsonValue& key, JsonCursor& at) { return read_argument(key, at); });
  object_ = {JsonType::Object, false, {begin, static_cast<std::size_t>(cursor.at() - begin)}};
  return status;
}

JsonStatus ChromeEvents::read_argument(const JsonValue& key, JsonCursor& cursor) {
  JsonValue value;
  const JsonStatus status = cursor.read_value(value);
  if (status != JsonStatus::Ok || (value.type != JsonType::Bare && value.type != JsonType::String)) return status;
  const std::size_t field = find_field(key.text);
  if (field == kNoField) return status;
  if (const std::optional<JsonNumber> number = parse_number(value.text)) numbers_.push_back({field, *number});
  return status;
}

void ChromeEvents::add() {
  const char phase = phase_.text.size() == 1 ? phase_.text[0] : '\0';
  if (phase == 'M') return add_metadata();
  constexpr std::string_view kTimed = "XBEbenSTFstfCiIR";
  if (phase == '\0' || kTimed.find(phase) == std::string_view::npos) return;
  if (time_.type == JsonType::None) return builder_.count(TraceProblem::NoTime);
  const std::optional<std::int64_t> time = parse_time_ns(time_.text);
  if (!time) return builder_.count(TraceProblem::BadTime);
  switch (phase) {
    case 'X':
    case 'B': return add_slice(*time);
    case 'E': return builder_.end_slice(TraceBuilder::thread_key(track_of_event()), *time);
    case 'b':
    case 'e':
    case 'S':
    case 'F': return add_async(*time);
    case 's':
    case 't':
    case 'f': return add_flow(*time);
    case 'C': return add_counter(*time);
    default: return add_instant(*time);
  }
}

void ChromeEvents::add_slice(TraceTime time) {
  const std::uint32_t track = track_of_event(), name = name_of_event();
  if (phase_.text[0] == 'B') {
    set_slice_fields(builder_.begin_slice(track, TraceBuilder::thread_key(track), name, time, arguments_of_event()));
    return;
  }
  std::optional<std::int64_t> duration = 0;
  if (duration_.type != JsonType::None) duration = parse_time_ns(duration_.text);
  if (!duration) builder_.count(TraceProblem::BadDuration);
  set_slice_fields(builder_.add_slice(track, name, time, duration.value_or(0), arguments_of_event()));
}

void ChromeEvents::add_async(TraceTime time) {
  if (phase_.text[0] == 'e' || phase_.text[0] == 'F') return builder_.end_slice(key_of_event() | kAsyncKey, time);
  const std::uint32_t name = name_of_event();
  const std::string_view title = decode(category_, category_text_);
  const std::uint32_t track =
      builder_.async_track(decode(process_, process_text_), title.empty() ? decode(name_, name_text_) : title);
  set_slice_fields(builder_.begin_slice(track, key_of_event() | kAsyncKey, name, time, arguments_of_event()));
}

void ChromeEvents::add_flow(TraceTime time) {
  const char phase = phase_.text[0];
  const FlowPhase flow = phase == 's' ? FlowPhase::Start : phase == 't' ? FlowPhase::Step : FlowPhase::End;
  const bool binds_to_next = flow == FlowPhase::End && bind_point_.text != "e";
  builder_.add_flow(flow, key_of_event(), track_of_event(), time, binds_to_next);
}

void ChromeEvents::add_instant(TraceTime time) {
  const std::uint32_t instant = builder_.add_instant(track_of_event(), name_of_event(), time);
  if (instant == kNone) return;
  for (const auto& [field, value] : numbers_) {
    if (value.is_integer)
      builder_.set_instant_field(field, instant, value.integer);
    else
      builder_.set_instant_field(field, instant, value.real);
  }
}

void ChromeEvents::add_counter(TraceTime time) {
  if (object_.type != JsonType::Object) return;
  JsonCursor cursor(object_.text);
  const std::string_view name = decode(name_, name_text_);
  const std::string_view process = decode(process_, process_text_);
  cursor.read_object([&](const JsonValue& key, JsonCursor& at) {
    JsonValue value;
    const JsonStatus status = at.read_value(value);
    if (value.type != JsonType::Bare && value.type != JsonType::String) return status;
    if (const std::optional<JsonNumber> number = parse_number(value.text)) {
      const std::uint32_t counter = builder_.counter(process, name, decode(key, key_));
      builder_.add_point(counter, time, number->is_integer ? static_cast<double>(number->integer) : number->real);
    }
    return status;
  });
}

void ChromeEvents::add_metadata() {
  const std::string_view title = name_.text;
  const JsonValue value = member_of(object_, title.ends_with("sort_index") ? "sort_index"
                                             : title == "process_labels"   ? "labels"
                                                                           : "name");
  if (value.type == JsonType::None) return;
  const std::string_view process = decode(process_, process_text_);
  const std::string text(decode(value, key_));
  const std::optional<JsonNumber> number = parse_number(value.text);
  const std::int64_t index = number && number->is_integer ? number->integer : kNoSortIndex;
  if (title == "process_name") builder_.process_entry(builder_.process(process)).name = text;
  if (title == "process_labels") builder_.process_entry(builder_.process(process)).labels = text;
  if (title == "process_sort_index") builder_.process_entry(builder_.process(process)).sort_index = index;
  if (title == "thread_name") builder_.track_entry(track_of_event()).name = text;
  if (title == "thread_sort_index") builder_.track_entry(track_of_event()).sort_index = index;
}

void ChromeEvents::set_slice_fields(std::uint32_t slice) {
  if (slice == kNone) return;
  for (const auto& [field, value] : numbers_) {
    if (value.is_integer)
      builder_.set_field(field, slice, value.integer);
    else
      builder_.set_field(field, slice, value.real);
  }
}

std::uint32_t ChromeEvents::name_of_event() {
  return builder_.name(decode(name_, name_text_), decode(category_, category_text_));
}

std::uint32_t ChromeEvents::track_of_event() {
  return builder_.track(decode(process_, process_text_), decode(thread_, thread_text_));
}

// Of flows and asynchronous slices: events of one arrow or slice have the same category and id.
std::uint64_t ChromeEvents::key_of_event() {
  key_.assign(category_.text).append(1, '\0').append(id_.text);
  // Local ids of Chrome are of one process.
  if (id_.type == JsonType::Object) key_.append(1, '\0').append(process_.text);
  return hash_of(bytes_of(key_), process_key());
}

ArgumentRange ChromeEvents::arguments_of_event() {
  constexpr std::size_t kEmpty = 2;
  const std::string_view text = object_.text;
  if (text.size() <= kEmpty) return {};
  const auto size = static_cast<std::uint32_t>(text.size());
  if (!copies_arguments_) return {text_offset_ + static_cast<std::uint64_t>(text.data() - text_), size};
  const std::uint64_t start = arguments_taken_ + arguments_.size();
  arguments_ += text;
  return {start, size};
}

std::string_view ChromeEvents::decode(const JsonValue& value, std::string& scratch) {
  std::string_view text = value.text;
  if (text.size() > kMaxNameBytes) {
    builder_.count(TraceProblem::LongName);
    text = cut_text(text);
  }
  if (!value.has_escapes) return text;
  scratch.clear();
  unescape(text, scratch);
  return scratch;
}

}  // namespace seamark
