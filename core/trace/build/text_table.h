// Distinct texts with a number each, in order of appearance.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scan/tags.h"

namespace seamark {

inline Bytes bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

// Owns the texts. Two entries may have the same text if their labels differ.
class TextTable {
 public:
  // kNone if the table is full: it stores at most `max_entries` texts of `max_bytes` bytes.
  std::uint32_t find_or_add(std::string_view text, std::uint32_t label = 0);
  std::string_view text(std::uint32_t index) const {
    return std::string_view(arena_).substr(starts_[index], starts_[index + 1] - starts_[index]);
  }
  std::uint32_t label(std::uint32_t index) const { return labels_[index]; }
  std::size_t size() const { return labels_.size(); }
  void limit(std::size_t max_entries, std::size_t max_bytes) {
    max_entries_ = max_entries;
    max_bytes_ = max_bytes;
  }

 private:
  std::size_t slot_of(std::string_view text, std::uint32_t label, std::uint64_t hash) const;
  void grow();

  std::string arena_;
  std::vector<std::size_t> starts_ = {0};
  std::vector<std::uint32_t> labels_;
  std::vector<std::uint64_t> hashes_;
  std::vector<std::uint32_t> slots_;  // open addressing, a power of two, at most half full
  std::size_t max_entries_ = std::size_t{1} << 20, max_bytes_ = std::size_t{256} << 20;
};

}  // namespace seamark
