// CRC-32C (Castagnoli), the checksum of TFRecords and of our own stripes.
#pragma once

#include "bytes.h"

namespace seamark {

// `crc` is the checksum of the bytes before `data`, for a checksum in several steps.
std::uint32_t crc32c(Bytes data, std::uint32_t crc = 0);

// TFRecords store a rotated checksum, because a checksum over data that holds its own checksum is weak.
inline std::uint32_t mask_crc(std::uint32_t crc) { return std::rotr(crc, 15) + 0xa282ead8U; }
inline std::uint32_t masked_crc32c(Bytes data) { return mask_crc(crc32c(data)); }

// "sse4.2", "armv8" or "software", depending on the processor.
const char* crc32c_backend();

// The implementation for processors without the instruction; on the others, tests compare the two.
std::uint32_t crc32c_software(Bytes data, std::uint32_t crc = 0);

}  // namespace seamark
