// A column that grows without copying what it holds: a vector that doubles would need three times the memory.
#pragma once

#include <memory>
#include <vector>

#include "bytes.h"

namespace seamark {

template <class T>
class Chunked {
 public:
  void push_back(T value) {
    if ((size_ & kMask) == 0) blocks_.push_back(std::make_unique_for_overwrite<T[]>(kMask + 1));
    blocks_.back()[size_++ & kMask] = value;
  }
  T& operator[](std::size_t index) { return blocks_[index >> kBits][index & kMask]; }
  T operator[](std::size_t index) const { return blocks_[index >> kBits][index & kMask]; }
  T& back() { return (*this)[size_ - 1]; }
  std::size_t size() const { return size_; }
  void clear() {
    blocks_.clear();
    blocks_.shrink_to_fit();
    size_ = 0;
  }

 private:
  static constexpr std::size_t kBits = 14, kMask = (std::size_t{1} << kBits) - 1;

  std::vector<std::unique_ptr<T[]>> blocks_;
  std::size_t size_ = 0;
};

}  // namespace seamark
