// Any bytes as a message, an event, metadata and a tensor.
#include <cstdlib>

#include "../event.h"
#include "../tensor.h"
#include "../wire.h"

namespace {

void walk(seamark::Bytes message, int depth) {
  seamark::Cursor cursor(message);
  seamark::Field field;
  while (cursor.next(field)) {
    const bool inside = field.bytes.empty() || (field.bytes.data() >= message.data() &&
                                                field.bytes.data() + field.bytes.size() <= message.data() + message.size());
    if (field.type == seamark::Wire::Length && !inside) std::abort();
    if (field.type == seamark::Wire::Length && depth > 0) walk(field.bytes, depth - 1);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace seamark;
  const Bytes message(data, size);
  walk(message, 4);
  Tensor tensor;
  double number = 0;
  if (read_tensor(message, tensor)) read_number(tensor, number);
  says_scalar(message);
  EventParser parser;
  const bool event = parser.parse(message);
  // The short cut must see exactly what the parser sees.
  PlainScalar plain{};
  if (match_plain_scalar(message, plain)) {
    if (!event || parser.event().values.size() != 1) std::abort();
    const Value& value = parser.event().values[0];
    if (value.form != Form::Scalar || !same_bytes(value.tag, plain.tag) || parser.event().step != plain.step) std::abort();
    if (!value.metadata.empty()) std::abort();
  }
  return 0;
}
