// Writes a small corpus for each fuzz target: make_seeds FOLDER creates FOLDER/record, wire, scan and so on.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "columns/stripe.h"
#include "testing/messages.h"

namespace {

using namespace seamark;
using testing::event_of;
using testing::File;
using testing::Message;
using testing::scalar_metadata;

void save(const std::filesystem::path& folder, const std::string& name, Bytes bytes) {
  std::filesystem::create_directories(folder);
  std::ofstream file(folder / name, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

std::vector<Message> sample_events() {
  const Message tensor = Message().varint(1, 1).bytes(2, Message().bytes(2, Message().varint(1, 1))).fixed32(5, 1.5F);
  const Message plain_tensor = Message().varint(1, 1).bytes(2, "").fixed32(5, 1.5F);
  const Message packed = Message().varint(1, 9).bytes(10, "\x05").bytes(4, "");
  const Message histogram =
      Message().fixed64(1, 0).bytes(6, Message().put(1.0).put(2.0)).bytes(7, Message().put(1.0).put(2.0));
  return {
      Message().fixed64(1, 1).bytes(3, "brain.Event:2").bytes(10, Message().bytes(1, "writer")),
      event_of(5, 2, Message().bytes(1, "loss").fixed32(2, 0.5F)),
      event_of(-5, 2, Message().bytes(1, "acc").bytes(8, tensor).bytes(9, scalar_metadata())),
      event_of(5, 2, Message().bytes(1, "acc").bytes(8, plain_tensor).bytes(9, scalar_metadata())),
      event_of(6, 3, Message().bytes(9, Message().varint(4, 1)).bytes(8, packed).bytes(7, "node")),
      event_of(7, 4, Message().bytes(1, "weights").bytes(5, histogram)),
      event_of(8, 4, Message().bytes(1, "img").bytes(4, Message().varint(1, 2).varint(2, 2).bytes(4, "png"))),
      Message().bytes(4, "graph"),
      Message().bytes(8, Message().bytes(1, "run").bytes(2, "meta")),
      Message().bytes(7, Message().varint(1, 1)).key(11, 3).varint(1, 5).key(11, 4),
  };
}

Block sample_stripe(std::size_t rows, std::uint32_t series) {
  std::vector<ScalarRow> scalars;
  for (std::size_t i = 0; i < rows; ++i) {
    scalars.push_back({static_cast<std::int64_t>(i % 20), static_cast<double>(i), static_cast<double>(i % 7),
                       static_cast<std::uint32_t>(i) % series});
  }
  const PayloadRow payload{1, 2, 3, 4, 0};
  return build_stripe(scalars, {&payload, 1}, series);
}

// A graph with attributes, a function and a call of it.
Message sample_graph() {
  const Message size = Message().varint(1, 4);
  const Message shapes = Message().bytes(7, Message().bytes(2, size).bytes(2, size));
  const auto attribute = [](std::string_view name, Bytes value) { return Message().bytes(1, name).bytes(2, value); };
  Message call;
  call.bytes(1, "a/call").bytes(2, "PartitionedCall").bytes(3, "in:1").bytes(3, "^in").bytes(4, "cpu");
  call.bytes(5, attribute("f", Message().bytes(10, Message().bytes(1, "square"))));
  call.bytes(5, attribute("_output_shapes", Message().bytes(1, shapes)));
  call.bytes(5, attribute("dtype", Message().varint(6, 1))).bytes(5, attribute("shape", Message().bytes(7, shapes)));
  const Message argument = Message().bytes(1, "x").varint(3, 1);
  const Message signature = Message().bytes(1, "square").bytes(2, argument).bytes(3, Message().bytes(1, "y"));
  const Message returned = Message().bytes(1, "y").bytes(2, "mul:z:0");
  const Message body = Message().bytes(1, "mul").bytes(2, "Mul").bytes(3, "x");
  const Message function = Message().bytes(1, signature).bytes(3, body).bytes(4, returned);
  const Message in = Message().bytes(1, "in").bytes(2, "Placeholder");
  return Message().bytes(1, in).bytes(1, call).bytes(2, Message().bytes(1, function)).bytes(4, Message().varint(1, 22));
}

std::string sample_trace(bool is_object) {
  const std::string events =
      R"([{"ph":"M","name":"thread_name","pid":1,"tid":2,"args":{"name":"main"}},
{"ph":"X","cat":"cpu_op","name":"a\u00e9","pid":1,"tid":2,"ts":10.5,"dur":3,"args":{"External id":7,"x":[1,"]"]}},
{"ph":"X","cat":"kernel","pid":"0","tid":"7","ts":"12.001","dur":-1,"args":{"stream":"7","blocks per SM":0.25}},
{"ph":"B","pid":1,"tid":2,"ts":11},{"ph":"E","pid":1,"tid":2,"ts":20},{"ph":"b","id":1,"ts":1},{"ph":"e","id":1,"ts":2},
{"ph":"s","id":1,"pid":1,"tid":2,"ts":10.5},{"ph":"f","id":1,"pid":0,"tid":7,"ts":12.001,"bp":"e"},
{"ph":"C","name":"m","ts":11,"args":{"used":5}},{"ph":"i","ts":1844674407370955.1,"args":{"Bytes":-4}},{}])";
  return is_object ? R"({"a":1,"traceEvents":)" + events + R"(,"b":"c"})" : "\x09" + events;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: make_seeds FOLDER\n");
    return 2;
  }
  const std::filesystem::path folder = arguments[1];
  File file;
  std::vector<std::uint8_t> parts = {40};
  int number = 0;
  for (const Message& event : sample_events()) {
    file.add(event);
    save(folder / "wire", "event" + std::to_string(number++), event);
    parts.push_back(static_cast<std::uint8_t>(event.view().size()));
    parts.insert(parts.end(), event.view().begin(), event.view().end());
  }
  const std::string_view sample_text =
      "f1: -1.5e3 f3: inf f5: -7 f9: 0x1F f15: true # comment\nf17: \"a\\n\\101\" 'b' f20 { f23: '\\377' } f27: FIVE\n"
      "f4: [1, 2] f35 { key: 'k' value { f5: 1 } } unknown < x: [{ y: 1 }] >";
  save(folder / "wire", "text", testing::text(sample_text));
  save(folder / "graph", "graph", sample_graph());
  save(folder / "graph", "meta_graph", Message().bytes(2, sample_graph()));
  save(folder / "trace", "object", testing::text(sample_trace(true)));
  save(folder / "trace", "array", testing::text(sample_trace(false)));
  save(folder / "numbers", "tabs", testing::text(" 1\t-2.5e3\t+.5\r\n\nnan\tinf\t1e400\n"));
  save(folder / "numbers", "commas", testing::text("!0.1,1e-400\n3, -inf\n"));
  save(folder / "record", "file", file.view());
  save(folder / "scan", "parts", parts);
  std::vector<std::uint8_t> framed = {7};
  framed.insert(framed.end(), file.view().begin(), file.view().end());
  save(folder / "scan", "file", framed);
  for (const char* options : {"\x05\x02\x03", "\xff\xff\x40"}) {
    std::vector<std::uint8_t> read(options, options + 3);
    read.insert(read.end(), file.view().begin(), file.view().end());
    save(folder / "reader", std::to_string(read[0]) + "_file", read);
    read.resize(3);
    read.insert(read.end(), parts.begin() + 1, parts.end());
    save(folder / "reader", std::to_string(read[0]) + "_parts", read);
  }
  std::vector<std::uint8_t> points = {70, 9, 12};
  for (int i = 0; i < 900; ++i) {
    for (const int byte : {i / 5, i * 7, i / 50}) points.push_back(static_cast<std::uint8_t>(byte));
  }
  save(folder / "digest", "points", points);
  save(folder / "stripe", "one", sample_stripe(1, 1).bytes());
  save(folder / "stripe", "several", sample_stripe(40, 3).bytes());
  save(folder / "stripe", "cells", sample_stripe(300, 1).bytes());
  return 0;
}
