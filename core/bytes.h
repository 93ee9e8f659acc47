// Views of raw bytes, unaligned little-endian loads and stores, and owned blocks of memory.
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

// Uninitialised memory aligned to 8 bytes; its owner writes every byte. An array of unsigned char, because columns of
// any type are built in it: only such an array may provide storage for objects of other types.
struct Block {
  std::unique_ptr<std::uint8_t[]> memory;
  std::size_t size = 0;

  static Block of(std::size_t size) { return {std::make_unique_for_overwrite<std::uint8_t[]>(size), size}; }
  std::uint8_t* data() { return memory.get(); }
  Bytes bytes() const { return {memory.get(), size}; }
};
static_assert(__STDCPP_DEFAULT_NEW_ALIGNMENT__ >= 8);

}  // namespace seamark
