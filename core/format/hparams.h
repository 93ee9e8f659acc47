// The names of the hyperparameters that a session start logged.
#pragma once

#include <string>

#include "bytes.h"

namespace seamark {

// `metadata` is the SummaryMetadata of a session start. Writes the names in sorted order, each followed by a zero byte.
// False for anything but one plain session start: the caller parses that with protobuf.
bool read_hparam_names(Bytes metadata, std::string& out);

}  // namespace seamark
