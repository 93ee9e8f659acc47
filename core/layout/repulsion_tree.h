// The forces of t-SNE between all points, after Barnes and Hut (1986): points far away count as one in their middle.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace seamark {

// Points in the order of a space-filling curve, in cells that halve from level to level. Nearby points form a group,
// which shares the list of cells that act on it. Immutable.
template <std::size_t kDims>
class RepulsionTree {
 public:
  // A cell counts as one point if its side is less than `theta` times its distance from the group. `positions` has
  // kDims coordinates for each point. Throws invalid_argument if one is not finite.
  RepulsionTree(std::span<const float> positions, float theta);

  std::size_t points() const { return order_.size(); }
  std::size_t groups() const { return groups_.size(); }

  // With q = 1 / (1 + |a - b|²), writes for each point a of the groups in [first, end) the sum of q² * (a - b) into
  // `forces` and the sum of q into `sums`, over the other points b. Both are by point. Threads may share the work by
  // ranges: the result does not depend on how it is divided.
  void repel(std::size_t first, std::size_t end, std::span<float> forces, std::span<float> sums) const;

 private:
  struct Range {
    std::size_t first;  // points in the order of the tree
    std::size_t end;

    std::size_t size() const { return end - first; }
  };
  struct Cell {
    float middle[kDims];  // mean of its points
    float side;
    Range range;
    std::size_t next;  // the cell after this one and its descendants
    bool is_leaf;
  };
  struct ActingPoints;

  void sort_points(std::span<const float> positions);
  void add_cell(Range range, unsigned level, bool is_in_group);
  void collect(Range group, ActingPoints& acting) const;
  void apply(const ActingPoints& acting, Range group, std::span<float> forces, std::span<float> sums) const;

  float theta_;
  float side_ = 0;                         // of the root
  std::vector<std::uint32_t> order_;       // the caller's index of each point of the tree
  std::vector<std::uint64_t> codes_;       // positions along the curve
  std::vector<float> coordinates_[kDims];  // in the order of the tree
  std::vector<Cell> cells_;                // depth first
  std::vector<Range> groups_;
};

extern template class RepulsionTree<2>;
extern template class RepulsionTree<3>;

}  // namespace seamark
