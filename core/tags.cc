#include "tags.h"

namespace seamark {
namespace {

std::uint64_t mix(std::uint64_t hash) {
  hash ^= hash >> 32;
  hash *= 0x9e3779b97f4a7c15U;
  return hash ^ (hash >> 29);
}

std::uint64_t hash_of(Bytes name) {
  std::uint64_t hash = name.size() + 1;
  std::size_t at = 0;
  for (; at + 8 <= name.size(); at += 8) hash = mix(hash ^ load<std::uint64_t>(name.data() + at));
  std::uint64_t tail = 0;
  if (at < name.size()) std::memcpy(&tail, name.data() + at, name.size() - at);
  return mix(mix(hash ^ tail));
}

}  // namespace

std::size_t TagTable::slot_of(Bytes name, std::uint64_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash & mask;
  while (slots_[slot] != kNone && (hashes_[slots_[slot]] != hash || !same_bytes(tags_[slots_[slot]].name, name))) {
    slot = (slot + 1) & mask;
  }
  return slot;
}

std::uint32_t TagTable::find_by_hash(Bytes name) {
  if (tags_.size() * 2 >= slots_.size()) grow();
  const std::uint64_t hash = hash_of(name);
  std::uint32_t& slot = slots_[slot_of(name, hash)];
  if (slot == kNone) {
    slot = static_cast<std::uint32_t>(tags_.size());
    tags_.emplace_back(name);
    hashes_.push_back(hash);
  }
  if (last_ != kNone) tags_[last_].follower = slot;
  last_ = slot;
  return slot;
}

void TagTable::grow() {
  slots_.assign(slots_.empty() ? 16 : slots_.size() * 2, kNone);
  for (std::uint32_t index = 0; index < tags_.size(); ++index) slots_[slot_of(tags_[index].name, hashes_[index])] = index;
}

}  // namespace seamark
