// Views of raw bytes, and unaligned little-endian loads: what every other file of the core reads with.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <span>

namespace seamark {

// Event files and stripes are little-endian and are read in place.
static_assert(std::endian::native == std::endian::little, "a big-endian host would need byte swaps");
static_assert(std::numeric_limits<double>::is_iec559 && std::numeric_limits<float>::is_iec559);

using Bytes = std::span<const std::uint8_t>;

template <class T>
inline T load(const std::uint8_t* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

template <class T>
inline void store(std::uint8_t* at, T value) {
  std::memcpy(at, &value, sizeof value);
}

inline bool same_bytes(Bytes a, Bytes b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size()) == 0);
}

// An 8-byte aligned block handed over as one piece. Left uninitialised: whoever makes it fills every byte.
struct Block {
  std::unique_ptr<std::uint64_t[]> words;
  std::size_t size = 0;

  static Block of(std::size_t size) { return {std::make_unique_for_overwrite<std::uint64_t[]>((size + 7) / 8), size}; }
  std::uint8_t* data() { return reinterpret_cast<std::uint8_t*>(words.get()); }
  Bytes bytes() const { return {reinterpret_cast<const std::uint8_t*>(words.get()), size}; }
};

}  // namespace seamark
