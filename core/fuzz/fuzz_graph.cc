// Any bytes as a GraphDef: indices stay within their columns, views within the bytes.
#include <cstdlib>

#include "graph/scan_graph.h"

namespace {

using namespace seamark;

void require(bool condition) {
  if (!condition) std::abort();
}

void require_below(const std::vector<std::uint32_t>& indices, std::size_t count) {
  for (const std::uint32_t index : indices) require(index < count);
}

void check_nodes(const GraphColumns& graph) {
  const NodeColumns& nodes = graph.nodes;
  const std::size_t count = nodes.size();
  require(nodes.output_starts.size() == count + 1 && nodes.attribute_starts.size() == count + 1);
  require(nodes.output_starts.back() == nodes.output_dtypes.size());
  require(nodes.output_shapes.size() == nodes.output_dtypes.size());
  require(nodes.attribute_starts.back() == nodes.attributes.size());
  require_below(nodes.ops, graph.op_names.list().size());
  require_below(nodes.devices, graph.device_names.list().size());
  require_below(nodes.sources, graph.source_names.list().size());
  require_below(nodes.modules, graph.module_names.list().size());
  const auto shapes = static_cast<std::int32_t>(graph.shapes.size());
  for (const std::int32_t shape : nodes.output_shapes) require(shape >= -1 && shape < shapes);
  for (const std::int32_t shape : nodes.variable_shapes) require(shape >= -1 && shape < shapes);
}

void check_edges(const GraphColumns& graph) {
  require_below(graph.edges.sources, graph.nodes.size());
  require_below(graph.edges.targets, graph.nodes.size());
  for (std::size_t i = 1; i < graph.edges.targets.size(); ++i) {
    require(graph.edges.targets[i - 1] <= graph.edges.targets[i]);
  }
}

void check_functions(const GraphColumns& graph) {
  std::uint32_t last_end = 0;
  for (const FunctionRange& function : graph.functions) {
    require(last_end <= function.first && function.first + function.arguments + function.results <= function.end);
    last_end = function.end;
  }
  require(last_end <= graph.nodes.size());
  for (const Call& call : graph.calls)
    require(call.node < graph.nodes.size() && call.function < graph.functions.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Bytes message(data, size);
  for (const Bytes bytes : {message, content_of_field(message, 2)}) {
    const Result<GraphColumns> graph = scan_graph(bytes, 100);
    if (!graph) continue;
    require(graph->consumed <= bytes.size());
    check_nodes(*graph);
    check_edges(*graph);
    check_functions(*graph);
    Sizes sizes;
    for (std::uint32_t shape = 0; shape < graph->shapes.size(); ++shape) (void)graph->shapes.read(shape, sizes);
  }
  return 0;
}
