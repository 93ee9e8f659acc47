// Adds nodes to the columns, and looks up their inputs.
#pragma once

#include "graph/attributes.h"

namespace seamark {

// The content of the first field with this number; empty if there is none.
Bytes first_field(Bytes message, std::uint32_t number);

// One node, then the next.
struct Node {
  Bytes name, op, device;
  std::vector<Bytes> inputs;
  std::vector<Bytes> attributes;

  // `message` is a NodeDef. False if it is malformed.
  bool parse(Bytes message);
  void clear();
};

// Which function an attribute of a node names.
struct FunctionUse {
  std::uint32_t node;
  Bytes attribute, function;
};

class NodeScan {
 public:
  NodeScan(GraphColumns& graph, std::size_t max_nodes) : graph_(graph), max_nodes_(max_nodes) {}

  void scan(Bytes message);
  void add(const Node& node);
  // Looks up the inputs of the nodes since the last call, all of one scope.
  void resolve_inputs();

  bool is_full() const { return is_full_; }  // there are more nodes than the limit allows
  const std::vector<FunctionUse>& function_uses() const { return function_uses_; }

 private:
  struct Input {
    Bytes name;
    std::uint32_t target, position;
  };

  std::int32_t shape_of(Bytes message) { return static_cast<std::int32_t>(graph_.shapes.find_or_add(message)); }
  void add_outputs();
  void add_edge(const Input& input);

  GraphColumns& graph_;
  std::size_t max_nodes_;
  bool is_full_ = false;
  Node node_;
  NodeAttributes attributes_;
  NameMap index_of_;
  std::vector<Input> inputs_;
  std::vector<FunctionUse> function_uses_;
};

}  // namespace seamark
