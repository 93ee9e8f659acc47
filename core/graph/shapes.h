// Shapes of tensors: the messages, each read once however many nodes repeat it.
#pragma once

#include "graph/names.h"

namespace seamark {

using Sizes = std::vector<std::int64_t>;  // -1 for a dimension of any size

class Shapes {
 public:
  // `message` is a TensorShapeProto. Malformed bytes and absurd ranks give an unknown rank.
  std::uint32_t find_or_add(Bytes message) { return messages_.find_or_add(message); }

  std::size_t size() const { return messages_.list().size(); }
  // False if even the rank is not known.
  bool read(std::uint32_t shape, Sizes& sizes) const;

 private:
  Names messages_;
};

}  // namespace seamark
