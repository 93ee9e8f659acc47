#include "format/crc32c.h"

#include "testing/messages.h"
#include "testing/testing.h"

namespace seamark {
using testing::text;

TEST(crc32c_of_known_strings) {
  CHECK(crc32c(text("")) == 0);
  CHECK(crc32c(text("123456789")) == 0xe3069283U);
  CHECK(crc32c(std::vector<std::uint8_t>(32, 0)) == 0x8a9136aaU);
  CHECK(crc32c(std::vector<std::uint8_t>(32, 0xff)) == 0x62a8ab43U);
}

TEST(crc32c_masking_rotates_and_adds) {
  CHECK(mask_crc(0) == 0xa282ead8U);
  CHECK(mask_crc(0x8000U) == 0xa282ead9U);
}

TEST(crc32c_by_hardware_equals_software_at_every_length_and_alignment) {
  std::vector<std::uint8_t> data(3 * 3 * 8192 + 1000);
  std::uint32_t seed = 1;
  for (auto& byte : data) byte = static_cast<std::uint8_t>((seed = seed * 1664525U + 1013904223U) >> 24);
  const Bytes all(data);
  for (std::size_t length = 0; length < 900; ++length) {
    const Bytes part = all.subspan(length % 8, length);
    CHECK(crc32c(part) == crc32c_software(part));
  }
  for (std::size_t start = 0; start < 9; ++start) {
    for (const std::size_t length : {768UL, 769UL, 24576UL, 24577UL, 30000UL, 60000UL, 74000UL}) {
      const Bytes part = all.subspan(start, length);
      CHECK(crc32c(part) == crc32c_software(part));
    }
  }
}

TEST(crc32c_piece_by_piece_equals_all_at_once) {
  const Bytes whole = text("the quick brown fox jumps over the lazy dog");
  for (std::size_t cut = 0; cut <= whole.size(); ++cut) {
    CHECK(crc32c(whole.subspan(cut), crc32c(whole.first(cut))) == crc32c(whole));
    CHECK(crc32c_software(whole.subspan(cut), crc32c_software(whole.first(cut))) == crc32c(whole));
  }
}

}  // namespace seamark
