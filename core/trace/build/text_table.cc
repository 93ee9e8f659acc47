#include "trace/build/text_table.h"

namespace seamark {

std::uint32_t TextTable::find_or_add(std::string_view text, std::uint32_t label) {
  if (labels_.size() * 2 >= slots_.size()) grow();
  const std::uint64_t hash = hash_of(bytes_of(text), process_key()) ^ (label * 0x9e3779b97f4a7c15U);
  std::uint32_t& slot = slots_[slot_of(text, label, hash)];
  if (slot != kNone) return slot;
  if (labels_.size() >= max_entries_ || arena_.size() + text.size() > max_bytes_) return kNone;
  slot = static_cast<std::uint32_t>(labels_.size());
  arena_ += text;
  starts_.push_back(arena_.size());
  labels_.push_back(label);
  hashes_.push_back(hash);
  return slot;
}

std::size_t TextTable::slot_of(std::string_view wanted, std::uint32_t wanted_label, std::uint64_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash & mask;
  for (; slots_[slot] != kNone; slot = (slot + 1) & mask) {
    const std::uint32_t index = slots_[slot];
    if (hashes_[index] == hash && labels_[index] == wanted_label && text(index) == wanted) break;
  }
  return slot;
}

void TextTable::grow() {
  slots_.assign(slots_.empty() ? 64 : slots_.size() * 2, kNone);
  for (std::uint32_t index = 0; index < labels_.size(); ++index)
    slots_[slot_of(text(index), labels_[index], hashes_[index])] = index;
}

}  // namespace seamark
