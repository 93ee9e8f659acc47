#include "trace/build/fields.h"

namespace seamark {

namespace {

constexpr std::size_t kSlots = 256;

constexpr std::size_t slot_of(std::string_view name) {
  const auto at = [&](std::size_t index) { return static_cast<std::size_t>(static_cast<unsigned char>(name[index])); };
  return (at(0) * 7 + at(name.size() - 1) * 31 + name.size() * 57) % kSlots;
}

constexpr std::array<std::uint8_t, kSlots> make_slots() {
  std::array<std::uint8_t, kSlots> slots{};
  slots.fill(kNoField);
  for (std::size_t field = 0; field < kFields; ++field) {
    std::size_t slot = slot_of(kFieldNames[field]);
    while (slots[slot] != kNoField) slot = (slot + 1) % kSlots;
    slots[slot] = static_cast<std::uint8_t>(field);
  }
  return slots;
}
static_assert(kFields < kSlots / 2);

constexpr std::array<std::uint8_t, kSlots> kSlotFields = make_slots();

}  // namespace

std::size_t find_field(std::string_view name) {
  if (name.empty()) return kNoField;
  for (std::size_t slot = slot_of(name); kSlotFields[slot] != kNoField; slot = (slot + 1) % kSlots) {
    if (kFieldNames[kSlotFields[slot]] == name) return kSlotFields[slot];
  }
  return name == "external id" ? find_field("External id") : kNoField;
}

void SparseColumn::add(std::uint32_t item, std::int64_t value) {
  put(place(item), is_real_ ? std::bit_cast<std::int64_t>(static_cast<double>(value)) : value);
}

void SparseColumn::add(std::uint32_t item, double value) {
  if (!is_real_) become_real();
  put(place(item), std::bit_cast<std::int64_t>(value));
}

std::int64_t SparseColumn::integer(std::size_t index) const {
  const Block& block = blocks_[index >> kBits];
  return block.wide ? block.wide[index & kMask] : block.narrow[index & kMask];
}

// An argument that is there twice: the last one counts.
std::size_t SparseColumn::place(std::uint32_t item) {
  if (items_.size() > 0 && items_.back() == item) return items_.size() - 1;
  items_.push_back(item);
  return items_.size() - 1;
}

void SparseColumn::put(std::size_t index, std::int64_t value) {
  if (index >> kBits == blocks_.size()) {
    blocks_.push_back({std::make_unique<std::int32_t[]>(kMask + 1), nullptr});
  }
  Block& block = blocks_[index >> kBits];
  const auto narrow = static_cast<std::int32_t>(value);
  if (!block.wide && narrow == value) {
    block.narrow[index & kMask] = narrow;
    return;
  }
  if (!block.wide) widen(block);
  block.wide[index & kMask] = value;
}

void SparseColumn::widen(Block& block) {
  block.wide = std::make_unique_for_overwrite<std::int64_t[]>(kMask + 1);
  for (std::size_t i = 0; i <= kMask; ++i) block.wide[i] = block.narrow[i];
  block.narrow.reset();
}

void SparseColumn::become_real() {
  is_real_ = true;
  for (std::size_t index = 0; index < items_.size(); ++index) {
    put(index, std::bit_cast<std::int64_t>(static_cast<double>(integer(index))));
  }
}

}  // namespace seamark
