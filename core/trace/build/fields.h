// The numbers among the arguments of slices and instants that analyses need, as sparse columns.
#pragma once

#include <array>
#include <stdexcept>
#include <string_view>

#include "trace/build/chunked.h"

namespace seamark {

// The names as they are in files. Readers of other formats use these where the meaning is the same.
inline constexpr std::array kFieldNames = std::to_array<std::string_view>({
    "correlation",
    "External id",
    "bytes",
    "Bytes",
    "Python id",
    "Python parent id",
    "Sequence number",
    "Fwd thread id",
    "est. achieved occupancy %",
    "blocks per SM",
    "registers per thread",
    "shared memory",
    "Total Allocated",
    "Total Reserved",
    "Addr",
    "Device Type",
    "Device Id",
    "flops",
    "bytes_accessed",
    "step_num",
    "_r",
    "In msg nelems",
    "Out msg nelems",
    "Group size",
    "wait_on_cuda_event_record_corr_id",
});
inline constexpr std::size_t kFields = kFieldNames.size();
inline constexpr std::size_t kNoField = kFields;

// The index in kFieldNames, or kNoField. "external id", as some versions of torch write it, is "External id".
std::size_t find_field(std::string_view name);

// The index of a name that is known when compiling.
consteval std::size_t field_index(std::string_view name) {
  for (std::size_t field = 0; field < kFields; ++field) {
    if (kFieldNames[field] == name) return field;
  }
  throw std::invalid_argument("no field of a trace");
}

// Values of some items. Integers of 32 bits take 8 bytes with their item, other numbers 12.
class SparseColumn {
 public:
  void add(std::uint32_t item, std::int64_t value);
  void add(std::uint32_t item, double value);

  std::size_t size() const { return items_.size(); }
  std::uint32_t item(std::size_t index) const { return items_[index]; }
  bool is_real() const { return is_real_; }
  std::int64_t integer(std::size_t index) const;
  double real(std::size_t index) const { return std::bit_cast<double>(integer(index)); }

 private:
  static constexpr std::size_t kBits = 12, kMask = (std::size_t{1} << kBits) - 1;
  struct Block {
    std::unique_ptr<std::int32_t[]> narrow;
    std::unique_ptr<std::int64_t[]> wide;  // if a value needs it; of a real column, the bits of doubles
  };

  std::size_t place(std::uint32_t item);
  void put(std::size_t index, std::int64_t value);
  static void widen(Block& block);
  void become_real();

  Chunked<std::uint32_t> items_;
  std::vector<Block> blocks_;
  bool is_real_ = false;
};

}  // namespace seamark
