#include "scan/tags.h"

#include <random>

namespace seamark {

const HashKey& process_key() {
  static const HashKey key = [] {
    std::random_device random;
    const auto word = [&random] { return std::uint64_t{random()} << 32U | random(); };
    const std::uint64_t first = word();
    return HashKey{first, word()};
  }();
  return key;
}

namespace {

struct SipState {
  std::uint64_t a, b, c, d;

  void round() {
    a += b;
    b = std::rotl(b, 13) ^ a;
    a = std::rotl(a, 32);
    c += d;
    d = std::rotl(d, 16) ^ c;
    a += d;
    d = std::rotl(d, 21) ^ a;
    c += b;
    b = std::rotl(b, 17) ^ c;
    c = std::rotl(c, 32);
  }

  void absorb(std::uint64_t word) {
    d ^= word;
    round();
    a ^= word;
  }
};

}  // namespace

// SipHash-1-3 of Aumasson and Bernstein.
std::uint64_t hash_of(Bytes name, const HashKey& key) {
  SipState state{key.first ^ 0x736f6d6570736575U, key.second ^ 0x646f72616e646f6dU, key.first ^ 0x6c7967656e657261U,
                 key.second ^ 0x7465646279746573U};
  std::size_t at = 0;
  for (; at + 8 <= name.size(); at += 8) state.absorb(load<std::uint64_t>(name.data() + at));
  std::uint64_t tail = 0;
  if (at < name.size()) std::memcpy(&tail, name.data() + at, name.size() - at);
  state.absorb(tail | std::uint64_t{name.size()} << 56U);
  state.c ^= 0xffU;
  for (int i = 0; i < 3; ++i) state.round();
  return state.a ^ state.b ^ state.c ^ state.d;
}

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
  const std::uint64_t hash = hash_of(name, process_key());
  std::uint32_t& slot = slots_[slot_of(name, hash)];
  if (slot == kNone) {
    slot = static_cast<std::uint32_t>(tags_.size());
    tags_.emplace_back(name);
    hashes_.push_back(hash);
  }
  if (last_ != kNone) tags_[last_].predicted_next = slot;
  last_ = slot;
  return slot;
}

void TagTable::grow() {
  slots_.assign(slots_.empty() ? 16 : slots_.size() * 2, kNone);
  for (std::uint32_t index = 0; index < tags_.size(); ++index)
    slots_[slot_of(tags_[index].name, hashes_[index])] = index;
}

}  // namespace seamark
