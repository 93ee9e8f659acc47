// Reads the attributes of one node: those that become columns, and the bytes to store of all others.
#pragma once

#include "format/wire.h"
#include "graph/columns.h"

namespace seamark {

// A larger value is not stored: nobody reads it, and constants can fill the memory.
constexpr std::size_t kMaxTensorBytes = 1024;
constexpr std::size_t kMaxValueBytes = 4096;
constexpr std::size_t kMaxOutputs = 4096;

struct FunctionReference {
  Bytes attribute, function;
};

// Of one node, then of the next.
struct NodeAttributes {
  std::vector<Bytes> output_shapes;
  std::vector<std::uint32_t> output_dtypes;
  Bytes shape;
  bool has_shape = false;
  Bytes value_shape;  // of the attribute `value`, if it is a tensor
  bool has_value_shape = false;
  std::uint32_t dtype = 0;
  Bytes source, module;
  std::int8_t trainable = -1;
  std::vector<FunctionReference> functions;

  void clear();
  // `entry` is an entry of the map of attributes. Appends it to `stored`, if it is well-formed.
  void read(Bytes entry, std::vector<std::uint8_t>& stored);

 private:
  void read_value(Bytes name, const Field& value);
  void read_list(Bytes name, Bytes list);

  std::size_t dtype_rank_ = 0;
};

}  // namespace seamark
