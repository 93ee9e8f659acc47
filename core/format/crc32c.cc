// Uses the processor's own instruction if there is one, slice-by-8 tables otherwise.
#include "format/crc32c.h"

#include <array>

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#define SEAMARK_CRC_X86 1
#include <nmmintrin.h>
// Clang declares the ARM intrinsics only where the target has them anyway, GCC also for single functions.
#elif defined(__aarch64__) && (defined(__linux__) || defined(__APPLE__)) && \
    (defined(__ARM_FEATURE_CRC32) || !defined(__clang__))
#define SEAMARK_CRC_ARM 1
#include <arm_acle.h>
#if defined(__linux__)
#include <sys/auxv.h>
#endif
#endif

namespace seamark {
namespace {

using Table = std::array<std::array<std::uint32_t, 256>, 8>;
constexpr std::uint32_t kPolynomial = 0x82f63b78U;  // reflected Castagnoli

constexpr Table make_slice_tables() {
  Table table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1U) != 0 ? kPolynomial : 0U);
    table[0][byte] = crc;
  }
  for (std::size_t slice = 1; slice < 8; ++slice) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t before = table[slice - 1][byte];
      table[slice][byte] = (before >> 8) ^ table[0][before & 0xffU];
    }
  }
  return table;
}

constexpr Table kSlices = make_slice_tables();

#if defined(SEAMARK_CRC_X86) || defined(SEAMARK_CRC_ARM)

// The instruction takes three cycles but one may start every cycle: three streams side by side triple the speed of
// long inputs. Joining them means extending a checksum by N bytes of zeros, which is linear: a table per input byte.
using Shift = std::array<std::array<std::uint32_t, 256>, 4>;

constexpr std::uint32_t after_zeros(std::uint32_t crc, std::size_t zeros) {
  for (std::size_t i = 0; i < zeros; ++i) crc = (crc >> 8) ^ kSlices[0][crc & 0xffU];
  return crc;
}

constexpr Shift make_shift(const std::array<std::uint32_t, 32>& of_bit) {
  Shift shift{};
  for (std::size_t part = 0; part < 4; ++part) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      for (std::size_t bit = 0; bit < 8; ++bit) {
        if (((byte >> bit) & 1U) != 0) shift[part][byte] ^= of_bit[part * 8 + bit];
      }
    }
  }
  return shift;
}

constexpr std::size_t kShortStream = 256;
constexpr std::size_t kLongStream = 8192;

constexpr std::uint32_t apply(const Shift& shift, std::uint32_t crc) {
  return shift[0][crc & 0xffU] ^ shift[1][(crc >> 8) & 0xffU] ^ shift[2][(crc >> 16) & 0xffU] ^ shift[3][crc >> 24];
}

constexpr Shift make_short_shift() {
  std::array<std::uint32_t, 32> of_bit{};
  for (std::size_t bit = 0; bit < 32; ++bit) of_bit[bit] = after_zeros(1U << bit, kShortStream);
  return make_shift(of_bit);
}

constexpr Shift kShortShift = make_short_shift();

constexpr Shift make_long_shift() {
  std::array<std::uint32_t, 32> of_bit{};
  for (std::size_t bit = 0; bit < 32; ++bit) {
    std::uint32_t crc = 1U << bit;
    for (std::size_t i = 0; i < kLongStream / kShortStream; ++i) crc = apply(kShortShift, crc);
    of_bit[bit] = crc;
  }
  return make_shift(of_bit);
}

constexpr Shift kLongShift = make_long_shift();

#if defined(SEAMARK_CRC_X86)
#define SEAMARK_CRC_TARGET __attribute__((target("sse4.2")))
SEAMARK_CRC_TARGET inline std::uint32_t step8(std::uint32_t crc, std::uint64_t word) {
  return static_cast<std::uint32_t>(_mm_crc32_u64(crc, word));
}
SEAMARK_CRC_TARGET inline std::uint32_t step4(std::uint32_t crc, std::uint32_t word) {
  return _mm_crc32_u32(crc, word);
}
SEAMARK_CRC_TARGET inline std::uint32_t step1(std::uint32_t crc, std::uint8_t byte) { return _mm_crc32_u8(crc, byte); }
bool has_instruction() {
  __builtin_cpu_init();
  return __builtin_cpu_supports("sse4.2") != 0;
}
constexpr const char* kHardwareName = "sse4.2";
#else
#define SEAMARK_CRC_TARGET __attribute__((target("+crc")))
SEAMARK_CRC_TARGET inline std::uint32_t step8(std::uint32_t crc, std::uint64_t word) { return __crc32cd(crc, word); }
SEAMARK_CRC_TARGET inline std::uint32_t step4(std::uint32_t crc, std::uint32_t word) { return __crc32cw(crc, word); }
SEAMARK_CRC_TARGET inline std::uint32_t step1(std::uint32_t crc, std::uint8_t byte) { return __crc32cb(crc, byte); }
bool has_instruction() {
#if defined(__linux__)
  return (getauxval(AT_HWCAP) & (1UL << 7)) != 0;  // HWCAP_CRC32
#else
  return true;  // every Apple processor of this architecture has it
#endif
}
constexpr const char* kHardwareName = "armv8";
#endif

SEAMARK_CRC_TARGET const std::uint8_t* three_streams(const std::uint8_t* at, std::size_t stream, const Shift& shift,
                                                     std::uint32_t& crc) {
  std::uint32_t a = crc;
  std::uint32_t b = 0;
  std::uint32_t c = 0;
  for (std::size_t i = 0; i < stream; i += 8) {
    a = step8(a, load<std::uint64_t>(at + i));
    b = step8(b, load<std::uint64_t>(at + stream + i));
    c = step8(c, load<std::uint64_t>(at + 2 * stream + i));
  }
  crc = apply(shift, apply(shift, a) ^ b) ^ c;
  return at + 3 * stream;
}

SEAMARK_CRC_TARGET std::uint32_t crc32c_hardware(Bytes data, std::uint32_t before) {
  std::uint32_t crc = ~before;
  const std::uint8_t* at = data.data();
  std::size_t left = data.size();
  for (; left >= 3 * kLongStream; left -= 3 * kLongStream) at = three_streams(at, kLongStream, kLongShift, crc);
  for (; left >= 3 * kShortStream; left -= 3 * kShortStream) at = three_streams(at, kShortStream, kShortShift, crc);
  for (; left >= 8; left -= 8, at += 8) crc = step8(crc, load<std::uint64_t>(at));
  if ((left & 4U) != 0) {
    crc = step4(crc, load<std::uint32_t>(at));
    at += 4;
  }
  for (left &= 3U; left > 0; --left, ++at) crc = step1(crc, *at);
  return ~crc;
}

#endif

using Function = std::uint32_t (*)(Bytes, std::uint32_t);

struct Backend {
  Function function;
  const char* name;
};

Backend choose_backend() {
#if defined(SEAMARK_CRC_X86) || defined(SEAMARK_CRC_ARM)
  if (has_instruction()) return {crc32c_hardware, kHardwareName};
#endif
  return {crc32c_software, "software"};
}

const Backend kBackend = choose_backend();

}  // namespace

std::uint32_t crc32c_software(Bytes data, std::uint32_t before) {
  std::uint32_t crc = ~before;
  const std::uint8_t* at = data.data();
  std::size_t left = data.size();
  for (; left >= 8; left -= 8, at += 8) {
    const std::uint64_t word = load<std::uint64_t>(at) ^ crc;
    crc = 0;
    for (std::size_t i = 0; i < 8; ++i) crc ^= kSlices[7 - i][(word >> (8 * i)) & 0xffU];
  }
  for (; left > 0; --left, ++at) crc = (crc >> 8) ^ kSlices[0][(crc ^ *at) & 0xffU];
  return ~crc;
}

std::uint32_t crc32c(Bytes data, std::uint32_t crc) { return kBackend.function(data, crc); }

const char* crc32c_backend() { return kBackend.name; }

}  // namespace seamark
