#include "scan/scan.h"

#include <cmath>

#include "columns/stripe.h"
#include "testing/messages.h"
#include "testing/testing.h"

namespace seamark {
using testing::event_of;
using testing::File;
using testing::letters;
using testing::Message;
using testing::scalar_metadata;
using testing::text;

namespace {

constexpr std::size_t kRoomy = 1 << 20;

Message simple(std::string_view tag, float value) { return Message().bytes(1, tag).fixed32(2, value); }
Message float_tensor(float value) { return Message().varint(1, 1).fixed32(5, value); }

// The rows that a scanner has collected.
struct TakenRows {
  Block block;
  StripeView stripe;

  explicit TakenRows(Scanner& scanner) : block(scanner.take_stripe()) {
    if (block.size == 0) return;
    const auto view = StripeView::open(block.bytes(), true);
    CHECK(view);
    if (view) stripe = *view;
  }
};

File sample_file() {
  File file;
  file.add(Message().fixed64(1, 1).bytes(3, "brain.Event:2").bytes(10, Message().bytes(1, "writer")));
  for (int step = 0; step < 3; ++step) {
    file.add(event_of(step, 10 + step, simple("loss", static_cast<float>(step))));
    file.add(
        event_of(step, 10 + step, Message().bytes(1, "acc").bytes(8, float_tensor(0.5F)).bytes(9, scalar_metadata())));
    file.add(event_of(step, 10 + step, Message().bytes(1, "img").bytes(4, "")));
  }
  file.add(Message().fixed64(1, 20).bytes(4, "graph"));
  return file;
}

}  // namespace

TEST(scan_reads_scalars_payloads_and_the_file_header) {
  const File file = sample_file();
  Scanner scanner(kRoomy);
  const ScanResult result = scanner.scan(file.view(), 0);
  CHECK(result.consumed == file.view().size() && result.status == ReadStatus::Ok && scanner.problem_count() == 0);
  CHECK(scanner.events() == 11 && scanner.records() == 11 && scanner.pending_rows() == 10);
  CHECK(letters(scanner.file_version()) == "brain.Event:2");
  CHECK(scanner.series().size() == 4);
  const TakenRows taken(scanner);
  CHECK(taken.stripe.steps().size() == 6 && taken.stripe.payload_steps().size() == 4);
  const auto loss = taken.stripe.find(0);
  CHECK(loss && loss->count == 3 && loss->values[2] == 2 && loss->steps[2] == 2 && loss->walls[2] == 12);
  const auto accuracy = taken.stripe.find(1);
  CHECK(accuracy && accuracy->count == 3 && accuracy->values[1] == 0.5);
  CHECK(!taken.stripe.find(2) && !taken.stripe.find(99));
  CHECK(scanner.take_stripe().size == 0);
}

TEST(scan_first_wall_is_that_of_the_first_event_of_any_kind) {
  const double infinity = std::numeric_limits<double>::infinity();
  const File broken = File().add(text("\x0a")).add(event_of(0, infinity, simple("a", 1)));
  const File file = sample_file();
  Scanner scanner(kRoomy);
  CHECK(std::isnan(scanner.first_wall()));
  scanner.scan(broken.view(), 0);
  CHECK(std::isnan(scanner.first_wall()));
  scanner.scan(file.view(), broken.view().size());
  CHECK(scanner.first_wall() == 1);  // of the file version, not of the first point
  Scanner plain(kRoomy);
  plain.scan(File().add(event_of(0, 9, simple("a", 1))).add(event_of(1, 8, simple("a", 1))).view(), 0);
  CHECK(plain.first_wall() == 9);
}

TEST(scan_payload_positions_are_those_in_the_file) {
  const File file = sample_file();
  Scanner scanner(kRoomy);
  scanner.scan(file.view(), 1000);
  const TakenRows taken(scanner);
  const auto offsets = taken.stripe.payload_offsets();
  const auto lengths = taken.stripe.payload_lengths();
  const auto content = [&](std::size_t row) { return letters(file.view().subspan(offsets[row] - 1000, lengths[row])); };
  CHECK(content(0) == letters(Message().bytes(1, "img").bytes(4, "")));
  CHECK(content(3) == "graph");
}

TEST(scan_split_at_every_byte_reads_each_record_once) {
  const File file = sample_file();
  Scanner whole(kRoomy);
  whole.scan(file.view(), 0);
  const Block want = whole.take_stripe();
  for (std::size_t cut = 0; cut <= file.view().size(); ++cut) {
    Scanner scanner(kRoomy);
    const auto [first, status, needed_bytes] = scanner.scan(file.view().first(cut), 0);
    CHECK(first <= cut && (status == ReadStatus::Ok) == (first == cut));
    CHECK(status == ReadStatus::Ok || needed_bytes > cut - first);
    CHECK(first + scanner.scan(file.view().subspan(first), first).consumed == file.view().size());
    CHECK(same_bytes(scanner.take_stripe().bytes(), want.bytes()));
  }
}

TEST(scan_stops_when_full_and_goes_on) {
  const File file = sample_file();
  Scanner scanner(2);
  std::size_t at = 0;
  std::size_t rows = 0;
  ReadStatus status = ReadStatus::Full;
  while (status == ReadStatus::Full) {
    const ScanResult result = scanner.scan(file.view().subspan(at), at);
    at += result.consumed;
    status = result.status;
    CHECK(scanner.pending_rows() <= 2);
    rows += scanner.pending_rows();
    const TakenRows taken(scanner);
  }
  CHECK(at == file.view().size() && rows == 10);
}

TEST(scan_corrupt_length_ends_the_file_and_is_reported_once) {
  File file = sample_file();
  file.bytes()[file.view().size() - 21] ^= 1;  // the header of the last record: "graph" in 14 bytes and 16 of frame
  Scanner scanner(kRoomy);
  const ScanResult first = scanner.scan(file.view(), 0);
  CHECK(first.status == ReadStatus::Corrupt && first.consumed < file.view().size());
  const ScanResult second = scanner.scan(file.view().subspan(first.consumed), first.consumed);
  CHECK(second.status == ReadStatus::Corrupt && second.consumed == 0 && scanner.problem_count() == 1);
  const auto problems = scanner.take_problems();
  CHECK(problems.size() == 1 && problems[0].code == ProblemCode::LengthCrc && problems[0].offset == first.consumed);
  CHECK(problems[0].got != problems[0].want && scanner.take_problems().empty());
}

TEST(scan_corrupt_data_is_skipped_and_reading_goes_on) {
  File file = File()
                  .add(event_of(1, 1, simple("a", 1)))
                  .add(event_of(2, 2, simple("a", 2)))
                  .add(event_of(3, 3, simple("a", 3)));
  const std::size_t size = file.view().size() / 3;
  file.bytes()[size + 20] ^= 4;
  Scanner scanner(kRoomy);
  CHECK(scanner.scan(file.view(), 500).consumed == file.view().size());
  CHECK(scanner.records() == 3 && scanner.events() == 2 && scanner.pending_rows() == 2);
  const auto problems = scanner.take_problems();
  CHECK(problems.size() == 1 && problems[0].code == ProblemCode::DataCrc);
  CHECK(problems[0].offset == 500 + size && problems[0].length == size - 16);
}

TEST(scan_event_goes_out_whole_or_not_at_all) {
  const Message good = simple("good", 1);
  const Message summary = Message().bytes(1, good).bytes(1, "\x0a");
  const File file = File().add(Message().bytes(5, summary)).add(text("\x0a"));
  Scanner scanner(kRoomy);
  CHECK(scanner.scan(file.view(), 0).consumed == file.view().size());
  CHECK(scanner.pending_rows() == 0 && scanner.series().empty() && scanner.events() == 0);
  CHECK(scanner.problem_count() == 2 && scanner.take_problems()[0].code == ProblemCode::BadEvent);
}

TEST(scan_counts_more_problems_than_it_stores) {
  File file;
  for (int i = 0; i < 1500; ++i) file.add(text("\x0a"));
  Scanner scanner(kRoomy);
  scanner.scan(file.view(), 0);
  CHECK(scanner.problem_count() == 1500 && scanner.take_problems().size() == 1000);
}

TEST(scan_several_values_in_one_event) {
  const Message summary = Message().bytes(1, simple("a", 1)).bytes(1, simple("b", 2)).bytes(1, simple("a", 3));
  const File file = File().add(Message().bytes(5, summary));
  Scanner scanner(kRoomy);
  scanner.scan(file.view(), 0);
  const TakenRows taken(scanner);
  CHECK(taken.stripe.find(0)->count == 2 && taken.stripe.find(0)->values[1] == 3 &&
        taken.stripe.find(0)->steps[0] == 0);
  CHECK(taken.stripe.find(1)->count == 1);
}

TEST(scan_stores_the_metadata_of_the_first_value_of_a_tag) {
  const Message with = Message().bytes(8, float_tensor(1)).bytes(9, scalar_metadata()).bytes(1, "t");  // the tag last
  const Message without = Message().bytes(1, "t").bytes(8, float_tensor(2));
  const File file = File().add(event_of(1, 1, with)).add(event_of(2, 2, without));
  Scanner scanner(kRoomy);
  scanner.scan(file.view(), 0);
  CHECK(scanner.series().size() == 1 && same_bytes(scanner.series()[0].metadata, scalar_metadata()));
  const TakenRows taken(scanner);
  CHECK(taken.stripe.find(0)->count == 2 && taken.stripe.find(0)->values[1] == 2);
}

TEST(scan_metadata_that_is_new_to_a_known_tag_is_looked_into) {
  const auto value = [](const Message& metadata) {
    return event_of(1, 1, Message().bytes(1, "t").bytes(8, float_tensor(2)).bytes(9, metadata));
  };
  const Message other = Message().bytes(2, "display name");
  const Message broken = Message().bytes(1, text("\x0a"));
  const File file =
      File().add(value(scalar_metadata())).add(value(other)).add(value(broken)).add(value(scalar_metadata()));
  Scanner scanner(kRoomy);
  scanner.scan(file.view(), 0);
  CHECK(scanner.events() == 3 && scanner.problem_count() == 1 &&
        scanner.take_problems()[0].code == ProblemCode::BadEvent);
  CHECK(scanner.series().size() == 1 && same_bytes(scanner.series()[0].metadata, scalar_metadata()));
  CHECK(TakenRows(scanner).stripe.find(0)->count == 3);
}

TEST(scan_tensor_without_metadata_is_a_payload) {
  const File file = File().add(event_of(1, 1, Message().bytes(1, "t").bytes(8, float_tensor(2))));
  Scanner scanner(kRoomy);
  scanner.scan(file.view(), 0);
  CHECK(scanner.series()[0].form == Form::Tensor && scanner.problem_count() == 0);
}

TEST(scan_scalar_tensor_that_is_no_number_becomes_a_payload) {
  const Message value =
      Message().bytes(1, "t").bytes(8, Message().varint(1, 7).bytes(8, "text")).bytes(9, scalar_metadata());
  const File file = File().add(event_of(1, 1, value));
  Scanner scanner(kRoomy);
  scanner.scan(file.view(), 0);
  CHECK(scanner.series()[0].form == Form::Tensor && scanner.pending_rows() == 1);
  const auto problems = scanner.take_problems();
  CHECK(problems.size() == 1 && problems[0].code == ProblemCode::BadValue && problems[0].got == 7 &&
        problems[0].want == 1);
}

TEST(scan_simple_value_with_metadata_keeps_it) {
  const File file = File().add(event_of(1, 1, simple("t", 1).bytes(9, scalar_metadata())));
  Scanner scanner(kRoomy);
  scanner.scan(file.view(), 0);
  CHECK(scanner.series()[0].form == Form::Scalar && same_bytes(scanner.series()[0].metadata, scalar_metadata()));
}

TEST(scan_tag_used_both_ways_is_two_series) {
  const File file =
      File().add(event_of(1, 1, simple("t", 1))).add(event_of(2, 2, Message().bytes(1, "t").bytes(4, "")));
  Scanner scanner(kRoomy);
  scanner.scan(file.view(), 0);
  CHECK(scanner.series().size() == 2 && scanner.series()[1].form == Form::Image);
}

TEST(scan_restored_from_its_series_decides_alike) {
  const File file = sample_file();
  Scanner whole(kRoomy);
  whole.scan(file.view(), 0);
  for (std::size_t cut = 0; cut <= file.view().size(); cut += 7) {
    Scanner first(kRoomy);
    const std::size_t at = first.scan(file.view().first(cut), 0).consumed;
    Scanner second(kRoomy);
    for (const SeriesKey& key : first.series()) second.restore(key.tag, key.form, key.metadata);
    second.scan(file.view().subspan(at), at);
    CHECK(second.series().size() == whole.series().size());
    CHECK(first.pending_rows() + second.pending_rows() == whole.pending_rows());
    for (std::size_t i = 0; i < second.series().size(); ++i) {
      CHECK(second.series()[i].tag == whole.series()[i].tag && second.series()[i].form == whole.series()[i].form);
      CHECK(second.series()[i].metadata == whole.series()[i].metadata);
    }
  }
}

TEST(scan_notes_session_starts_and_what_came_before_them) {
  const auto session_log = [](std::int64_t step, std::uint64_t status) {
    return Message()
        .fixed64(1, 9.5)
        .varint(2, static_cast<std::uint64_t>(step))
        .bytes(7, Message().varint(1, status).bytes(2, "x"));
  };
  File file;
  file.add(session_log(3, 1)).add(event_of(1, 1, simple("a", 1))).add(event_of(2, 1, simple("b", 1)));
  file.add(event_of(2, 1, simple("a", 1)))
      .add(session_log(5, 2))
      .add(session_log(1, 1))
      .add(event_of(1, 1, simple("c", 1)));
  Scanner scanner(1);  // a stripe for every row
  for (std::size_t at = 0; at < file.view().size();) {
    at += scanner.scan(file.view().subspan(at), at).consumed;
    scanner.take_stripe();
  }
  const auto& starts = scanner.session_starts();
  CHECK(starts.size() == 2 && starts[0].step == 3 && starts[1].step == 1 && starts[1].wall_time == 9.5);
  CHECK(starts[0].rows_before == std::vector<std::uint64_t>({0}) && starts[0].offset < starts[1].offset);
  CHECK(starts[1].rows_before == std::vector<std::uint64_t>({0, 2, 1}));  // the first series is that of the session log
}

TEST(scan_keeps_a_bounded_number_of_session_starts) {
  File file;
  for (int i = 0; i < 1000; ++i) file.add(Message().fixed64(1, 1.0).bytes(7, Message().varint(1, 1)));
  Scanner scanner(kRoomy);
  scanner.scan(file.view(), 0);
  CHECK(scanner.session_starts().size() == 256);
}

TEST(scan_tags_in_changing_order_keep_their_series) {
  File file;
  std::vector<std::string> tags;
  for (int i = 0; i < 300; ++i) tags.push_back("tag/" + std::to_string(i));
  std::uint32_t random = 7;
  std::vector<std::size_t> counts(tags.size());
  for (int i = 0; i < 5000; ++i) {
    random = random * 1664525U + 1013904223U;
    const std::size_t pick = (random >> 8) % tags.size();
    ++counts[pick];
    file.add(event_of(i, i, simple(tags[pick], static_cast<float>(pick))));
  }
  Scanner scanner(kRoomy);
  CHECK(scanner.scan(file.view(), 0).consumed == file.view().size() && scanner.series().size() == tags.size());
  const TakenRows taken(scanner);
  for (std::uint32_t id = 0; id < tags.size(); ++id) {
    const auto segment = taken.stripe.find(id);
    const auto pick = static_cast<std::size_t>(segment->values[0]);
    CHECK(letters(scanner.series()[id].tag) == tags[pick] && segment->count == counts[pick]);
    for (std::size_t row = 0; row < segment->count; ++row) CHECK(segment->values[row] == segment->values[0]);
  }
}

TEST(scan_survives_every_flipped_bit) {
  const File whole = sample_file();
  for (std::size_t bit = 0; bit < whole.view().size() * 8; ++bit) {
    File file = whole;
    file.bytes()[bit / 8] = static_cast<std::uint8_t>(file.bytes()[bit / 8] ^ (1U << (bit % 8)));
    Scanner scanner(kRoomy);
    scanner.scan(file.view(), 0);
    CHECK(scanner.problem_count() == 1);
    const TakenRows taken(scanner);
  }
}

}  // namespace seamark
