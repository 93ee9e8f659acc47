// Any bytes as a message, its text, an event, metadata and a tensor. The two matchers must agree with the parser.
#include <cstdlib>
#include <string>

#include "format/event.h"
#include "format/hparams.h"
#include "format/message_text.h"
#include "format/tensor.h"
#include "format/text_parse.h"
#include "format/wire.h"

namespace {

using namespace seamark;

void require(bool condition) {
  if (!condition) std::abort();
}

void walk(Bytes message, int depth) {
  Cursor cursor(message);
  Field field;
  while (cursor.next(field)) {
    if (field.type != Wire::Length) continue;
    require(field.bytes.empty() || (field.bytes.data() >= message.data() &&
                                    field.bytes.data() + field.bytes.size() <= message.data() + message.size()));
    if (depth > 0) walk(field.bytes, depth - 1);
  }
}

// The part that both kinds of plain events share.
const Value& only_value(const Event& event, const PlainScalar& plain) {
  require(event.values.size() == 1 && !event.has_content && event.file_version.empty());
  require(event.step == plain.step);
  require(std::bit_cast<std::uint64_t>(event.wall_time) == std::bit_cast<std::uint64_t>(plain.wall_time));
  require(same_bytes(event.values[0].tag, plain.tag));
  return event.values[0];
}

void check_plain_scalar(Bytes message, bool is_event, const Event& event) {
  PlainScalar plain{};
  if (!match_plain_scalar(message, plain)) return;
  require(is_event);
  const Value& value = only_value(event, plain);
  require(value.form == Form::Scalar && value.metadata.empty());
  require(std::bit_cast<std::uint32_t>(value.simple) == std::bit_cast<std::uint32_t>(plain.value));
}

void check_plain_tensor(Bytes message, bool is_event, const Event& event) {
  PlainTensor plain{};
  if (!match_plain_tensor(message, plain)) return;
  // The matcher does not look into metadata: the scanner takes only metadata that the parser has accepted before.
  if (!metadata_well_formed(plain.metadata)) return;
  require(is_event);
  const Value& value = only_value(event, plain);
  require(value.form == Form::Tensor && same_bytes(value.metadata, plain.metadata));
  double number = 0;
  require(read_number(value.tensor, number));
  require(std::bit_cast<std::uint64_t>(number) == std::bit_cast<std::uint64_t>(static_cast<double>(plain.value)));
}

// A message with a field of each type, a list of each, and maps; it contains itself.
MessageText every_type() {
  TextSchema schema{{{}}, {{{0, "ZERO"}, {5, "FIVE"}}}};
  std::uint32_t number = 1;
  for (int type = 1; type <= 18; ++type) {
    if (type == 10) continue;  // a group
    for (const bool is_repeated : {false, true}) {
      const std::string name = "f" + std::to_string(number);
      schema.messages[0].push_back({number++, name, field_type_of(type), 0, is_repeated});
    }
  }
  for (const FieldType key : {FieldType::String, FieldType::Sint32, FieldType::Fixed64}) {
    const std::string name = "f" + std::to_string(number);
    schema.messages[0].push_back({number++, name, FieldType::Message, schema.messages.size(), true, true});
    schema.messages.push_back({{1, "key", key}, {2, "value", FieldType::Message}});
  }
  return MessageText(schema);
}

void check_text(Bytes message) {
  static const MessageText formatter = every_type();
  const Result<std::string> text = formatter.format(message);
  require(!text || text->empty() || text->back() == '\n');
  const Result<std::vector<std::uint8_t>> parsed = parse_text(message, formatter.schema());
  require(!parsed || well_formed(*parsed));
  // What was formatted can be parsed.
  if (!text) return;
  const Result<std::vector<std::uint8_t>> again =
      parse_text({reinterpret_cast<const std::uint8_t*>(text->data()), text->size()}, formatter.schema());
  require(again.operator bool());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Bytes message(data, size);
  walk(message, 4);
  check_text(message);
  Tensor tensor;
  double number = 0;
  if (read_tensor(message, tensor)) read_number(tensor, number);
  is_scalar_metadata(message);
  Bytes plugin_name;
  if (read_plugin_name(message, plugin_name)) require(metadata_well_formed(message));
  std::string names;
  read_hparam_names(message, names);
  EventParser parser;
  const bool is_event = parser.parse(message);
  check_plain_scalar(message, is_event, parser.event());
  check_plain_tensor(message, is_event, parser.event());
  return 0;
}
