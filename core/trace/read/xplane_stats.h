// What the reader does with each stat of an XPlane's events, by the stat's name.
#pragma once

#include <optional>
#include <string_view>

#include "trace/build/fields.h"

namespace seamark {

enum class StatRole : std::uint8_t {
  None,   // only among the arguments
  Field,  // a number that analyses need
  // Two events are linked if the producer's type and id are the consumer's.
  ProducerType,
  Producer,
  ConsumerType,
  Consumer,
  Correlation,
  KernelDetails,
  MemcpyDetails,
  MemsetDetails,
  HloOp,
  // Of MemoryAllocation and MemoryDeallocation
  Allocator,
  AllocationBytes,
  BytesAllocated,
  Address,
};

struct StatUse {
  StatRole role = StatRole::None;
  std::uint8_t field = kNoField;  // of roles that set one
};
StatUse use_of_stat(std::string_view name);

// "regs:32 static_shared:0 dynamic_shared:512 grid:80,1,1 block:256,1,1 occ_pct:50"
struct KernelDetails {
  std::int64_t registers = 0, shared_bytes = 0;
  std::int64_t blocks = 1;
  std::optional<double> occupancy_percent;
};
KernelDetails parse_kernel_details(std::string_view text);

// The size in "kind_src:pinned kind_dst:device size:1024 dest:0 async:1" and in "kind:device size:1024 async:1".
std::optional<std::int64_t> parse_copy_bytes(std::string_view text);

}  // namespace seamark
