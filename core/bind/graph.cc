// GraphDefs as columns.
#include <nanobind/stl/unique_ptr.h>

#include <utility>

#include "bind/bind.h"
#include "graph/scan_graph.h"

#define SIG_SHAPES "list[tuple[int, ...] | None]"

namespace seamark {
namespace {

// The columns hold views of the buffer.
struct PyGraph {
  PyGraph(nb::handle data, const std::vector<std::uint32_t>& path, std::size_t max_nodes) : buffer(data) {
    nb::gil_scoped_release release;
    graph = buffer.bytes();
    for (const std::uint32_t number : path) graph = content_of_field(graph, number);
    columns = scan_graph(graph, max_nodes);
  }

  PinnedBuffer buffer;
  Bytes graph;
  Result<GraphColumns> columns = Error{};
};

std::unique_ptr<PyGraph> scan(nb::handle data, std::size_t max_nodes, const std::vector<std::uint32_t>& path) {
  auto graph = std::make_unique<PyGraph>(data, path, max_nodes);
  if (!graph->columns) raise(graph->columns.error());
  return graph;
}

nb::list to_texts(const std::vector<Bytes>& texts) {
  nb::list list;
  for (const Bytes text : texts) list.append(to_text(text));
  return list;
}

template <class T, class From>
nb::object to_column(const std::vector<From>& values) {
  return collect<T>(values, [](From value) { return static_cast<T>(value); });
}

nb::dict nodes(const PyGraph& self) {
  const NodeColumns& nodes = self.columns->nodes;
  nb::dict table;
  table["ops"] = to_column<std::int32_t>(nodes.ops);
  table["devices"] = to_column<std::int32_t>(nodes.devices);
  table["sources"] = to_column<std::int32_t>(nodes.sources);
  table["modules"] = to_column<std::int32_t>(nodes.modules);
  table["trainable"] = to_column<std::int8_t>(nodes.trainable);
  table["variable_shapes"] = to_column<std::int32_t>(nodes.variable_shapes);
  table["output_starts"] = to_column<std::int32_t>(nodes.output_starts);
  table["output_dtypes"] = to_column<std::int32_t>(nodes.output_dtypes);
  table["output_shapes"] = to_column<std::int32_t>(nodes.output_shapes);
  table["attribute_starts"] = to_column<std::int64_t>(nodes.attribute_starts);
  return table;
}

nb::dict edges(const PyGraph& self) {
  const EdgeColumns& edges = self.columns->edges;
  nb::dict table;
  table["sources"] = to_column<std::int32_t>(edges.sources);
  table["targets"] = to_column<std::int32_t>(edges.targets);
  table["outputs"] = to_column<std::int32_t>(edges.outputs);
  table["inputs"] = to_column<std::int32_t>(edges.inputs);
  table["is_control"] = to_column<bool>(edges.is_control);
  return table;
}

nb::list shapes(const PyGraph& self) {
  const Shapes& shapes = self.columns->shapes;
  nb::list list;
  Sizes sizes;
  for (std::uint32_t shape = 0; shape < shapes.size(); ++shape) {
    if (!shapes.read(shape, sizes)) {
      list.append(nb::none());
      continue;
    }
    nb::list one;
    for (const std::int64_t size : sizes) one.append(size);
    list.append(nb::tuple(one));
  }
  return list;
}

nb::list functions(const PyGraph& self) {
  nb::list list;
  for (const FunctionRange& function : self.columns->functions) {
    list.append(
        nb::make_tuple(to_text(function.name), function.first, function.arguments, function.results, function.end));
  }
  return list;
}

nb::list calls(const PyGraph& self) {
  nb::list list;
  for (const Call& call : self.columns->calls) {
    list.append(nb::make_tuple(call.node, call.function, to_text(call.attribute)));
  }
  return list;
}

nb::list missing_inputs(const PyGraph& self) {
  nb::list list;
  for (const MissingInput& input : self.columns->missing_inputs) {
    list.append(nb::make_tuple(input.target, to_text(input.name)));
  }
  return list;
}

nb::bytes take_attributes(PyGraph& self) {
  const std::vector<std::uint8_t> attributes = std::exchange(self.columns->nodes.attributes, {});
  return to_bytes(attributes);
}

}  // namespace

void bind_graph(nb::module_& m) {
  nb::class_<PyGraph>(m, "GraphColumns", "The nodes and edges of a GraphDef. Indices into lists of names and shapes.")
      .def(
          "names", [](const PyGraph& self) { return to_texts(self.columns->nodes.names); },
          nb::sig("def names(self) -> list[str]"), "The nodes' names, as they are.")
      .def(
          "op_names", [](const PyGraph& self) { return to_texts(self.columns->op_names.list()); },
          nb::sig("def op_names(self) -> list[str]"))
      .def(
          "device_names", [](const PyGraph& self) { return to_texts(self.columns->device_names.list()); },
          nb::sig("def device_names(self) -> list[str]"), "The first is empty: no device.")
      .def(
          "source_names", [](const PyGraph& self) { return to_texts(self.columns->source_names.list()); },
          nb::sig("def source_names(self) -> list[str]"), "Of the attribute `source`. The first is empty: none.")
      .def(
          "module_names", [](const PyGraph& self) { return to_texts(self.columns->module_names.list()); },
          nb::sig("def module_names(self) -> list[str]"), "Of the attribute `module`. The first is empty: none.")
      .def("nodes", nodes, nb::sig("def nodes(self) -> " SIG_TABLE),
           "ops, devices, sources, modules, trainable (-1: not stated), variable_shapes (the attribute `shape`, or "
           "-1),\n"
           "output_starts, output_dtypes (numbers of DataType), output_shapes (-1: unknown), attribute_starts.")
      .def("edges", edges, nb::sig("def edges(self) -> " SIG_TABLE),
           "sources, targets, outputs (of the source), inputs (of the target), is_control; in order of targets.")
      .def("shapes", shapes, nb::sig("def shapes(self) -> " SIG_SHAPES), "-1 for a dimension of any size.")
      .def("functions", functions, nb::sig("def functions(self) -> list[tuple[str, int, int, int, int]]"),
           "(name, first node, number of arguments, number of results, one past the last node). Nodes of arguments\n"
           "come first, then the body, then nodes of results.")
      .def("calls", calls, nb::sig("def calls(self) -> list[tuple[int, int, str]]"),
           "(node, function, the attribute that names it; \"\" if the node's op does)")
      .def("missing_inputs", missing_inputs, nb::sig("def missing_inputs(self) -> list[tuple[int, str]]"),
           "(node, name of an input that no node has)")
      .def("take_attributes", take_attributes, "The attributes of all nodes, each a StoredAttributes. Once.")
      .def_prop_ro(
          "debug_info", [](const PyGraph& self) { return to_bytes(self.columns->debug_info); }, "A GraphDebugInfo.")
      .def_prop_ro("producer", [](const PyGraph& self) { return self.columns->producer; })
      .def_prop_ro(
          "bad_nodes", [](const PyGraph& self) { return self.columns->bad_nodes; },
          "How many nodes are malformed and left out.")
      .def_prop_ro(
          "consumed", [](const PyGraph& self) { return self.columns->consumed; },
          "Bytes that were read; fewer than `size` if the data ends within a field.")
      .def_prop_ro("size", [](const PyGraph& self) { return self.graph.size(); }, "Bytes of the GraphDef.");
  m.def("scan_graph", scan, "data"_a, nb::kw_only(), "max_nodes"_a, "path"_a = std::vector<std::uint32_t>{},
        nb::sig("def scan_graph(data: " SIG_BUFFER ", *, max_nodes: int, path: list[int] = ...) -> GraphColumns"),
        "Reads a GraphDef, or one inside another message: `path` has the numbers of the fields that lead to it. One "
        "that\n"
        "ends early gives what comes before its end. ValueError for bytes that are no GraphDef, and for more than\n"
        "`max_nodes` nodes.");
}

}  // namespace seamark
