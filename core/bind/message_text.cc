// Protobuf messages as text.
#include "format/message_text.h"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include "bind/bind.h"
#include "format/text_parse.h"

namespace seamark {
namespace {

using PyField = std::tuple<std::uint32_t, std::string, int, std::size_t, bool, bool>;
using PyNames = std::vector<std::pair<std::int32_t, std::string>>;

void init(MessageText* self, const std::vector<std::vector<PyField>>& messages, std::vector<PyNames> enums) {
  TextSchema schema{{}, std::move(enums)};
  for (const std::vector<PyField>& message : messages) {
    std::vector<TextField>& fields = schema.messages.emplace_back();
    for (const auto& [number, name, type, target, is_repeated, is_map] : message) {
      fields.push_back({number, name, field_type_of(type), target, is_repeated, is_map});
    }
  }
  new (self) MessageText(std::move(schema));
}

nb::bytes format(const MessageText& self, const nb::bytes& data) {
  const Result<std::string> text = [&] {
    const Bytes view = view_of(data);
    nb::gil_scoped_release release;
    return self.format(view);
  }();
  if (!text) raise(text.error());
  return nb::bytes(text->data(), text->size());
}

nb::bytes parse(const MessageText& self, const nb::bytes& text) {
  const Result<std::vector<std::uint8_t>> data = [&] {
    const Bytes view = view_of(text);
    nb::gil_scoped_release release;
    return parse_text(view, self.schema());
  }();
  if (!data) raise(data.error());
  return to_bytes(*data);
}

}  // namespace

void bind_message_text(nb::module_& m) {
  nb::class_<MessageText>(m, "MessageText", "Formats protobuf messages of one type as text, and parses them.")
      .def("__init__", init, "messages"_a, "enums"_a,
           "messages: the fields of each type, in order of numbers, as (number, name, type as in FieldDescriptor, "
           "index\n"
           "of its message or enum, is repeated, is a map); the first type is the one to format. enums: (number, "
           "name),\n"
           "in order of numbers. ValueError for an invalid schema.")
      .def("format", format, "data"_a,
           "The text of a serialized message, in UTF-8, without unknown fields. ValueError for malformed bytes.")
      .def("parse", parse, "text"_a,
           "The serialized message of a text in UTF-8, without unknown fields. ValueError, with the line, for other "
           "text.");
}

}  // namespace seamark
