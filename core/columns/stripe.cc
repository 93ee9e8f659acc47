// Opens stripes: checks every count and every group before anything is read through them.
#include "columns/stripe.h"

#include <algorithm>
#include <cmath>

#include "format/crc32c.h"

namespace seamark {
namespace {

constexpr std::size_t kCrcStart = offsetof(StripeHeader, total_size);

Error mismatch(const char* what, std::uint64_t got, std::uint64_t want) {
  return {std::string(what) + ": got " + std::to_string(got) + ", want " + std::to_string(want)};
}

OptionalError check_header(Bytes data, StripeHeader& header) {
  if (data.size() < sizeof header)
    return mismatch("stripe is cut off within its header: bytes", data.size(), sizeof header);
  std::memcpy(&header, data.data(), sizeof header);
  if (header.magic != kStripeMagic) return Error{"not a stripe: the first eight bytes are not its magic"};
  if (header.version != kStripeVersion) return mismatch("stripe has another version", header.version, kStripeVersion);
  return std::nullopt;
}

// Adds up sizes; is_valid() is false if one of them is too large for any memory.
class OffsetAccumulator {
 public:
  std::size_t take(std::uint64_t count, std::size_t item) {
    const std::size_t at = at_;
    constexpr std::uint64_t kMax = std::uint64_t{1} << 46;  // far above any memory, far below an overflow
    if (count > kMax / item || at_ > kMax) {
      is_valid_ = false;
    } else {
      at_ += static_cast<std::size_t>(count) * item;
    }
    return at;
  }
  bool is_valid() const { return is_valid_; }

 private:
  std::size_t at_ = 0;
  bool is_valid_ = true;
};

// Whether the ids ascend and the rows fill the columns without gaps.
template <class Group>
bool tiles(std::span<const Group> groups, std::uint64_t rows) {
  std::uint64_t next_row = 0;
  std::uint64_t next_series = 0;
  for (const Group& group : groups) {
    if (group.series < next_series || group.start != next_row || group.count == 0 || group.count > rows - next_row) {
      return false;
    }
    next_row += group.count;
    next_series = std::uint64_t{group.series} + 1;
  }
  return next_row == rows;
}

}  // namespace

std::optional<StripeLayout> StripeLayout::of(const StripeHeader& header) {
  StripeLayout out{};
  OffsetAccumulator offsets;
  offsets.take(1, sizeof(StripeHeader));
  out.scalar_groups = offsets.take(header.scalar_groups, sizeof(ScalarGroup));
  out.payload_groups = offsets.take(header.payload_groups, sizeof(PayloadGroup));
  out.steps = offsets.take(header.scalar_rows, 8);
  out.walls = offsets.take(header.scalar_rows, 8);
  out.values = offsets.take(header.scalar_rows, 8);
  out.payload_steps = offsets.take(header.payload_rows, 8);
  out.payload_walls = offsets.take(header.payload_rows, 8);
  out.payload_offsets = offsets.take(header.payload_rows, 8);
  out.payload_lengths = offsets.take(header.payload_rows, 8);
  out.cells = offsets.take(header.cells, sizeof(Cell));
  out.end = offsets.take(0, 1);
  if (!offsets.is_valid()) return std::nullopt;
  return out;
}

Result<StripeView> StripeView::open(Bytes data, bool verify_crc) {
  StripeView view;
  if (auto error = check_header(data, view.header_)) return *error;
  const StripeHeader& header = view.header_;
  const auto layout = StripeLayout::of(header);
  if (!layout || layout->end != header.total_size) return Error{"stripe is damaged: its counts and its size disagree"};
  if (data.size() < header.total_size) return mismatch("stripe is cut off: bytes", data.size(), header.total_size);
  if (reinterpret_cast<std::uintptr_t>(data.data()) % 8 != 0)
    return Error{"stripe is not aligned to 8 bytes in memory"};
  view.data_ = data.data();
  view.layout_ = *layout;
  if (auto error = view.check_groups()) return *error;
  if (verify_crc) {
    const std::uint32_t crc = crc32c(data.subspan(kCrcStart, layout->end - kCrcStart));
    if (crc != header.crc) return mismatch("stripe is damaged: its checksum is", header.crc, crc);
  }
  return view;
}

OptionalError StripeView::check_groups() const {
  bool is_valid = tiles(scalar_groups(), header_.scalar_rows) && tiles(payload_groups(), header_.payload_rows);
  std::uint64_t next_cell = 0;
  for (const ScalarGroup& group : scalar_groups()) {
    is_valid = is_valid && group.cells == next_cell;
    if (!is_valid) break;
    next_cell += cells_of(group.count);
  }
  if (is_valid && next_cell == header_.cells) return std::nullopt;
  return Error{"stripe is damaged: its groups do not match its rows"};
}

double StripeView::last_wall() const {
  double last = -std::numeric_limits<double>::infinity();
  for (const auto& column : {walls(), payload_walls()}) {
    for (const double wall : column) {
      if (wall > last && wall <= std::numeric_limits<double>::max()) last = wall;
    }
  }
  return std::isfinite(last) ? last : std::numeric_limits<double>::quiet_NaN();
}

std::optional<std::int64_t> StripeView::max_step(std::span<const std::uint32_t> skipped) const {
  std::optional<std::int64_t> found;
  for (const ScalarGroup& group : scalar_groups()) {
    if (std::binary_search(skipped.begin(), skipped.end(), group.series)) continue;
    const auto rows = segment(group);
    if (!rows || rows->count == 0) continue;
    const std::int64_t* end = rows->steps + rows->count;
    const std::int64_t step = (rows->flags & kStepsSorted) != 0 ? end[-1] : *std::max_element(rows->steps, end);
    found = std::max(found.value_or(step), step);
  }
  return found;
}

// Copies each group before checking it: the bytes may be a mapped file that another program writes to.
template <class Group>
std::vector<StepRange> StripeView::step_ranges(std::span<const Group> groups, std::span<const std::int64_t> steps) {
  std::vector<StepRange> out;
  out.reserve(groups.size());
  for (const Group& stored : groups) {
    const Group group = stored;
    StepRange& range = out.emplace_back();
    if (group.count == 0 || group.start > steps.size() || group.count > steps.size() - group.start) continue;
    const auto own = steps.subspan(static_cast<std::size_t>(group.start), static_cast<std::size_t>(group.count));
    if ((group.flags & kStepsSorted) != 0) {
      range = {own.front(), own.back()};
    } else {
      const auto [least, greatest] = std::minmax_element(own.begin(), own.end());
      range = {*least, *greatest};
    }
  }
  return out;
}

template std::vector<StepRange> StripeView::step_ranges(std::span<const ScalarGroup>, std::span<const std::int64_t>);
template std::vector<StepRange> StripeView::step_ranges(std::span<const PayloadGroup>, std::span<const std::int64_t>);

std::optional<Segment> StripeView::find(std::uint32_t series) const {
  const auto groups = scalar_groups();
  const auto found = std::lower_bound(groups.begin(), groups.end(), series,
                                      [](const ScalarGroup& group, std::uint32_t id) { return group.series < id; });
  if (found == groups.end() || found->series != series) return std::nullopt;
  return segment(*found);
}

// Checks the group again: the bytes may be a mapped file that another program has written to since open().
std::optional<Segment> StripeView::segment(const ScalarGroup& stored) const {
  const ScalarGroup group = stored;
  const std::uint64_t rows = header_.scalar_rows;
  if (group.start > rows || group.count > rows - group.start || group.cells > header_.cells ||
      cells_of(group.count) > header_.cells - group.cells) {
    return std::nullopt;
  }
  const auto cells = part<Cell>(layout_.cells, header_.cells);
  const Cell* fine = cells.data() + group.cells;
  return Segment{steps().data() + group.start,
                 walls().data() + group.start,
                 values().data() + group.start,
                 fine,
                 fine + fine_cells(group.count),
                 group.count,
                 group.flags};
}

}  // namespace seamark
