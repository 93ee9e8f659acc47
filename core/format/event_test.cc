#include "format/event.h"

#include "testing/messages.h"
#include "testing/testing.h"

namespace seamark {
using testing::event_of;
using testing::letters;
using testing::Message;
using testing::scalar_metadata;

TEST(event_whose_parts_would_be_copied_too_often_is_malformed) {
  Message value;
  for (int i = 0; i < 40000; ++i) value.bytes(9, Message().bytes(2, "xx"));
  EventParser parser;
  CHECK(!parser.parse(Bytes(event_of(1, 1, value.bytes(1, "t")))));
}

TEST(event_with_a_name_of_megabytes_is_malformed) {
  EventParser parser;
  CHECK(parser.parse(Bytes(event_of(1, 1, Message().bytes(1, std::string(1 << 20, 'x')).fixed32(2, 1.0F)))));
  CHECK(!parser.parse(Bytes(event_of(1, 1, Message().bytes(1, std::string((1 << 20) + 1, 'x')).fixed32(2, 1.0F)))));
}

TEST(event_fields_in_any_order) {
  const Message message = Message()
                              .bytes(5, Message().bytes(1, Message().fixed32(2, 1.5F).bytes(1, "loss")))
                              .varint(2, static_cast<std::uint64_t>(std::int64_t{-5}))
                              .fixed64(1, 12.5);
  EventParser parser;
  CHECK(parser.parse(message));
  const Event& event = parser.event();
  CHECK(event.wall_time == 12.5 && event.step == -5 && event.values.size() == 1);
  CHECK(letters(event.values[0].tag) == "loss" && event.values[0].simple == 1.5F &&
        event.values[0].form == Form::Scalar);
}

TEST(event_one_of_the_last_wins_and_summaries_add_up) {
  const Message a = Message().bytes(1, Message().bytes(1, "a").fixed32(2, 1));
  const Message b = Message().bytes(1, Message().bytes(1, "b").fixed32(2, 2));
  EventParser parser;
  CHECK(parser.parse(Message().bytes(5, a).bytes(5, b)) && parser.event().values.size() == 2);
  const Message versioned = Message().bytes(5, a).bytes(3, "brain.Event:2");
  CHECK(parser.parse(versioned) && parser.event().values.empty());
  CHECK(letters(parser.event().file_version) == "brain.Event:2");
  CHECK(parser.parse(Message().bytes(4, "graph").bytes(5, b)) && !parser.event().has_content);
  CHECK(parser.event().file_version.empty());
}

TEST(event_value_forms_by_their_field) {
  const std::pair<std::uint32_t, Form> forms[] = {
      {3, Form::OldHisto}, {4, Form::Image}, {5, Form::Histo}, {6, Form::Audio}, {8, Form::Tensor}};
  for (const auto& [number, form] : forms) {
    const Message message = event_of(1, 2, Message().bytes(1, "x").bytes(number, ""));
    EventParser parser;
    CHECK(parser.parse(message) && parser.event().values[0].form == form);
  }
}

TEST(event_content_by_its_field) {
  const std::pair<std::uint32_t, Form> forms[] = {{4, Form::GraphDef},
                                                  {6, Form::LogMessage},
                                                  {7, Form::SessionLog},
                                                  {8, Form::RunMetadata},
                                                  {9, Form::MetaGraphDef}};
  const Message inner = Message().bytes(1, "step 5");
  for (const auto& [number, form] : forms) {
    const Message message = Message().bytes(number, inner);
    EventParser parser;
    CHECK(parser.parse(message) && parser.event().has_content && parser.event().form == form);
    CHECK(letters(parser.event().content_tag) == (form == Form::RunMetadata ? "step 5" : ""));
  }
}

TEST(event_messages_given_twice_are_merged) {
  const Message value = Message()
                            .bytes(9, Message().varint(4, 1))
                            .bytes(8, Message().varint(1, 1))
                            .bytes(9, Message().bytes(2, "name"))
                            .bytes(8, Message().fixed32(5, 4));
  const Message message = event_of(0, 0, value);
  EventParser parser;
  CHECK(parser.parse(message));
  CHECK(is_scalar_metadata(parser.event().values[0].metadata));
  CHECK(parser.event().values[0].tensor.message.size() == 7 && parser.event().values[0].tensor.dtype == 1);
}

TEST(event_tensor_without_tag_is_named_by_its_node) {
  const Message message = event_of(0, 0, Message().bytes(7, "node").bytes(8, ""));
  EventParser parser;
  CHECK(parser.parse(message) && letters(parser.event().values[0].name()) == "node");
}

TEST(event_malformed_at_any_depth_is_rejected) {
  EventParser parser;
  CHECK(!parser.parse(testing::text("\x0a")));
  CHECK(!parser.parse(Message().bytes(5, "\x0a")));
  CHECK(!parser.parse(event_of(0, 0, testing::text("\x0a"))));
  for (const std::uint32_t number : {4U, 5U, 6U, 8U, 9U}) {
    CHECK(!parser.parse(event_of(0, 0, Message().bytes(number, "\x0a"))));
  }
  CHECK(!parser.parse(event_of(0, 0, Message().bytes(9, Message().bytes(1, "\x0a")))));
  CHECK(!parser.parse(event_of(0, 0, Message().bytes(5, Message().bytes(6, "123")))));
  CHECK(!parser.parse(Message().bytes(7, "\x0a")));
  CHECK(parser.parse(Message().bytes(4, "\x0a")));  // a graph is bytes to us
}

TEST(event_field_of_a_wrong_type_is_unknown) {
  const Message message = Message().varint(1, 7).bytes(2, "x").fixed32(5, 1);
  EventParser parser;
  CHECK(parser.parse(message) && parser.event().wall_time == 0 && parser.event().step == 0);
  CHECK(parser.event().values.empty());
}

TEST(event_metadata_of_scalars) {
  CHECK(is_scalar_metadata(scalar_metadata()));
  CHECK(is_scalar_metadata(Message().varint(4, 1)));
  CHECK(!is_scalar_metadata(Message().varint(4, 2)));
  CHECK(!is_scalar_metadata(Message().bytes(1, Message().bytes(1, "scalar"))));
  CHECK(!is_scalar_metadata({}));
}

TEST(event_plugin_name_is_read_from_plain_metadata_only) {
  const auto name_of = [](Bytes metadata) {
    Bytes name;
    return read_plugin_name(metadata, name) ? std::string(letters(name)) : "none";
  };
  const Message plugin = Message().bytes(1, "hparams").bytes(2, "\xff");
  CHECK(name_of(Message().bytes(1, plugin)) == "hparams");
  CHECK(name_of(Message().bytes(1, plugin).bytes(2, "title").bytes(3, "text").varint(4, 1)) == "hparams");
  CHECK(name_of(Message().bytes(1, Message().bytes(1, "a").bytes(1, "b"))) == "b");
  CHECK(name_of(Message().varint(1, 5).varint(9, 5)).empty());
  CHECK(name_of({}).empty());
  CHECK(name_of(Message().bytes(1, plugin).bytes(1, plugin)) == "none");
  CHECK(name_of(Message().bytes(1, plugin).bytes(2, "\xc3\xa9")) == "none");
  CHECK(name_of(Message().bytes(1, plugin).bytes(3, "\xff")) == "none");
  CHECK(name_of(Message().bytes(1, Message().bytes(1, "\xc3\xa9").bytes(1, "a"))) == "none");
  CHECK(name_of(Message().bytes(1, plugin).key(2, 2)) == "none");
  CHECK(name_of(Message().bytes(1, Message().key(1, 2))) == "none");
}

TEST(event_plain_scalar_is_what_the_parser_sees_too) {
  for (const std::int64_t step : {std::int64_t{0}, std::int64_t{5}, std::int64_t{1} << 40, std::int64_t{-1}}) {
    const Message message = event_of(step, 99.5, Message().bytes(1, "train/loss").fixed32(2, 0.25F));
    PlainScalar plain{};
    CHECK(match_plain_scalar(message, plain));
    CHECK(plain.step == step && plain.wall_time == 99.5 && letters(plain.tag) == "train/loss" && plain.value == 0.25F);
    for (std::size_t size = 0; size < message.view().size(); ++size) {
      CHECK(!match_plain_scalar(message.view().first(size), plain));
    }
  }
}

TEST(event_plain_scalar_matches_nothing_else) {
  PlainScalar plain{};
  const Message value = Message().bytes(1, "a").fixed32(2, 1);
  CHECK(!match_plain_scalar(event_of(1, 1, Message().fixed32(2, 1).bytes(1, "a")), plain));
  CHECK(!match_plain_scalar(event_of(1, 1, Message().bytes(1, "a").fixed32(2, 1).bytes(9, "")), plain));
  CHECK(!match_plain_scalar(Message().fixed64(1, 1).varint(2, 1).bytes(5, Message().bytes(1, value).bytes(1, value)),
                            plain));
  CHECK(!match_plain_scalar(event_of(1, 1, value).varint(2, 7), plain));
  CHECK(!match_plain_scalar(event_of(1, 1, Message().bytes(1, std::string(200, 'x')).fixed32(2, 1)), plain));
}

TEST(event_plain_tensor_is_what_the_parser_sees_too) {
  const Message shaped = Message().varint(1, 1).bytes(2, "");
  const Message content = Message().bytes(4, std::string_view("\0\0\x80\x3e", 4));
  const Message packed = Message().bytes(5, std::string_view("\0\0\x80\x3e", 4));
  for (const Message& values : {content, packed, Message().fixed32(5, 0.25F)}) {
    for (const Message& head : {shaped, Message().varint(1, 1)}) {
      const std::string tensor = std::string(letters(head)).append(letters(values));
      for (const std::string& tag : {std::string("train/loss"), std::string(200, 'x')}) {
        const Message message = event_of(5, 99.5, Message().bytes(1, tag).bytes(8, tensor).bytes(9, scalar_metadata()));
        PlainTensor plain;
        CHECK(match_plain_tensor(message, plain) && same_bytes(plain.metadata, scalar_metadata()));
        CHECK(plain.step == 5 && plain.wall_time == 99.5 && letters(plain.tag) == tag && plain.value == 0.25F);
        EventParser parser;
        double number = 0;
        CHECK(parser.parse(message) && read_number(parser.event().values[0].tensor, number) && number == 0.25);
        for (std::size_t size = 0; size < message.view().size(); ++size) {
          CHECK(!match_plain_tensor(message.view().first(size), plain));
        }
        CHECK(match_plain_tensor(event_of(5, 1, Message().bytes(1, tag).bytes(8, tensor)), plain) &&
              plain.metadata.empty());
      }
    }
  }
}

TEST(event_plain_tensor_matches_nothing_else) {
  PlainTensor plain;
  const Message number = Message().varint(1, 1).fixed32(5, 1);
  const Message value = Message().bytes(1, "a").bytes(8, number);
  const auto matches = [&](const Message& message) { return match_plain_tensor(message, plain); };
  CHECK(matches(event_of(1, 1, value)));
  CHECK(!matches(event_of(1, 1, Message().bytes(8, number).bytes(1, "a"))));
  CHECK(!matches(event_of(1, 1, Message().bytes(1, "a").bytes(8, number).bytes(9, "").varint(20, 1))));
  CHECK(!matches(event_of(1, 1, Message().bytes(1, "a").bytes(8, Message().varint(1, 2).fixed32(5, 1)))));
  CHECK(!matches(event_of(1, 1, Message().bytes(1, "a").bytes(8, Message().varint(1, 1).fixed32(5, 1).fixed32(5, 2)))));
  CHECK(!matches(event_of(1, 1, Message().bytes(1, "a").bytes(8, Message().varint(1, 1).bytes(2, "x").fixed32(5, 1)))));
  CHECK(!matches(event_of(1, 1, Message().bytes(1, "a").bytes(8, Message().varint(1, 1).bytes(4, "12345678")))));
  CHECK(!matches(event_of(1, 1, value).varint(2, 7)));
  CHECK(!matches(Message().fixed64(1, 1).bytes(5, Message().bytes(1, value).bytes(1, value))));
}

}  // namespace seamark
