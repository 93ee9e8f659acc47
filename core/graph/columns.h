// GraphColumns: the nodes and edges of a GraphDef as columns. Names are views of the GraphDef's bytes.
#pragma once

#include "graph/names.h"
#include "graph/shapes.h"

namespace seamark {

struct NodeColumns {
  std::vector<Bytes> names;
  std::vector<std::uint32_t> ops;      // of op_names
  std::vector<std::uint32_t> devices;  // of device_names
  std::vector<std::uint32_t> sources;  // of source_names: the attribute `source`
  std::vector<std::uint32_t> modules;  // of module_names: the attribute `module`
  std::vector<std::int8_t> trainable;  // the attribute `trainable`; -1: it has none
  // The attribute `shape`, of shapes: what a variable holds. -1: it has none.
  std::vector<std::int32_t> variable_shapes;
  // The outputs of node n are output_starts[n] to output_starts[n + 1] - 1.
  std::vector<std::uint32_t> output_starts = {0};
  std::vector<std::uint32_t> output_dtypes;  // numbers of DataType
  std::vector<std::int32_t> output_shapes;   // of shapes; -1: unknown
  // Node n has the bytes attribute_starts[n] to attribute_starts[n + 1], a StoredAttributes.
  std::vector<std::uint64_t> attribute_starts = {0};
  std::vector<std::uint8_t> attributes;

  std::size_t size() const { return names.size(); }
};

// Sorted by target, then by input.
struct EdgeColumns {
  std::vector<std::uint32_t> sources;
  std::vector<std::uint32_t> targets;
  std::vector<std::uint32_t> outputs;  // of the source
  std::vector<std::uint32_t> inputs;   // of the target: the how-manieth of its inputs
  std::vector<std::uint8_t> is_control;
};

// The nodes first to end - 1: `arguments` nodes, then its body, then `results` nodes.
struct FunctionRange {
  Bytes name;
  std::uint32_t first = 0;
  std::uint32_t arguments = 0;
  std::uint32_t results = 0;
  std::uint32_t end = 0;
};

struct Call {
  std::uint32_t node = 0;
  std::uint32_t function = 0;
  Bytes attribute;  // that names the function; empty if the node's op does
};

struct MissingInput {
  std::uint32_t target = 0;
  Bytes name;
};

struct GraphColumns {
  NodeColumns nodes;
  EdgeColumns edges;
  Names op_names, device_names, source_names, module_names;
  Shapes shapes;
  std::vector<FunctionRange> functions;
  std::vector<Call> calls;
  std::vector<MissingInput> missing_inputs;
  std::uint64_t producer = 0;   // version of the program that made it
  Bytes debug_info;             // GraphDebugInfo
  std::uint64_t bad_nodes = 0;  // malformed, and left out
  std::uint64_t consumed = 0;   // bytes of whole fields; fewer than the data has if it ends early
};

}  // namespace seamark
