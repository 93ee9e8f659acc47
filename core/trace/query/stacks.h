// Slices as a tree of names: slices with the same names above them are one node.
#pragma once

#include <vector>

#include "trace/query/slices.h"

namespace seamark {

// One entry for each node; the parent of a node is before it.
struct StackNodes {
  std::vector<std::int32_t> parent;  // a node; -1: a root
  std::vector<std::uint32_t> name;
  std::vector<std::int64_t> calls;
  std::vector<std::int64_t> total;
  std::vector<std::int64_t> self;  // without the nodes below
  std::vector<std::int64_t> longest;
  std::vector<std::int32_t> node_of_slice;  // of each slice of the trace; -1: none
  bool is_cut = false;                      // slices beyond `max_nodes` are left out
};

struct StackQuery {
  std::span<const std::int64_t> slices;  // ascending
  std::int64_t start;                    // slices are clipped to [start, end)
  std::int64_t end;
  std::size_t max_nodes;
};

// The parent of a node is the node of the nearest slice above that is in the query. Throws invalid_argument for slices
// that are not in order or do not exist.
StackNodes build_stacks(const SliceColumns& slices, std::span<const std::int32_t> parent, const StackQuery& query);

}  // namespace seamark
