// The tags of one file, and the series of each.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "format/event.h"

namespace seamark {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

struct Tag {
  std::vector<std::uint8_t> name;
  std::vector<std::uint8_t> metadata;  // of the first value that opened a series and had some
  bool scalar = false;                 // whether that metadata makes tensors scalars
  std::uint32_t predicted_next = 0;    // the tag that followed this one last time
  std::array<std::uint32_t, kForms> series;

  explicit Tag(Bytes text) : name(text.begin(), text.end()) { series.fill(kNone); }
};

struct HashKey {
  std::uint64_t first, second;
};
std::uint64_t hash_of(Bytes name, const HashKey& key);
// Random for each process: with a known key, a file could hold names that all collide.
const HashKey& process_key();

class TagTable {
 public:
  // Writers log their tags in the same order at every step, so this first compares the tag that followed last time,
  // which is cheaper than a hash.
  std::uint32_t find_or_add(Bytes name) {
    if (last_ != kNone) {
      const std::uint32_t guess = tags_[last_].predicted_next;
      if (same_bytes(name, tags_[guess].name)) [[likely]] {
        last_ = guess;
        return guess;
      }
    }
    return find_by_hash(name);
  }

  Tag& operator[](std::uint32_t index) { return tags_[index]; }

 private:
  std::uint32_t find_by_hash(Bytes name);
  std::size_t slot_of(Bytes name, std::uint64_t hash) const;
  void grow();

  std::vector<Tag> tags_;
  std::vector<std::uint64_t> hashes_;
  std::vector<std::uint32_t> slots_;  // open addressing, a power of two, at most half full
  std::uint32_t last_ = kNone;
};

}  // namespace seamark
