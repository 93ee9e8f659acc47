#include "format/hparams.h"

#include "testing/messages.h"
#include "testing/testing.h"

namespace seamark {
using testing::Message;

namespace {

Message entry(std::string_view name) { return Message().bytes(1, name).bytes(2, Message().fixed64(2, 0.5)); }

Message metadata(const Message& content, std::string_view plugin = "hparams") {
  return Message().bytes(1, Message().bytes(1, plugin).bytes(2, content));
}

bool has_names(const Message& message) {
  std::string found;
  return read_hparam_names(message, found);
}

}  // namespace

TEST(hparam_names_are_sorted_and_each_is_there_once) {
  const Message start = Message().bytes(1, entry("lr")).bytes(4, "group").bytes(1, entry("bs")).bytes(1, entry("lr"));
  std::string found;
  CHECK(read_hparam_names(metadata(Message().varint(1, 0).bytes(3, start)), found));
  CHECK(found == std::string("bs\0lr\0", 6));
}

TEST(hparam_names_of_a_start_without_any_are_empty) { CHECK(has_names(metadata(Message().bytes(3, Message())))); }

TEST(hparam_names_are_read_from_one_plain_session_start_only) {
  const Message start = Message().bytes(1, entry("lr"));
  CHECK(has_names(metadata(Message().bytes(3, start))));
  CHECK(!has_names(metadata(Message().bytes(3, start), "other")));
  CHECK(!has_names(metadata(Message().varint(1, 1).bytes(3, start))));
  CHECK(!has_names(metadata(Message().bytes(3, start).bytes(3, start))));
  CHECK(!has_names(metadata(Message().bytes(2, start))));
  CHECK(!has_names(Message()));
}

TEST(hparam_names_that_are_malformed_are_left_to_protobuf) {
  CHECK(!has_names(metadata(Message().bytes(3, Message().bytes(1, Message().bytes(2, "no key"))))));
  CHECK(!has_names(metadata(Message().bytes(3, Message().bytes(1, entry(std::string_view("a\0b", 3)))))));
  CHECK(!has_names(metadata(Message().bytes(3, "\x0a\x7f"))));
}

}  // namespace seamark
