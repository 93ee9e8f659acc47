#include "trace/query/stacks.h"

#include <stdexcept>
#include <utility>

namespace seamark {
namespace {

constexpr std::int32_t kNoNode = -1;

// Finds the node of a parent and a name: open addressing, as a trace has one look-up for each slice.
class NodeTable {
 public:
  NodeTable() : entries_(1024) {}

  // The node; if there is none, `next` after entering it, or kNoNode if the tree is full.
  std::int32_t find_or_add(std::int32_t parent, std::uint32_t name, std::int32_t next, bool is_full) {
    const std::uint64_t key = (static_cast<std::uint64_t>(static_cast<std::uint32_t>(parent)) << 32) | name;
    Entry& entry = place_of(key);
    if (entry.node != kNoNode || is_full) return entry.node;
    entry = {key, next};
    if (++used_ * 2 > entries_.size()) grow();
    return next;
  }

 private:
  struct Entry {
    std::uint64_t key = 0;
    std::int32_t node = kNoNode;
  };

  Entry& place_of(std::uint64_t key) {
    std::size_t at = static_cast<std::size_t>((key * 0x9E3779B97F4A7C15U) >> 20) & (entries_.size() - 1);
    while (entries_[at].node != kNoNode && entries_[at].key != key) at = (at + 1) & (entries_.size() - 1);
    return entries_[at];
  }

  void grow() {
    std::vector<Entry> old(entries_.size() * 2);
    std::swap(old, entries_);
    for (const Entry& entry : old) {
      if (entry.node != kNoNode) place_of(entry.key) = entry;
    }
  }

  std::vector<Entry> entries_;
  std::size_t used_ = 0;
};

void check_order(std::span<const std::int64_t> chosen, std::size_t size) {
  std::int64_t last = -1;
  for (const std::int64_t slice : chosen) {
    if (slice <= last) throw std::invalid_argument("the slices of a tree must be in ascending order");
    last = slice;
  }
  if (last >= static_cast<std::int64_t>(size)) throw std::invalid_argument("there is no such slice");
}

class StackBuilder {
 public:
  StackBuilder(const SliceColumns& slices, std::span<const std::int32_t> parent, const StackQuery& query)
      : slices_(slices),
        parent_(parent),
        query_(query) {
    nodes_.node_of_slice.assign(slices.size(), kNoNode);
  }

  void add(std::size_t slice) {
    const std::int64_t above = slice_above(slice);
    const std::int32_t parent_node = above == kNoSlice ? kNoNode : node_of(above);
    const std::int32_t node = find_or_add_node(parent_node, slices_.name[slice]);
    if (node == kNoNode) {
      nodes_.is_cut = true;
      return;
    }
    nodes_.node_of_slice[slice] = node;
    const auto at = static_cast<std::size_t>(node);
    const SlicePart part = clip(slices_, slice, query_.start, query_.end);
    nodes_.total[at] += part.length();
    nodes_.self[at] += part.length();
    if (above != kNoSlice) {
      const std::int64_t inside = length_inside(slices_, part, static_cast<std::size_t>(above));
      nodes_.self[static_cast<std::size_t>(parent_node)] -= inside;
    }
    ++nodes_.calls[at];
    keep_longest(slices_, slice, nodes_.longest[at]);
  }

  StackNodes take() { return std::move(nodes_); }

 private:
  std::int32_t node_of(std::int64_t slice) const { return nodes_.node_of_slice[static_cast<std::size_t>(slice)]; }

  // The nearest slice above that has a node, or kNoSlice. Parents are before their children, so that this ends.
  std::int64_t slice_above(std::size_t slice) const {
    auto at = static_cast<std::int64_t>(slice);
    while (true) {
      const std::int64_t above = parent_[static_cast<std::size_t>(at)];
      if (above < 0 || above >= at) return kNoSlice;
      if (node_of(above) != kNoNode) return above;
      at = above;
    }
  }

  std::int32_t find_or_add_node(std::int32_t parent, std::uint32_t name) {
    const auto next = static_cast<std::int32_t>(nodes_.parent.size());
    const std::int32_t node = table_.find_or_add(parent, name, next, nodes_.parent.size() >= query_.max_nodes);
    if (node != next) return node;
    nodes_.parent.push_back(parent);
    nodes_.name.push_back(name);
    nodes_.calls.push_back(0);
    nodes_.total.push_back(0);
    nodes_.self.push_back(0);
    nodes_.longest.push_back(kNoSlice);
    return node;
  }

  const SliceColumns& slices_;
  std::span<const std::int32_t> parent_;
  const StackQuery& query_;
  NodeTable table_;
  StackNodes nodes_;
};

}  // namespace

StackNodes build_stacks(const SliceColumns& slices, std::span<const std::int32_t> parent, const StackQuery& query) {
  if (parent.size() != slices.size()) throw std::invalid_argument("the columns of the slices differ in length");
  check_order(query.slices, slices.size());
  StackBuilder builder(slices, parent, query);
  for (const std::int64_t slice : query.slices) builder.add(static_cast<std::size_t>(slice));
  return builder.take();
}

}  // namespace seamark
