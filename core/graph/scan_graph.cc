#include "graph/scan_graph.h"

#include <string>
#include <string_view>

#include "format/fields.h"
#include "format/wire.h"
#include "graph/node_scan.h"

namespace seamark {
namespace {

Bytes bytes_of(std::string_view text) { return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}; }

std::uint64_t last_number(Bytes message, std::uint32_t number) {
  Cursor cursor(message);
  Field field;
  std::uint64_t value = 0;
  while (cursor.next(field)) {
    if (field.is(number, Wire::Varint)) value = field.value;
  }
  return value;
}

// The attributes of a function's arguments, by the position of the argument.
std::vector<Bytes> read_argument_attributes(Bytes function) {
  std::vector<Bytes> attributes;
  Cursor cursor(function);
  Field field;
  while (cursor.next(field)) {
    if (!field.is(function_field::kArgAttr, Wire::Length)) continue;
    const std::uint64_t position = last_number(field.bytes, entry_field::kKey);
    if (position >= kMaxOutputs) continue;
    if (attributes.size() <= position) attributes.resize(static_cast<std::size_t>(position) + 1);
    attributes[static_cast<std::size_t>(position)] = first_field(field.bytes, entry_field::kValue);
  }
  return attributes;
}

// What a function returns, by the name of the result.
struct Returned {
  Names names;
  std::vector<Bytes> inputs;

  explicit Returned(Bytes function) {
    Cursor cursor(function);
    Field field;
    while (cursor.next(field)) {
      if (!field.is(function_field::kRet, Wire::Length)) continue;
      const std::uint32_t index = names.find_or_add(first_field(field.bytes, entry_field::kKey));
      if (index == inputs.size()) inputs.push_back(first_field(field.bytes, entry_field::kValue));
    }
  }
};

class GraphScan {
 public:
  GraphScan(Bytes data, std::size_t max_nodes) : data_(data), max_nodes_(max_nodes), scan_(graph_, max_nodes) {
    // Index 0 is for none.
    graph_.device_names.find_or_add({});
    graph_.source_names.find_or_add({});
    graph_.module_names.find_or_add({});
  }

  Result<GraphColumns> run() {
    scan_fields();
    scan_.resolve_inputs();
    for (const Bytes library : libraries_) scan_library(library);
    if (scan_.is_full()) {
      return Error{"the graph has more than " + std::to_string(max_nodes_) + " nodes, which is the limit"};
    }
    const bool is_empty = graph_.nodes.size() == 0 && graph_.functions.empty();
    if (is_empty && (graph_.bad_nodes > 0 || graph_.consumed < data_.size() || has_unknown_)) {
      return Error{"the bytes are no GraphDef: no node can be read, and byte " + std::to_string(graph_.consumed) +
                   " starts no field of one"};
    }
    resolve_calls();
    return std::move(graph_);
  }

 private:
  void scan_fields() {
    Cursor cursor(data_);
    Field field;
    while (!scan_.is_full() && cursor.next(field)) {
      if (field.type != Wire::Length) {
        has_unknown_ = has_unknown_ || field.number > graph_field::kDebugInfo;
        continue;
      }
      switch (field.number) {
        case graph_field::kNode: scan_.scan(field.bytes); break;
        case graph_field::kLibrary: libraries_.push_back(field.bytes); break;
        case graph_field::kVersions: graph_.producer = last_number(field.bytes, versions_field::kProducer); break;
        case graph_field::kDebugInfo: graph_.debug_info = field.bytes; break;
        default: has_unknown_ = true;
      }
      graph_.consumed = static_cast<std::uint64_t>(field.bytes.data() + field.bytes.size() - data_.data());
    }
    if (cursor.ok()) graph_.consumed = data_.size();
  }

  void scan_library(Bytes library) {
    Cursor cursor(library);
    Field field;
    while (!scan_.is_full() && cursor.next(field)) {
      if (field.is(library_field::kFunction, Wire::Length)) scan_function(field.bytes);
    }
  }

  void scan_function(Bytes function) {
    const Bytes signature = first_field(function, function_field::kSignature);
    FunctionRange range{first_field(signature, op_field::kName), node_count()};
    add_arguments(function, signature);
    range.arguments = node_count() - range.first;
    Cursor cursor(function);
    Field field;
    while (!scan_.is_full() && cursor.next(field)) {
      if (field.is(function_field::kNode, Wire::Length)) scan_.scan(field.bytes);
    }
    const std::uint32_t body_end = node_count();
    add_results(function, signature);
    range.end = node_count();
    range.results = range.end - body_end;
    scan_.resolve_inputs();
    function_of_.add(range.name, static_cast<std::uint32_t>(graph_.functions.size()));
    graph_.functions.push_back(range);
  }

  std::uint32_t node_count() const { return static_cast<std::uint32_t>(graph_.nodes.size()); }

  void add_arguments(Bytes function, Bytes signature) {
    const std::vector<Bytes> attributes = read_argument_attributes(function);
    std::size_t position = 0;
    Cursor cursor(signature);
    Field field;
    while (!scan_.is_full() && cursor.next(field)) {
      if (!field.is(op_field::kInputArg, Wire::Length)) continue;
      Node node = node_of_argument(field.bytes, "_Arg");
      Cursor entries(position < attributes.size() ? attributes[position] : Bytes{});
      Field entry;
      while (entries.next(entry)) {
        if (entry.is(arg_attrs_field::kAttr, Wire::Length)) node.attributes.push_back(entry.bytes);
      }
      scan_.add(node);
      set_dtype(field.bytes);
      ++position;
    }
  }

  void add_results(Bytes function, Bytes signature) {
    const Returned returned(function);
    Cursor cursor(signature);
    Field field;
    while (!scan_.is_full() && cursor.next(field)) {
      if (!field.is(op_field::kOutputArg, Wire::Length)) continue;
      Node node = node_of_argument(field.bytes, "_Retval");
      const std::uint32_t index = returned.names.find(node.name);
      if (index != kNone) node.inputs.push_back(returned.inputs[index]);
      scan_.add(node);
      set_dtype(field.bytes);
    }
  }

  static Node node_of_argument(Bytes argument, std::string_view op) {
    Node node;
    node.name = first_field(argument, arg_field::kName);
    node.op = bytes_of(op);
    return node;
  }

  // An argument states the type of its one output itself.
  void set_dtype(Bytes argument) {
    if (scan_.is_full()) return;
    NodeColumns& nodes = graph_.nodes;
    if (nodes.output_starts.back() == nodes.output_starts[nodes.size() - 1]) {
      nodes.output_dtypes.push_back(0);
      nodes.output_shapes.push_back(-1);
      ++nodes.output_starts.back();
    }
    nodes.output_dtypes.back() = static_cast<std::uint32_t>(last_number(argument, arg_field::kType));
  }

  void resolve_calls() {
    if (graph_.functions.empty()) return;
    for (const FunctionUse& use : scan_.function_uses()) {
      const std::uint32_t function = function_of_.find(use.function);
      if (function != kNone) graph_.calls.push_back({use.node, function, use.attribute});
    }
    std::vector<std::uint32_t> function_of_op;
    for (const Bytes op : graph_.op_names.list()) function_of_op.push_back(function_of_.find(op));
    for (std::uint32_t node = 0; node < node_count(); ++node) {
      const std::uint32_t function = function_of_op[graph_.nodes.ops[node]];
      if (function != kNone) graph_.calls.push_back({node, function, {}});
    }
  }

  Bytes data_;
  std::size_t max_nodes_;
  GraphColumns graph_;
  NodeScan scan_;
  bool has_unknown_ = false;  // a field that a GraphDef does not have
  std::vector<Bytes> libraries_;
  NameMap function_of_;
};

}  // namespace

Bytes content_of_field(Bytes message, std::uint32_t number) {
  Cursor cursor(message);
  Field field;
  Bytes content;
  const std::uint8_t* at = message.data();
  while (cursor.next(field)) {
    if (field.type == Wire::Length) at = field.bytes.data() + field.bytes.size();
    if (field.is(number, Wire::Length)) content = field.bytes;
  }
  if (cursor.ok()) return content;
  // The data ends within a field, maybe within this one.
  const std::uint8_t* const end = message.data() + message.size();
  std::uint64_t key = 0, length = 0;
  const std::uint8_t* after = read_varint(at, end, key);
  if (after == nullptr || key != (std::uint64_t{number} << 3U | static_cast<std::uint64_t>(Wire::Length))) {
    return content;
  }
  after = read_varint(after, end, length);
  return after == nullptr ? content : Bytes{after, static_cast<std::size_t>(end - after)};
}

Result<GraphColumns> scan_graph(Bytes data, std::size_t max_nodes) { return GraphScan(data, max_nodes).run(); }

}  // namespace seamark
