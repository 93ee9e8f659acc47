#include "trace/read/xplane_stats.h"

#include <charconv>

namespace seamark {
namespace {

struct NamedRole {
  std::string_view name;
  StatRole role;
  std::string_view field;
};

// Fields have the names that torch gives to the same thing.
constexpr std::array kRoles = std::to_array<NamedRole>({
    {"_pt", StatRole::ProducerType, {}},
    {"_p", StatRole::Producer, {}},
    {"_ct", StatRole::ConsumerType, {}},
    {"_c", StatRole::Consumer, {}},
    {"correlation_id", StatRole::Correlation, "correlation"},
    {"kernel_details", StatRole::KernelDetails, {}},
    {"memcpy_details", StatRole::MemcpyDetails, {}},
    {"memset_details", StatRole::MemsetDetails, {}},
    {"hlo_op", StatRole::HloOp, {}},
    {"allocator_name", StatRole::Allocator, {}},
    {"allocation_bytes", StatRole::AllocationBytes, {}},
    {"bytes_allocated", StatRole::BytesAllocated, {}},
    {"addr", StatRole::Address, {}},
});

// Calls `use` with each key and value of "key:value key:value".
template <class Use>
void for_each_detail(std::string_view text, Use use) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(" \n"), text.size());
    const std::string_view part = text.substr(0, end);
    const std::size_t colon = part.find(':');
    if (colon != std::string_view::npos) use(part.substr(0, colon), part.substr(colon + 1));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

template <class T>
std::optional<T> number_of(std::string_view text) {
  T value{};
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  return result.ec == std::errc{} ? std::optional<T>(value) : std::nullopt;
}

// Of "80,1,1"
std::int64_t product_of(std::string_view text) {
  std::int64_t product = 1;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    const std::int64_t factor = number_of<std::uint32_t>(text.substr(0, end)).value_or(0);
    if (__builtin_mul_overflow(product, factor, &product)) return 0;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return product;
}

}  // namespace

StatUse use_of_stat(std::string_view name) {
  for (const NamedRole& entry : kRoles) {
    if (entry.name != name) continue;
    return {entry.role, static_cast<std::uint8_t>(entry.field.empty() ? kNoField : find_field(entry.field))};
  }
  const std::size_t field = find_field(name);
  return field == kNoField ? StatUse{} : StatUse{StatRole::Field, static_cast<std::uint8_t>(field)};
}

KernelDetails parse_kernel_details(std::string_view text) {
  KernelDetails details;
  for_each_detail(text, [&](std::string_view key, std::string_view value) {
    if (key == "regs") details.registers = number_of<std::uint32_t>(value).value_or(0);
    if (key == "static_shared" || key == "dynamic_shared") {
      details.shared_bytes += number_of<std::uint32_t>(value).value_or(0);
    }
    if (key == "grid") details.blocks = product_of(value);
    if (key == "occ_pct") details.occupancy_percent = number_of<double>(value);
  });
  return details;
}

std::optional<std::int64_t> parse_copy_bytes(std::string_view text) {
  std::optional<std::int64_t> bytes;
  for_each_detail(text, [&](std::string_view key, std::string_view value) {
    if (key == "size") bytes = number_of<std::int64_t>(value);
  });
  return bytes;
}

}  // namespace seamark
