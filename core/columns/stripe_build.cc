// Builds stripes from rows in order of arrival (a counting sort by series) and from other stripes.
#include <algorithm>
#include <cmath>

#include "columns/stripe.h"
#include "format/crc32c.h"

namespace seamark {
namespace {

// The columns of a stripe under construction.
struct StripeDraft {
  Block block;
  StripeHeader header{};
  StripeLayout layout{};

  template <class T>
  T* part(std::size_t at) {
    return reinterpret_cast<T*>(block.data() + at);
  }
};

StripeDraft start(std::span<const ScalarGroup> scalars, std::span<const PayloadGroup> payloads) {
  StripeDraft draft;
  StripeHeader& header = draft.header;
  header.magic = kStripeMagic;
  header.version = kStripeVersion;
  header.scalar_groups = scalars.size();
  header.payload_groups = payloads.size();
  if (!scalars.empty()) header.scalar_rows = scalars.back().start + scalars.back().count;
  if (!payloads.empty()) header.payload_rows = payloads.back().start + payloads.back().count;
  for (const ScalarGroup& group : scalars) header.cells += cells_of(group.count);
  const auto layout = StripeLayout::of(header);
  if (!layout) throw std::bad_alloc();
  draft.layout = *layout;
  header.total_size = layout->end;
  draft.block = Block::of(layout->end);
  std::copy(scalars.begin(), scalars.end(), draft.part<ScalarGroup>(layout->scalar_groups));
  std::copy(payloads.begin(), payloads.end(), draft.part<PayloadGroup>(layout->payload_groups));
  return draft;
}

bool walls_sorted(std::span<const double> walls) {
  double before = -std::numeric_limits<double>::max();
  for (const double wall : walls) {
    if (!(wall >= before) || !std::isfinite(wall)) return false;
    before = wall;
  }
  return true;
}

std::uint32_t flags_of(std::span<const std::int64_t> steps, std::span<const double> walls) {
  std::uint32_t flags = 0;
  if (std::is_sorted(steps.begin(), steps.end())) flags |= kStepsSorted;
  if (walls_sorted(walls)) flags |= kWallsSorted;
  return flags;
}

// Once all columns are in place: flags, cells, and the checksum over everything.
Block finish(StripeDraft draft) {
  const StripeLayout& at = draft.layout;
  const auto* steps = draft.part<std::int64_t>(at.steps);
  const auto* walls = draft.part<double>(at.walls);
  const auto* values = draft.part<double>(at.values);
  for (ScalarGroup& group : std::span(draft.part<ScalarGroup>(at.scalar_groups), draft.header.scalar_groups)) {
    group.flags = flags_of({steps + group.start, group.count}, {walls + group.start, group.count});
    build_cells({values + group.start, group.count}, draft.part<Cell>(at.cells) + group.cells);
  }
  const auto* payload_steps = draft.part<std::int64_t>(at.payload_steps);
  const auto* payload_walls = draft.part<double>(at.payload_walls);
  for (PayloadGroup& group : std::span(draft.part<PayloadGroup>(at.payload_groups), draft.header.payload_groups)) {
    group.flags = flags_of({payload_steps + group.start, group.count}, {payload_walls + group.start, group.count});
  }
  std::memcpy(draft.block.data(), &draft.header, sizeof draft.header);
  constexpr std::size_t kCrcStart = offsetof(StripeHeader, total_size);
  const std::uint32_t crc = crc32c(draft.block.bytes().subspan(kCrcStart));
  store(draft.block.data() + offsetof(StripeHeader, crc), crc);
  return std::move(draft.block);
}

// counts[series] becomes the first row of that series; returns the groups.
template <class Group>
std::vector<Group> lay_out(std::vector<std::uint64_t>& counts) {
  std::vector<Group> groups;
  std::uint64_t row = 0;
  for (std::size_t series = 0; series < counts.size(); ++series) {
    const std::uint64_t count = counts[series];
    counts[series] = row;
    if (count == 0) continue;
    Group& group = groups.emplace_back();
    group.series = static_cast<std::uint32_t>(series);
    group.start = row;
    group.count = count;
    row += count;
  }
  return groups;
}

void number_cells(std::vector<ScalarGroup>& groups) {
  std::uint64_t cell = 0;
  for (ScalarGroup& group : groups) {
    group.cells = cell;
    cell += cells_of(group.count);
  }
}

template <class Row>
std::vector<std::uint64_t> count_series(std::span<const Row> rows, std::uint32_t series_count) {
  std::vector<std::uint64_t> counts(series_count);
  for (const Row& row : rows) ++counts[row.series];
  return counts;
}

template <class T>
void append(T* column, std::uint64_t at, const T* from, std::uint64_t count) {
  std::copy_n(from, static_cast<std::size_t>(count), column + at);
}

}  // namespace

Block build_stripe(std::span<const ScalarRow> scalars, std::span<const PayloadRow> payloads,
                   std::uint32_t series_count) {
  auto next_scalar = count_series(scalars, series_count);
  auto next_payload = count_series(payloads, series_count);
  auto scalar_groups = lay_out<ScalarGroup>(next_scalar);
  const auto payload_groups = lay_out<PayloadGroup>(next_payload);
  number_cells(scalar_groups);
  StripeDraft draft = start(scalar_groups, payload_groups);
  const StripeLayout& at = draft.layout;

  auto* steps = draft.part<std::int64_t>(at.steps);
  auto* walls = draft.part<double>(at.walls);
  auto* values = draft.part<double>(at.values);
  for (const ScalarRow& row : scalars) {
    const std::uint64_t to = next_scalar[row.series]++;
    steps[to] = row.step;
    walls[to] = row.wall_time;
    values[to] = row.value;
  }
  auto* payload_steps = draft.part<std::int64_t>(at.payload_steps);
  auto* payload_walls = draft.part<double>(at.payload_walls);
  auto* offsets = draft.part<std::uint64_t>(at.payload_offsets);
  auto* lengths = draft.part<std::uint64_t>(at.payload_lengths);
  for (const PayloadRow& row : payloads) {
    const std::uint64_t to = next_payload[row.series]++;
    payload_steps[to] = row.step;
    payload_walls[to] = row.wall_time;
    offsets[to] = row.offset;
    lengths[to] = row.length;
  }
  return finish(std::move(draft));
}

namespace {

// A group of one of the stripes that are merged.
template <class Group>
struct Source {
  Group group;
  std::size_t stripe;
};

// Copies each group before checking it: the bytes may be a mapped file that another program writes to.
template <class Group>
void add_sources(std::span<const Group> groups, std::uint64_t rows, std::size_t stripe,
                 std::vector<Source<Group>>& all) {
  for (const Group& stored : groups) {
    const Group group = stored;
    if (group.start <= rows && group.count <= rows - group.start) all.push_back({group, stripe});
  }
}

template <class Group>
std::vector<Source<Group>> sources_of(std::span<const StripeView* const> stripes) {
  std::vector<Source<Group>> all;
  for (std::size_t i = 0; i < stripes.size(); ++i) {
    if constexpr (std::is_same_v<Group, ScalarGroup>) {
      add_sources(stripes[i]->scalar_groups(), stripes[i]->steps().size(), i, all);
    } else {
      add_sources(stripes[i]->payload_groups(), stripes[i]->payload_steps().size(), i, all);
    }
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a.group.series < b.group.series; });
  return all;
}

template <class Group>
std::vector<Group> merged_groups(const std::vector<Source<Group>>& sources) {
  std::vector<Group> groups;
  std::uint64_t row = 0;
  for (const Source<Group>& source : sources) {
    if (groups.empty() || groups.back().series != source.group.series) {
      Group& group = groups.emplace_back();
      group.series = source.group.series;
      group.start = row;
    }
    groups.back().count += source.group.count;
    row += source.group.count;
  }
  return groups;
}

}  // namespace

Block merge_stripes(std::span<const StripeView* const> stripes) {
  const auto scalars = sources_of<ScalarGroup>(stripes);
  const auto payloads = sources_of<PayloadGroup>(stripes);
  auto scalar_groups = merged_groups(scalars);
  number_cells(scalar_groups);
  StripeDraft draft = start(scalar_groups, merged_groups(payloads));
  const StripeLayout& at = draft.layout;
  std::uint64_t row = 0;
  for (const auto& [group, index] : scalars) {
    const StripeView& from = *stripes[index];
    append(draft.part<std::int64_t>(at.steps), row, from.steps().data() + group.start, group.count);
    append(draft.part<double>(at.walls), row, from.walls().data() + group.start, group.count);
    append(draft.part<double>(at.values), row, from.values().data() + group.start, group.count);
    row += group.count;
  }
  row = 0;
  for (const auto& [group, index] : payloads) {
    const StripeView& from = *stripes[index];
    append(draft.part<std::int64_t>(at.payload_steps), row, from.payload_steps().data() + group.start, group.count);
    append(draft.part<double>(at.payload_walls), row, from.payload_walls().data() + group.start, group.count);
    append(draft.part<std::uint64_t>(at.payload_offsets), row, from.payload_offsets().data() + group.start,
           group.count);
    append(draft.part<std::uint64_t>(at.payload_lengths), row, from.payload_lengths().data() + group.start,
           group.count);
    row += group.count;
  }
  return finish(std::move(draft));
}

}  // namespace seamark
