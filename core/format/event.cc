#include "format/event.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>

#include "format/fields.h"
#include "format/wire.h"

namespace seamark {
namespace {

// Limits on what a short message can cost: an empty value takes 2 bytes in a file and 100 in memory, and a message that
// comes in parts is copied again for each part.
constexpr std::size_t kMaxValues = 1U << 20U;
constexpr std::size_t kMaxNameBytes = 1U << 20U;
constexpr std::size_t kMaxMetadataBytes = 16U << 20U;
constexpr std::size_t kMaxJoinedBytes = 32U << 20U;

// The last field of that number, as protobuf has it; false if the message is malformed.
bool read_text(Bytes message, std::uint32_t number, Bytes& out) {
  Cursor cursor(message);
  Field field;
  while (cursor.next(field)) {
    if (field.is(number, Wire::Length)) out = field.bytes;
  }
  return cursor.ok();
}

bool is_ascii(Bytes text) {
  return std::ranges::all_of(text, [](std::uint8_t byte) { return byte < 0x80; });
}

// As read_text, and false if a field of that number is not ASCII.
bool read_ascii(Bytes message, std::uint32_t number, Bytes& out) {
  Cursor cursor(message);
  Field field;
  while (cursor.next(field)) {
    if (!field.is(number, Wire::Length)) continue;
    if (!is_ascii(field.bytes)) return false;
    out = field.bytes;
  }
  return cursor.ok();
}

bool histogram_well_formed(Bytes histogram) {
  Cursor cursor(histogram);
  Field field;
  while (cursor.next(field)) {
    const bool packed =
        field.is(histogram_field::kBucketLimit, Wire::Length) || field.is(histogram_field::kBucket, Wire::Length);
    if (packed && field.bytes.size() % 8 != 0) return false;
  }
  return cursor.ok();
}

}  // namespace

Form form_of(std::uint32_t number) {
  if (number >= kForms || number == 7) throw std::invalid_argument("no such form: " + std::to_string(number));
  return static_cast<Form>(number);
}

bool EventParser::parse(Bytes message) {
  event_.wall_time = 0;
  event_.step = 0;
  joined_.clear();
  joined_bytes_ = 0;
  clear_one_of();
  Cursor cursor(message);
  Field field;
  while (cursor.next(field)) {
    if (field.is(event_field::kWallTime, Wire::Fixed64)) {
      event_.wall_time = field.as_double();
    } else if (field.is(event_field::kStep, Wire::Varint)) {
      event_.step = static_cast<std::int64_t>(field.value);
    } else if (field.type == Wire::Length && !parse_field(field.number, field.bytes)) {
      return false;
    }
  }
  return cursor.ok();
}

// These fields are a oneof: a later one replaces an earlier one, except that two summaries merge their values.
bool EventParser::parse_field(std::uint32_t number, Bytes content) {
  switch (number) {
    case event_field::kSummary: return parse_summary(content);
    case event_field::kFileVersion:
      clear_one_of();
      event_.file_version = content;
      return true;
    case event_field::kGraphDef: return parse_content(Form::GraphDef, content);
    case event_field::kMetaGraphDef: return parse_content(Form::MetaGraphDef, content);
    case event_field::kLogMessage: return parse_content(Form::LogMessage, content) && well_formed(content);
    case event_field::kSessionLog: return parse_content(Form::SessionLog, content) && well_formed(content);
    case event_field::kRunMetadata:
      return parse_content(Form::RunMetadata, content) &&
             read_text(content, run_metadata_field::kTag, event_.content_tag) &&
             event_.content_tag.size() <= kMaxNameBytes;
    case event_field::kSourceMetadata: return well_formed(content);
    default: return true;
  }
}

bool EventParser::parse_content(Form form, Bytes content) {
  clear_one_of();
  event_.has_content = true;
  event_.form = form;
  event_.content = content;
  return true;
}

void EventParser::clear_one_of() {
  in_summary_ = false;
  event_.values.clear();
  event_.has_content = false;
  event_.file_version = {};
  event_.content_tag = {};
}

bool EventParser::parse_summary(Bytes summary) {
  if (!in_summary_) clear_one_of();
  in_summary_ = true;
  Cursor cursor(summary);
  Field field;
  while (cursor.next(field)) {
    if (!field.is(summary_field::kValue, Wire::Length)) continue;
    if (event_.values.size() >= kMaxValues || !parse_value(field.bytes, event_.values.emplace_back())) return false;
  }
  return cursor.ok();
}

bool EventParser::parse_value(Bytes message, Value& out) {
  out.message = message;
  Cursor cursor(message);
  Field field;
  while (cursor.next(field)) {
    if (field.is(value_field::kSimpleValue, Wire::Fixed32)) {
      out.simple = field.as_float();
      out.form = Form::Scalar;
    }
    if (field.type != Wire::Length) continue;
    switch (field.number) {
      case value_field::kTag: out.tag = field.bytes; break;
      case value_field::kNodeName: out.node_name = field.bytes; break;
      case value_field::kMetadata:
        if (!check_metadata(field.bytes)) return false;
        out.metadata = join(out.metadata, field.bytes);
        break;
      case value_field::kTensor:
        if (!parse_tensor(field.bytes, out)) return false;
        break;
      case value_field::kImage:
        if (!well_formed(field.bytes)) return false;
        out.form = Form::Image;
        break;
      case value_field::kAudio:
        if (!well_formed(field.bytes)) return false;
        out.form = Form::Audio;
        break;
      case value_field::kHisto:
        if (!histogram_well_formed(field.bytes)) return false;
        out.form = Form::Histo;
        break;
      case value_field::kOldHisto: out.form = Form::OldHisto; break;
      default: break;
    }
  }
  return cursor.ok() && out.tag.size() <= kMaxNameBytes && out.node_name.size() <= kMaxNameBytes &&
         out.metadata.size() <= kMaxMetadataBytes && joined_bytes_ <= kMaxJoinedBytes;
}

bool EventParser::parse_tensor(Bytes tensor, Value& out) {
  // Each part must be well formed by itself before the two are merged.
  const Bytes before = out.form == Form::Tensor ? out.tensor.message : Bytes{};
  out.form = Form::Tensor;
  return read_tensor(tensor, out.tensor) && (before.empty() || read_tensor(join(before, tensor), out.tensor));
}

bool EventParser::check_metadata(Bytes metadata) {
  if (same_bytes(metadata, valid_metadata_)) return true;
  if (!metadata_well_formed(metadata)) return false;
  valid_metadata_.assign(metadata.begin(), metadata.end());
  return true;
}

// To protobuf, the concatenation of two messages is the two merged.
Bytes EventParser::join(Bytes first, Bytes second) {
  if (first.empty() || joined_bytes_ > kMaxJoinedBytes) return second;
  joined_bytes_ += first.size() + second.size();
  auto& both = joined_.emplace_back(first.begin(), first.end());
  both.insert(both.end(), second.begin(), second.end());
  return both;
}

bool metadata_well_formed(Bytes metadata) {
  Cursor cursor(metadata);
  Field field;
  while (cursor.next(field)) {
    if (field.is(metadata_field::kPluginData, Wire::Length) && !well_formed(field.bytes)) return false;
  }
  return cursor.ok();
}

bool is_scalar_metadata(Bytes metadata) {
  constexpr std::string_view kScalars = "scalars";
  constexpr std::uint64_t kScalarClass = 1;
  Cursor cursor(metadata);
  Field field;
  Bytes plugin;
  std::uint64_t data_class = 0;
  while (cursor.next(field)) {
    if (field.is(metadata_field::kPluginData, Wire::Length)) {
      read_text(field.bytes, plugin_data_field::kPluginName, plugin);
    }
    if (field.is(metadata_field::kDataClass, Wire::Varint)) data_class = field.value;
  }
  return data_class == kScalarClass ||
         std::string_view(reinterpret_cast<const char*>(plugin.data()), plugin.size()) == kScalars;
}

bool read_plugin_name(Bytes metadata, Bytes& name) {
  Cursor cursor(metadata);
  Field field;
  int plugins = 0;
  name = {};
  while (cursor.next(field)) {
    if (field.type != Wire::Length) continue;
    if (field.number == metadata_field::kPluginData) {
      if (++plugins > 1 || !read_ascii(field.bytes, plugin_data_field::kPluginName, name)) return false;
    } else if (field.number == metadata_field::kDisplayName || field.number == metadata_field::kDescription) {
      if (!is_ascii(field.bytes)) return false;
    }
  }
  return cursor.ok();
}

namespace {

// The keys of the fields that the two matchers expect.
constexpr std::uint8_t kWallTimeKey = field_key(event_field::kWallTime, Wire::Fixed64);
constexpr std::uint8_t kStepKey = field_key(event_field::kStep, Wire::Varint);
constexpr std::uint8_t kSummaryKey = field_key(event_field::kSummary, Wire::Length);
constexpr std::uint8_t kValueKey = field_key(summary_field::kValue, Wire::Length);
constexpr std::uint8_t kTagKey = field_key(value_field::kTag, Wire::Length);
constexpr std::uint8_t kSimpleValueKey = field_key(value_field::kSimpleValue, Wire::Fixed32);
constexpr std::uint8_t kTensorKey = field_key(value_field::kTensor, Wire::Length);
constexpr std::uint8_t kMetadataKey = field_key(value_field::kMetadata, Wire::Length);
constexpr std::uint8_t kDtypeKey = field_key(tensor_field::kDtype, Wire::Varint);
constexpr std::uint8_t kShapeKey = field_key(tensor_field::kShape, Wire::Length);
constexpr std::uint8_t kContentKey = field_key(tensor_field::kContent, Wire::Length);
constexpr std::uint8_t kFloatKey = field_key(tensor_field::kFloatVal, Wire::Fixed32);
constexpr std::uint8_t kPackedFloatsKey = field_key(tensor_field::kFloatVal, Wire::Length);

// Wall time and step, in this order. Returns the byte after them, or nullptr if there is another field.
const std::uint8_t* match_head(const std::uint8_t* at, const std::uint8_t* end, PlainScalar& out) {
  if (*at != kWallTimeKey) return nullptr;
  out.wall_time = load<double>(at + 1);
  at += 9;
  std::uint64_t step = 0;
  if (*at == kStepKey) at = read_varint(at + 1, end, step);
  out.step = static_cast<std::int64_t>(step);
  return at;
}

// Moves `rest` past a field with that key, if it begins with one.
bool match_field(std::uint8_t key, Bytes& rest, Bytes& content) {
  if (rest.empty() || rest[0] != key) return false;
  const std::uint8_t* const end = rest.data() + rest.size();
  std::uint64_t length = 0;
  const std::uint8_t* const at = read_varint(rest.data() + 1, end, length);
  if (at == nullptr || length > static_cast<std::size_t>(end - at)) return false;
  content = {at, static_cast<std::size_t>(length)};
  rest = {at + length, end};
  return true;
}

// One field with that key and nothing after it.
bool match_last_field(std::uint8_t key, Bytes rest, Bytes& content) {
  return match_field(key, rest, content) && rest.empty();
}

// A float without dimensions, its four bytes in the content, packed or plain.
bool match_float(Bytes tensor, float& out) {
  if (tensor.size() < 7 || tensor[0] != kDtypeKey || tensor[1] != data_type::kFloat) return false;
  out = load<float>(tensor.data() + tensor.size() - 4);
  tensor = tensor.subspan(2, tensor.size() - 6);
  if (tensor.size() >= 2 && tensor[0] == kShapeKey && tensor[1] == 0) tensor = tensor.subspan(2);
  if (tensor.size() == 1) return tensor[0] == kFloatKey;
  return tensor.size() == 2 && (tensor[0] == kContentKey || tensor[0] == kPackedFloatsKey) && tensor[1] == 4;
}

}  // namespace

bool match_plain_scalar(Bytes message, PlainScalar& out) {
  // Wall time, the two lengths, a tag of one letter and the value.
  constexpr std::size_t kMinBytes = 9 + 2 + 2 + 3 + 5;
  constexpr std::size_t kMaxLength = 127;  // lengths of one byte
  if (message.size() < kMinBytes) return false;
  const std::uint8_t* const end = message.data() + message.size();
  const std::uint8_t* const at = match_head(message.data(), end, out);
  if (at == nullptr) return false;
  const auto left = static_cast<std::size_t>(end - at);
  if (left < 12 || left > kMaxLength || at[0] != kSummaryKey || at[1] != left - 2 || at[2] != kValueKey ||
      at[3] != left - 4 || at[4] != kTagKey || at[5] != left - 11 || end[-5] != kSimpleValueKey) {
    return false;
  }
  out.tag = {at + 6, left - 11};
  out.value = load<float>(end - 4);
  return true;
}

bool match_plain_tensor(Bytes message, PlainTensor& out) {
  if (message.size() < 10) return false;
  const std::uint8_t* const end = message.data() + message.size();
  const std::uint8_t* const at = match_head(message.data(), end, out);
  Bytes summary, value, tensor;
  if (at == nullptr || !match_last_field(kSummaryKey, {at, end}, summary) ||
      !match_last_field(kValueKey, summary, value) || !match_field(kTagKey, value, out.tag) ||
      out.tag.size() > kMaxNameBytes || !match_field(kTensorKey, value, tensor) || !match_float(tensor, out.value)) {
    return false;
  }
  out.metadata = {};
  return value.empty() || match_last_field(kMetadataKey, value, out.metadata);
}

}  // namespace seamark
