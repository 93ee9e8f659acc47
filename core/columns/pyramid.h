// Summaries of consecutive values, so that a wide view does not read every point.
#pragma once

#include "bytes.h"

namespace seamark {

constexpr std::size_t kFineRows = 256;    // rows of a fine cell
constexpr std::size_t kCoarseCells = 16;  // fine cells of a coarse cell
constexpr std::size_t kCoarseRows = kFineRows * kCoarseCells;

// As stored in a stripe. Only full cells are stored; the rest of a series is read row by row.
struct Cell {
  double min;  // min, max and mean are over the finite values, NaN when there are none
  double max;
  double first;
  double last;
  double mean;
  std::uint32_t finite;
  std::uint32_t nan;
  std::uint32_t posinf;
  std::uint32_t neginf;
};
static_assert(sizeof(Cell) == 56);

inline std::uint64_t fine_cells(std::uint64_t rows) { return rows / kFineRows; }
inline std::uint64_t coarse_cells(std::uint64_t rows) { return rows / kCoarseRows; }
inline std::uint64_t cells_of(std::uint64_t rows) { return fine_cells(rows) + coarse_cells(rows); }

// Adds up values and cells. `scale` is 1, except in a second pass after the sum of huge values overflowed.
class Tally {
 public:
  explicit Tally(double scale = 1) : scale_(scale) {}

  void add(std::span<const double> values);
  void add(const Cell& cell);

  // False if the sum overflowed: repeat with kSafeScale.
  bool is_finite() const;
  Cell cell(double first, double last) const;
  double min() const { return finite_ > 0 ? min_ : std::numeric_limits<double>::quiet_NaN(); }
  double max() const { return finite_ > 0 ? max_ : std::numeric_limits<double>::quiet_NaN(); }
  std::uint64_t nan() const { return nan_; }
  std::uint64_t posinf() const { return posinf_; }
  std::uint64_t neginf() const { return neginf_; }

  static constexpr double kSafeScale = 0x1p-80;

 private:
  void add_finite(std::span<const double> values);
  void add_mixed(std::span<const double> values);

  double scale_;
  double sum_ = 0;
  double min_ = std::numeric_limits<double>::infinity();
  double max_ = -std::numeric_limits<double>::infinity();
  std::uint64_t finite_ = 0;
  std::uint64_t nan_ = 0;
  std::uint64_t posinf_ = 0;
  std::uint64_t neginf_ = 0;
};

bool all_finite(std::span<const double> values);

// The summary of `values`, which are not empty.
Cell summarize(std::span<const double> values);

// The values of a series in one stripe with their cells.
struct PyramidView {
  const double* values;
  const Cell* fine;
  const Cell* coarse;
  std::uint64_t rows;  // of the whole series in this stripe, which limits the cells
};
// Adds rows [begin, end), which are not empty, by cells where possible.
void tally_range(const PyramidView& series, std::uint64_t begin, std::uint64_t end, Tally& out);

// Writes fine cells, then coarse cells: cells_of(values.size()) of them.
void build_cells(std::span<const double> values, Cell* out);

}  // namespace seamark
