#include "graph/scan_graph.h"

#include <string>

#include "testing/messages.h"
#include "testing/testing.h"

namespace seamark {
namespace {

using testing::letters;
using testing::Message;

constexpr std::size_t kMaxNodes = 1000;

Message node(std::string_view name, std::initializer_list<std::string_view> inputs = {}) {
  Message message;
  message.bytes(1, name).bytes(2, "Op");
  for (const std::string_view input : inputs) message.bytes(3, input);
  return message;
}

Message attribute(std::string_view name, Bytes value) { return Message().bytes(1, name).bytes(2, value); }

Message shape(std::initializer_list<std::int64_t> sizes) {
  Message message;
  for (const std::int64_t size : sizes) message.bytes(2, Message().varint(1, static_cast<std::uint64_t>(size)));
  return message;
}

}  // namespace

TEST(graph_edges_name_outputs_and_controls) {
  Message data;
  data.bytes(1, node("a")).bytes(1, node("b", {"a", "a:12", "^a", "gone"})).bytes(4, Message().varint(1, 22));
  const Result<GraphColumns> graph = scan_graph(data, kMaxNodes);
  CHECK(graph && graph->nodes.size() == 2 && graph->producer == 22);
  CHECK((graph->edges.outputs == std::vector<std::uint32_t>{0, 12, 0}));
  CHECK((graph->edges.inputs == std::vector<std::uint32_t>{0, 1, 2}));
  CHECK((graph->edges.is_control == std::vector<std::uint8_t>{0, 0, 1}));
  CHECK(graph->missing_inputs.size() == 1 && letters(graph->missing_inputs[0].name) == "gone");
  CHECK(graph->consumed == data.view().size());
}

TEST(graph_outputs_come_from_attributes) {
  const Message list = Message().bytes(7, shape({2, -1})).bytes(7, Message().varint(3, 1));
  Message one = node("a");
  one.bytes(5, attribute("T", Message().varint(6, 1)));
  one.bytes(5, attribute("dtype", Message().varint(6, 9)));
  one.bytes(5, attribute("_output_shapes", Message().bytes(1, list)));
  const Message data = Message().bytes(1, one);
  const Result<GraphColumns> graph = scan_graph(data, kMaxNodes);
  CHECK(graph && (graph->nodes.output_starts == std::vector<std::uint32_t>{0, 2}));
  CHECK((graph->nodes.output_dtypes == std::vector<std::uint32_t>{9, 9}));
  Sizes sizes;
  CHECK(graph->shapes.read(0, sizes) && (sizes == Sizes{2, -1}));
  CHECK(!graph->shapes.read(1, sizes));
}

TEST(graph_stores_small_attributes_and_omits_large_ones) {
  const std::vector<std::uint8_t> numbers(100'000);
  const Message tensor = Message().varint(1, 1).bytes(2, shape({25'000})).bytes(4, numbers);
  Message one = node("a");
  one.bytes(5, attribute("axis", Message().varint(3, 7)));
  one.bytes(5, attribute("value", Message().bytes(8, tensor)));
  const Message data = Message().bytes(1, one);
  const Result<GraphColumns> graph = scan_graph(data, kMaxNodes);
  CHECK(graph.operator bool());
  const Bytes head = Bytes(numbers).first(200);
  const Message omitted = Message().bytes(1, "value").varint(2, 8).varint(5, tensor.view().size()).varint(3, 1);
  const Message stored = Message()
                             .bytes(5, attribute("axis", Message().varint(3, 7)))
                             .bytes(15, Message().raw(omitted).bytes(4, shape({25'000})).bytes(6, head));
  CHECK(same_bytes(graph->nodes.attributes, stored));
}

TEST(graph_functions_have_arguments_a_body_and_results) {
  const Message argument = Message().bytes(1, "x").varint(3, 1);
  const Message result = Message().bytes(1, "y").varint(3, 1);
  const Message signature = Message().bytes(1, "square").bytes(2, argument).bytes(3, result);
  const Message returned = Message().bytes(1, "y").bytes(2, "mul:z:1");
  const Message function = Message().bytes(1, signature).bytes(3, node("mul", {"x"})).bytes(4, returned);
  Message call = node("call");
  call.bytes(5, attribute("f", Message().bytes(10, Message().bytes(1, "square"))));
  const Message data = Message().bytes(2, Message().bytes(1, function)).bytes(1, call);
  const Result<GraphColumns> graph = scan_graph(data, kMaxNodes);
  CHECK(graph && graph->functions.size() == 1 && graph->nodes.size() == 4);
  const FunctionRange& range = graph->functions[0];
  CHECK(range.first == 1 && range.arguments == 1 && range.results == 1 && range.end == 4);
  CHECK(graph->calls.size() == 1 && graph->calls[0].node == 0 && letters(graph->calls[0].attribute) == "f");
  CHECK((graph->edges.sources == std::vector<std::uint32_t>{1, 2}));
  CHECK((graph->edges.outputs == std::vector<std::uint32_t>{0, 1}));
}

TEST(graph_that_ends_early_gives_what_comes_before) {
  const Message data = Message().bytes(1, node("a")).bytes(1, node("b"));
  const std::size_t first = Message().bytes(1, node("a")).view().size();
  for (std::size_t size = first; size < data.view().size(); ++size) {
    const Result<GraphColumns> graph = scan_graph(data.view().first(size), kMaxNodes);
    CHECK(graph && graph->nodes.size() == 1 && graph->consumed == first);
  }
  for (std::size_t size = 1; size < first; ++size) CHECK(!scan_graph(data.view().first(size), kMaxNodes));
  CHECK(scan_graph({}, kMaxNodes).operator bool());
}

TEST(graph_of_too_many_nodes_is_an_error) {
  const Message data = Message().bytes(1, node("a")).bytes(1, node("b"));
  CHECK(scan_graph(data, 2).operator bool());
  const Result<GraphColumns> graph = scan_graph(data, 1);
  CHECK(!graph && graph.error().message.find("more than 1 nodes") != std::string::npos);
}

TEST(graph_inside_another_message) {
  const Message graph = Message().bytes(1, node("a")).bytes(1, node("b"));
  const Message meta = Message().bytes(1, "info").bytes(2, graph);
  CHECK(same_bytes(content_of_field(meta, 2), graph));
  const Bytes cut = content_of_field(meta.view().first(meta.view().size() - 3), 2);
  CHECK(same_bytes(cut, graph.view().first(graph.view().size() - 3)));
  CHECK(content_of_field(meta, 7).empty());
}

}  // namespace seamark
