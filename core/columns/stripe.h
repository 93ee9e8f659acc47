// A stripe: rows grouped by series in one self-describing block, the same bytes in memory and on disk.
//
//   header | scalar groups | payload groups | step wall value columns | step wall offset length columns | cells
//
// Groups are sorted by series id. Their rows follow each other without gaps, in order of arrival within a series.
#pragma once

#include <optional>
#include <vector>

#include "bytes.h"
#include "columns/pyramid.h"
#include "columns/rows.h"
#include "result.h"

namespace seamark {

constexpr std::uint32_t kStripeVersion = 1;
constexpr std::uint64_t kStripeMagic = 0x0a6b72616d616573U;  // "seamark\n"

struct StripeHeader {
  std::uint64_t magic;
  std::uint32_t version;
  std::uint32_t crc;         // of everything after this field
  std::uint64_t total_size;  // of the stripe, this header included
  std::uint64_t scalar_groups;
  std::uint64_t scalar_rows;
  std::uint64_t payload_groups;
  std::uint64_t payload_rows;
  std::uint64_t cells;
};
static_assert(sizeof(StripeHeader) == 64);

enum GroupFlags : std::uint32_t {
  kStepsSorted = 1,  // non-decreasing
  kWallsSorted = 2,  // non-decreasing, and all finite
};

struct ScalarGroup {
  std::uint32_t series;
  std::uint32_t flags;
  std::uint64_t start;  // row
  std::uint64_t count;
  std::uint64_t cells;  // index of the first cell: the fine ones, then the coarse ones
};
static_assert(sizeof(ScalarGroup) == 32);

struct PayloadGroup {
  std::uint32_t series;
  std::uint32_t flags;
  std::uint64_t start;
  std::uint64_t count;
};
static_assert(sizeof(PayloadGroup) == 24);

// One scalar series inside one stripe.
struct Segment {
  const std::int64_t* steps = nullptr;
  const double* walls = nullptr;
  const double* values = nullptr;
  const Cell* fine = nullptr;
  const Cell* coarse = nullptr;
  std::uint64_t count = 0;
  std::uint32_t flags = 0;

  PyramidView pyramid() const { return {values, fine, coarse, count}; }
};

// Where each part starts, in bytes.
struct StripeLayout {
  std::size_t scalar_groups, payload_groups, steps, walls, values;
  std::size_t payload_steps, payload_walls, payload_offsets, payload_lengths, cells, end;

  // Nothing if no block of memory could hold as many.
  static std::optional<StripeLayout> of(const StripeHeader& header);
};

struct StepRange {
  std::int64_t min = 0;
  std::int64_t max = 0;
};

// A view of bytes that its user keeps alive. open() checks every count, so no access leaves the bytes, whatever they
// are.
class StripeView {
 public:
  // Ignores bytes after the end of the stripe.
  static Result<StripeView> open(Bytes data, bool verify_crc);

  std::size_t size() const { return layout_.end; }
  std::span<const ScalarGroup> scalar_groups() const {
    return part<ScalarGroup>(layout_.scalar_groups, header_.scalar_groups);
  }
  std::span<const PayloadGroup> payload_groups() const {
    return part<PayloadGroup>(layout_.payload_groups, header_.payload_groups);
  }
  std::span<const std::int64_t> steps() const { return part<std::int64_t>(layout_.steps, header_.scalar_rows); }
  std::span<const double> walls() const { return part<double>(layout_.walls, header_.scalar_rows); }
  std::span<const double> values() const { return part<double>(layout_.values, header_.scalar_rows); }
  std::span<const std::int64_t> payload_steps() const {
    return part<std::int64_t>(layout_.payload_steps, header_.payload_rows);
  }
  std::span<const double> payload_walls() const { return part<double>(layout_.payload_walls, header_.payload_rows); }
  std::span<const std::uint64_t> payload_offsets() const {
    return part<std::uint64_t>(layout_.payload_offsets, header_.payload_rows);
  }
  std::span<const std::uint64_t> payload_lengths() const {
    return part<std::uint64_t>(layout_.payload_lengths, header_.payload_rows);
  }

  // The largest finite wall time of all rows; NaN when there is none.
  double last_wall() const;
  // The greatest step of all scalars except those of the series in `skipped`, which is sorted; nothing if there are
  // none.
  std::optional<std::int64_t> max_step(std::span<const std::uint32_t> skipped) const;

  // The smallest and the greatest step of each group. Reads only the first and last row if the steps are sorted.
  std::vector<StepRange> scalar_step_ranges() const { return step_ranges(scalar_groups(), steps()); }
  std::vector<StepRange> payload_step_ranges() const { return step_ranges(payload_groups(), payload_steps()); }

  std::optional<Segment> find(std::uint32_t series) const;
  std::optional<Segment> segment(const ScalarGroup& group) const;

 private:
  template <class T>
  std::span<const T> part(std::size_t at, std::uint64_t count) const {
    return {reinterpret_cast<const T*>(data_ + at), static_cast<std::size_t>(count)};
  }
  OptionalError check_groups() const;
  template <class Group>
  static std::vector<StepRange> step_ranges(std::span<const Group> groups, std::span<const std::int64_t> steps);

  const std::uint8_t* data_ = nullptr;
  StripeHeader header_{};
  StripeLayout layout_{};
};

// Groups the rows by series; ids are below `series_count`.
Block build_stripe(std::span<const ScalarRow> scalars, std::span<const PayloadRow> payloads,
                   std::uint32_t series_count);

// For each series the rows of the first stripe, then those of the second, and so on.
Block merge_stripes(std::span<const StripeView* const> stripes);

}  // namespace seamark
