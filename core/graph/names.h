// Names as keys. All hold views: the bytes of the names have to outlive them.
#pragma once

#include <unordered_map>
#include <vector>

#include "scan/tags.h"

namespace seamark {

struct NameHash {
  std::size_t operator()(Bytes name) const { return hash_of(name, process_key()); }
};
struct NameEqual {
  bool operator()(Bytes a, Bytes b) const { return same_bytes(a, b); }
};

class NameMap {
 public:
  // The first of several with the same name stays. Returns the index of the name.
  std::uint32_t add(Bytes name, std::uint32_t index) { return index_of_.try_emplace(name, index).first->second; }
  // kNone if no such name was added.
  std::uint32_t find(Bytes name) const {
    const auto found = index_of_.find(name);
    return found == index_of_.end() ? kNone : found->second;
  }
  void clear() { index_of_.clear(); }

 private:
  std::unordered_map<Bytes, std::uint32_t, NameHash, NameEqual> index_of_;
};

// Distinct names in order of appearance.
class Names {
 public:
  // Neighbours mostly have the same device and shape, so this first compares the last name, which is cheaper than a
  // hash.
  std::uint32_t find_or_add(Bytes name) {
    if (last_ < list_.size() && same_bytes(name, list_[last_])) return last_;
    last_ = index_of_.add(name, static_cast<std::uint32_t>(list_.size()));
    if (last_ == list_.size()) list_.push_back(name);
    return last_;
  }
  std::uint32_t find(Bytes name) const { return index_of_.find(name); }
  const std::vector<Bytes>& list() const { return list_; }

 private:
  NameMap index_of_;
  std::vector<Bytes> list_;
  std::uint32_t last_ = 0;
};

}  // namespace seamark
