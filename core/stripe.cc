// Opening a stripe: every count and every group is checked before anything is read through it.
#include "stripe.h"

#include <algorithm>
#include <cmath>

#include "crc32c.h"

namespace seamark {
namespace {

constexpr std::size_t kCrcStart = offsetof(StripeHeader, total_size);

std::string mismatch(const char* what, std::uint64_t got, std::uint64_t want) {
  return std::string(what) + ": got " + std::to_string(got) + ", want " + std::to_string(want);
}

std::optional<std::string> check_header(Bytes data, StripeHeader& header) {
  if (data.size() < sizeof header) return mismatch("stripe is cut off within its header: bytes", data.size(), sizeof header);
  std::memcpy(&header, data.data(), sizeof header);
  if (header.magic != kStripeMagic) return "not a stripe: the first eight bytes are not its magic";
  if (header.version != kStripeVersion) return mismatch("stripe has another version", header.version, kStripeVersion);
  return std::nullopt;
}

// Sums up sizes, and remembers if one of them was beyond reason.
class Ruler {
 public:
  std::size_t take(std::uint64_t count, std::size_t item) {
    const std::size_t at = at_;
    constexpr std::uint64_t kMost = std::uint64_t{1} << 46;  // far above any memory, far below an overflow
    if (count > kMost / item || at_ > kMost) {
      sane_ = false;
    } else {
      at_ += static_cast<std::size_t>(count) * item;
    }
    return at;
  }
  bool sane() const { return sane_; }

 private:
  std::size_t at_ = 0;
  bool sane_ = true;
};

// Both kinds of groups: ascending ids, and rows which tile the columns.
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
  Ruler ruler;
  ruler.take(1, sizeof(StripeHeader));
  out.scalar_groups = ruler.take(header.scalar_groups, sizeof(ScalarGroup));
  out.payload_groups = ruler.take(header.payload_groups, sizeof(PayloadGroup));
  out.steps = ruler.take(header.scalar_rows, 8);
  out.walls = ruler.take(header.scalar_rows, 8);
  out.values = ruler.take(header.scalar_rows, 8);
  out.payload_steps = ruler.take(header.payload_rows, 8);
  out.payload_walls = ruler.take(header.payload_rows, 8);
  out.payload_offsets = ruler.take(header.payload_rows, 8);
  out.payload_lengths = ruler.take(header.payload_rows, 8);
  out.cells = ruler.take(header.cells, sizeof(Cell));
  out.end = ruler.take(0, 1);
  if (!ruler.sane()) return std::nullopt;
  return out;
}

std::optional<std::string> StripeView::open(Bytes data, bool verify_crc, StripeView& out) {
  StripeView view;
  if (auto problem = check_header(data, view.header_)) return problem;
  const StripeHeader& header = view.header_;
  const auto layout = StripeLayout::of(header);
  if (!layout || layout->end != header.total_size) return "stripe is damaged: its counts and its size disagree";
  if (data.size() < header.total_size) return mismatch("stripe is cut off: bytes", data.size(), header.total_size);
  if (reinterpret_cast<std::uintptr_t>(data.data()) % 8 != 0) return "stripe is not aligned to 8 bytes in memory";
  view.data_ = data.data();
  view.layout_ = *layout;
  if (auto problem = view.check_groups()) return problem;
  if (verify_crc) {
    const std::uint32_t crc = crc32c(data.subspan(kCrcStart, layout->end - kCrcStart));
    if (crc != header.crc) return mismatch("stripe is damaged: its checksum is", header.crc, crc);
  }
  out = view;
  return std::nullopt;
}

std::optional<std::string> StripeView::check_groups() const {
  bool sound = tiles(scalar_groups(), header_.scalar_rows) && tiles(payload_groups(), header_.payload_rows);
  std::uint64_t next_cell = 0;
  for (const ScalarGroup& group : scalar_groups()) {
    sound = sound && group.cells == next_cell;
    if (!sound) break;
    next_cell += cells_of(group.count);
  }
  if (sound && next_cell == header_.cells) return std::nullopt;
  return "stripe is damaged: its groups do not tile its rows";
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
    const std::int64_t step = rows->flags & kStepsSorted ? end[-1] : *std::max_element(rows->steps, end);
    found = std::max(found.value_or(step), step);
  }
  return found;
}

// Each group is copied before it is checked: the bytes may be those of a file which another program writes to.
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

// Checked once more: the bytes may be those of a file which another program writes to after it was opened.
std::optional<Segment> StripeView::segment(const ScalarGroup& stored) const {
  const ScalarGroup group = stored;
  const std::uint64_t rows = header_.scalar_rows;
  if (group.start > rows || group.count > rows - group.start || group.cells > header_.cells ||
      cells_of(group.count) > header_.cells - group.cells) {
    return std::nullopt;
  }
  const auto cells = part<Cell>(layout_.cells, header_.cells);
  const Cell* fine = cells.data() + group.cells;
  return Segment{steps().data() + group.start, walls().data() + group.start, values().data() + group.start, fine,
                 fine + fine_cells(group.count), group.count, group.flags};
}

std::optional<std::string> stripe_size(Bytes data, std::uint64_t& size) {
  StripeHeader header{};
  if (auto problem = check_header(data, header)) return problem;
  const auto layout = StripeLayout::of(header);
  if (!layout || layout->end != header.total_size) return "stripe is damaged: its counts and its size disagree";
  size = header.total_size;
  return std::nullopt;
}

}  // namespace seamark
