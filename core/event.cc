#include "event.h"

#include <stdexcept>
#include <string>
#include <string_view>

#include "wire.h"

namespace seamark {
namespace {

enum EventField : std::uint32_t {
  kWallTime = 1, kStep = 2, kFileVersion = 3, kGraphDef = 4, kSummary = 5, kLogMessage = 6, kSessionLog = 7,
  kRunMetadata = 8, kMetaGraphDef = 9, kSourceMetadata = 10,
};

enum ValueField : std::uint32_t {
  kTag = 1, kSimpleValue = 2, kOldHisto = 3, kImage = 4, kHisto = 5, kAudio = 6, kNodeName = 7, kTensor = 8,
  kMetadata = 9,
};

// What a few bytes of a message may cost: an empty value takes two and a hundred in memory, and parts of one message
// are copied again with every further part.
constexpr std::size_t kMaxValues = 1U << 20U;
constexpr std::size_t kMaxNameBytes = 1U << 20U;
constexpr std::size_t kMaxMetadataBytes = 16U << 20U;
constexpr std::size_t kMaxJoinedBytes = 32U << 20U;

// The first field of that number, as text; malformed when the message is.
bool read_text(Bytes message, std::uint32_t number, Bytes& out) {
  Cursor cursor(message);
  Field field;
  while (cursor.next(field)) {
    if (field.is(number, Wire::Length)) out = field.bytes;
  }
  return cursor.ok();
}

bool histogram_well_formed(Bytes histogram) {
  Cursor cursor(histogram);
  Field field;
  while (cursor.next(field)) {
    const bool packed = field.is(6, Wire::Length) || field.is(7, Wire::Length);
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
  event_.source_writer = {};
  joined_.clear();
  joined_bytes_ = 0;
  clear_one_of();
  Cursor cursor(message);
  Field field;
  while (cursor.next(field)) {
    if (field.is(kWallTime, Wire::Fixed64)) {
      event_.wall_time = field.as_double();
    } else if (field.is(kStep, Wire::Varint)) {
      event_.step = static_cast<std::int64_t>(field.value);
    } else if (field.type == Wire::Length && !parse_field(field.number, field.bytes)) {
      return false;
    }
  }
  return cursor.ok();
}

// The fields below are one-of: a later one replaces an earlier one, except that messages of one kind merge, which for
// a summary means that its values add up.
bool EventParser::parse_field(std::uint32_t number, Bytes content) {
  switch (number) {
    case kSummary:
      return parse_summary(content);
    case kFileVersion:
      clear_one_of();
      event_.file_version = content;
      return true;
    case kGraphDef:
      return parse_content(Form::GraphDef, content);
    case kMetaGraphDef:
      return parse_content(Form::MetaGraphDef, content);
    case kLogMessage:
      return parse_content(Form::LogMessage, content) && well_formed(content);
    case kSessionLog:
      return parse_content(Form::SessionLog, content) && well_formed(content);
    case kRunMetadata:
      return parse_content(Form::RunMetadata, content) && read_text(content, 1, event_.content_tag) &&
             event_.content_tag.size() <= kMaxNameBytes;
    case kSourceMetadata:
      return read_text(content, 1, event_.source_writer);
    default:
      return true;
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
    if (!field.is(1, Wire::Length)) continue;
    if (event_.values.size() >= kMaxValues || !parse_value(field.bytes, event_.values.emplace_back())) return false;
  }
  return cursor.ok();
}

bool EventParser::parse_value(Bytes message, Value& out) {
  out.message = message;
  Cursor cursor(message);
  Field field;
  while (cursor.next(field)) {
    if (field.is(kSimpleValue, Wire::Fixed32)) {
      out.simple = field.as_float();
      out.form = Form::Scalar;
    }
    if (field.type != Wire::Length) continue;
    switch (field.number) {
      case kTag:
        out.tag = field.bytes;
        break;
      case kNodeName:
        out.node_name = field.bytes;
        break;
      case kMetadata:
        if (!sound_metadata(field.bytes)) return false;
        out.metadata = join(out.metadata, field.bytes);
        break;
      case kTensor:
        if (!parse_tensor(field.bytes, out)) return false;
        break;
      case kImage:
        if (!well_formed(field.bytes)) return false;
        out.form = Form::Image;
        break;
      case kAudio:
        if (!well_formed(field.bytes)) return false;
        out.form = Form::Audio;
        break;
      case kHisto:
        if (!histogram_well_formed(field.bytes)) return false;
        out.form = Form::Histo;
        break;
      case kOldHisto:
        out.form = Form::OldHisto;
        break;
      default:
        break;
    }
  }
  return cursor.ok() && out.tag.size() <= kMaxNameBytes && out.node_name.size() <= kMaxNameBytes &&
         out.metadata.size() <= kMaxMetadataBytes && joined_bytes_ <= kMaxJoinedBytes;
}

bool EventParser::parse_tensor(Bytes tensor, Value& out) {
  // Each part must be sound by itself before the two are taken as one.
  const Bytes before = out.form == Form::Tensor ? out.tensor.message : Bytes{};
  out.form = Form::Tensor;
  return read_tensor(tensor, out.tensor) && (before.empty() || read_tensor(join(before, tensor), out.tensor));
}

bool EventParser::sound_metadata(Bytes metadata) {
  if (same_bytes(metadata, sound_)) return true;
  if (!metadata_well_formed(metadata)) return false;
  sound_.assign(metadata.begin(), metadata.end());
  return true;
}

// Two messages one behind the other are, to protobuf, the two merged.
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
    if (field.is(1, Wire::Length) && !well_formed(field.bytes)) return false;
  }
  return cursor.ok();
}

bool says_scalar(Bytes metadata) {
  constexpr std::string_view kScalars = "scalars";
  Cursor cursor(metadata);
  Field field;
  Bytes plugin;
  std::uint64_t data_class = 0;
  while (cursor.next(field)) {
    if (field.is(1, Wire::Length)) read_text(field.bytes, 1, plugin);
    if (field.is(4, Wire::Varint)) data_class = field.value;
  }
  return data_class == 1 || std::string_view(reinterpret_cast<const char*>(plugin.data()), plugin.size()) == kScalars;
}

namespace {

// Wall time and step, in this order; returns the byte after them, or nullptr when there is something else.
const std::uint8_t* match_head(const std::uint8_t* at, const std::uint8_t* end, PlainScalar& out) {
  if (*at != 0x09) return nullptr;
  out.wall_time = load<double>(at + 1);
  at += 9;
  std::uint64_t step = 0;
  if (*at == 0x10) at = read_varint(at + 1, end, step);
  out.step = static_cast<std::int64_t>(step);
  return at;
}

// Moves `rest` past a field of that key, if it begins with one.
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

// The only field left, and nothing behind it.
bool match_last_field(std::uint8_t key, Bytes rest, Bytes& content) {
  return match_field(key, rest, content) && rest.empty();
}

// A float, no dimensions, and its four bytes raw, packed or plain.
bool match_float(Bytes tensor, float& out) {
  if (tensor.size() < 7 || tensor[0] != 0x08 || tensor[1] != 1) return false;
  out = load<float>(tensor.data() + tensor.size() - 4);
  tensor = tensor.subspan(2, tensor.size() - 6);
  if (tensor.size() >= 2 && tensor[0] == 0x12 && tensor[1] == 0) tensor = tensor.subspan(2);
  if (tensor.size() == 1) return tensor[0] == 0x2d;
  return tensor.size() == 2 && (tensor[0] == 0x22 || tensor[0] == 0x2a) && tensor[1] == 4;
}

}  // namespace

bool match_plain_scalar(Bytes message, PlainScalar& out) {
  // Nothing shorter than wall time, the two lengths, a one-letter tag and the value can match.
  constexpr std::size_t kShortest = 9 + 2 + 2 + 3 + 5;
  constexpr std::size_t kLongestLength = 127;  // lengths of one byte
  if (message.size() < kShortest) return false;
  const std::uint8_t* const end = message.data() + message.size();
  const std::uint8_t* const at = match_head(message.data(), end, out);
  if (at == nullptr) return false;
  const auto left = static_cast<std::size_t>(end - at);
  if (left < 12 || left > kLongestLength || at[0] != 0x2a || at[1] != left - 2 || at[2] != 0x0a || at[3] != left - 4 ||
      at[4] != 0x0a || at[5] != left - 11 || end[-5] != 0x15) {
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
  if (at == nullptr || !match_last_field(0x2a, {at, end}, summary) || !match_last_field(0x0a, summary, value) ||
      !match_field(0x0a, value, out.tag) || out.tag.size() > kMaxNameBytes || !match_field(0x42, value, tensor) || !match_float(tensor, out.value)) {
    return false;
  }
  out.metadata = {};
  return value.empty() || match_last_field(0x4a, value, out.metadata);
}

}  // namespace seamark
