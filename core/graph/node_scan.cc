#include "graph/node_scan.h"

#include <algorithm>

#include "format/fields.h"
#include "format/wire.h"

namespace seamark {
namespace {

// What an input names: a node, maybe behind a caret, maybe with the number of its output.
struct InputName {
  Bytes node;
  std::uint32_t output = 0;

  // Removes the part after the last colon. False if there is none.
  bool drop_part() {
    const auto colon = std::find(node.rbegin(), node.rend(), std::uint8_t{':'});
    if (colon == node.rend()) return false;
    const std::size_t at = static_cast<std::size_t>(node.rend() - colon) - 1;
    std::uint32_t number = 0;
    bool is_number = at + 1 < node.size();
    for (const std::uint8_t digit : node.subspan(at + 1)) {
      is_number = is_number && digit >= '0' && digit <= '9' && number < 1'000'000;
      number = is_number ? number * 10 + (digit - std::uint32_t{'0'}) : 0;
    }
    if (is_number) output = number;
    node = node.first(at);
    return true;
  }
};

}  // namespace

Bytes first_field(Bytes message, std::uint32_t number) {
  Cursor cursor(message);
  Field field;
  while (cursor.next(field)) {
    if (field.is(number, Wire::Length)) return field.bytes;
  }
  return {};
}

void Node::clear() {
  name = op = device = {};
  inputs.clear();
  attributes.clear();
}

bool Node::parse(Bytes message) {
  clear();
  Cursor cursor(message);
  Field field;
  while (cursor.next(field)) {
    if (field.type != Wire::Length) continue;
    switch (field.number) {
      case node_field::kName: name = field.bytes; break;
      case node_field::kOp: op = field.bytes; break;
      case node_field::kInput: inputs.push_back(field.bytes); break;
      case node_field::kDevice: device = field.bytes; break;
      case node_field::kAttr: attributes.push_back(field.bytes); break;
      default: break;
    }
  }
  return cursor.ok();
}

void NodeScan::scan(Bytes message) {
  if (node_.parse(message)) {
    add(node_);
  } else {
    ++graph_.bad_nodes;
  }
}

void NodeScan::add(const Node& node) {
  NodeColumns& nodes = graph_.nodes;
  if (nodes.size() >= max_nodes_) {
    is_full_ = true;
    return;
  }
  const auto index = static_cast<std::uint32_t>(nodes.size());
  attributes_.clear();
  for (const Bytes entry : node.attributes) attributes_.read(entry, nodes.attributes);
  nodes.attribute_starts.push_back(nodes.attributes.size());
  nodes.names.push_back(node.name);
  nodes.ops.push_back(graph_.op_names.find_or_add(node.op));
  nodes.devices.push_back(graph_.device_names.find_or_add(node.device));
  nodes.sources.push_back(graph_.source_names.find_or_add(attributes_.source));
  nodes.modules.push_back(graph_.module_names.find_or_add(attributes_.module));
  nodes.trainable.push_back(attributes_.trainable);
  nodes.variable_shapes.push_back(attributes_.has_shape ? shape_of(attributes_.shape) : -1);
  add_outputs();
  index_of_.add(node.name, index);
  for (std::uint32_t i = 0; i < node.inputs.size(); ++i) inputs_.push_back({node.inputs[i], index, i});
  for (const FunctionReference& reference : attributes_.functions) {
    function_uses_.push_back({index, reference.attribute, first_field(reference.function, func_field::kName)});
  }
}

void NodeScan::add_outputs() {
  NodeColumns& nodes = graph_.nodes;
  std::vector<Bytes>& shapes = attributes_.output_shapes;
  std::vector<std::uint32_t>& dtypes = attributes_.output_dtypes;
  if (shapes.empty() && attributes_.has_shape) shapes.push_back(attributes_.shape);
  if (shapes.empty() && attributes_.has_value_shape) shapes.push_back(attributes_.value_shape);
  const std::size_t count = std::max({shapes.size(), dtypes.size(), std::size_t{attributes_.dtype != 0}});
  for (std::size_t i = 0; i < count; ++i) {
    nodes.output_dtypes.push_back(i < dtypes.size() ? dtypes[i] : attributes_.dtype);
    nodes.output_shapes.push_back(i < shapes.size() ? shape_of(shapes[i]) : -1);
  }
  nodes.output_starts.push_back(static_cast<std::uint32_t>(nodes.output_dtypes.size()));
}

void NodeScan::resolve_inputs() {
  for (const Input& input : inputs_) add_edge(input);
  inputs_.clear();
  index_of_.clear();
}

void NodeScan::add_edge(const Input& input) {
  const bool is_control = !input.name.empty() && input.name[0] == '^';
  InputName name{is_control ? input.name.subspan(1) : input.name};
  std::uint32_t source = index_of_.find(name.node);
  // In a function's body an input may have the name of an output, too: "node:output:1".
  for (int parts = 0; source == kNone && parts < 2 && name.drop_part(); ++parts) source = index_of_.find(name.node);
  if (source == kNone) {
    graph_.missing_inputs.push_back({input.target, input.name});
    return;
  }
  EdgeColumns& edges = graph_.edges;
  edges.sources.push_back(source);
  edges.targets.push_back(input.target);
  edges.outputs.push_back(is_control ? 0 : name.output);
  edges.inputs.push_back(input.position);
  edges.is_control.push_back(is_control ? 1 : 0);
}

}  // namespace seamark
