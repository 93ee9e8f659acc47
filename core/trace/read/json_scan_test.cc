#include "trace/read/json_scan.h"

#include "testing/testing.h"
#include "testing/traces.h"

namespace seamark {
namespace {

using testing::columns_of;
using testing::scan_trace;
using testing::to_vector;
using Numbers = std::vector<std::int64_t>;

constexpr std::string_view kTrace = R"({"schemaVersion": 1, "traceName": "a\"b", "traceEvents": [
  {"ph": "M", "name": "thread_name", "pid": 1, "tid": 2, "args": {"name": "main"}},
  {"ph": "X", "cat": "cpu_op", "name": "a\u00e9", "pid": 1, "tid": 2, "ts": 10.5, "dur": 3, "args": {"External id": 7}},
  {"ph": "X", "cat": "kernel", "name": "k", "pid": "0", "tid": "7", "ts": "12.001", "dur": "0.500",
   "args": {"correlation": "7", "blocks per SM": 0.25, "grid": [1, 2, 3]}},
  {"ph": "B", "name": "b", "pid": 1, "tid": 3, "ts": 20}, {"ph": "B", "name": "c", "pid": 1, "tid": 3, "ts": 21},
  {"ph": "E", "pid": 1, "tid": 3, "ts": 23}, {"ph": "E", "pid": 1, "tid": 3, "ts": 30},
  {"ph": "s", "id": 1, "cat": "ac2g", "name": "ac2g", "pid": 1, "tid": 2, "ts": 10.5},
  {"ph": "f", "id": 1, "cat": "ac2g", "name": "ac2g", "pid": 0, "tid": 7, "ts": 12.001, "bp": "e"},
  {"ph": "C", "name": "memory", "pid": 1, "ts": 11, "args": {"used": 5, "free": "2.5"}},
  {"ph": "i", "name": "[memory]", "pid": 1, "tid": 2, "ts": 11, "args": {"Bytes": -4, "Addr": 99}},
  {}
], "baseTimeNanoseconds": 5})";

void check_trace(JsonTraceScanner scanner) {
  CHECK(scanner.is_json() && scanner.has_events() && !scanner.ends_early() && scanner.events() == 12);
  CHECK(scanner.metadata().size() == 3 && scanner.metadata()[1].json == R"("a\"b")");
  TraceColumns columns = columns_of(std::move(scanner));
  CHECK(columns.origin() == 10'500 && columns.problems().empty());
  CHECK(columns.tracks().size() == 3 && columns.tracks()[1].entry->name == "main");
  CHECK(columns.tracks()[0].entry->is_device && !columns.tracks()[1].entry->is_device);
  CHECK((to_vector(columns.take_start()) == Numbers{1501, 0, 9500, 10'500}));
  CHECK((to_vector(columns.take_duration()) == Numbers{500, 3000, 10'000, 2000}));
  CHECK(columns.names().text(0) == "a\xc3\xa9" && columns.category(0) == "cpu_op");
  CHECK((to_vector(columns.take_flow_from()) == Numbers{1} && to_vector(columns.take_flow_to()) == Numbers{0}));
  const TakenField correlation = columns.take_field(find_field("correlation"));
  CHECK((to_vector(correlation.indices) == Numbers{0} && to_vector(correlation.integers) == Numbers{7}));
  CHECK(columns.take_field(find_field("blocks per SM")).reals.values[0] == 0.25);
  CHECK(columns.counters().size() == 2 && columns.counters()[1].entry->series == "free");
  CHECK((to_vector(columns.take_counter_values()) == std::vector<double>{5, 2.5}));
  CHECK((to_vector(columns.take_instant_time()) == Numbers{500}));
  CHECK((to_vector(columns.take_instant_field(find_field("Bytes")).integers) == Numbers{-4}));
}

std::vector<std::string> problems_of(std::string_view text) { return columns_of(scan_trace(text)).problems(); }

}  // namespace

TEST(a_trace_is_the_same_in_blocks_of_any_size) {
  for (const std::size_t bytes : std::vector<std::size_t>{1, 2, 3, 7, 64, 1000, 100'000}) {
    check_trace(scan_trace(kTrace, bytes));
  }
}

TEST(arguments_are_places_in_the_source_or_in_the_copies) {
  constexpr std::string_view kText = R"([{"ph":"X","ts":1,"args":{}}, {"ph":"X","ts":2,"args": {"a": 1}}])";
  for (const std::size_t bytes : std::vector<std::size_t>{1, 1000}) {
    TraceColumns columns = columns_of(scan_trace(kText, bytes));
    const auto start = to_vector(columns.take_argument_start());
    const auto size = to_vector(columns.take_argument_size());
    CHECK(size[0] == 0 && kText.substr(start[1], size[1]) == R"({"a": 1})");
  }
  JsonTraceScanner scanner = scan_trace(kText, 1000, true);
  CHECK(scanner.take_arguments() == R"({"a": 1})");
  TraceColumns columns = columns_of(std::move(scanner));
  CHECK(to_vector(columns.take_argument_start())[1] == 0);
}

TEST(an_array_may_end_without_its_bracket) {
  CHECK(!scan_trace(R"([{"ph": "X", "ts": 1},)").ends_early());
  CHECK(!scan_trace(R"([{"ph": "X", "ts": 1}])").ends_early());
  CHECK(scan_trace(R"([{"ph": "X", "ts": 1}, {"ph")").ends_early());
}

TEST(a_trace_that_is_cut_gives_what_comes_before) {
  for (std::size_t size = kTrace.find("\"k\""); size < kTrace.size(); size += 17) {
    JsonTraceScanner scanner = scan_trace(kTrace.substr(0, size), 100);
    CHECK(scanner.ends_early() && scanner.events() >= 2);
    CHECK(columns_of(std::move(scanner)).slices() >= 1);
  }
}

TEST(what_is_no_trace_is_said_to_be_none) {
  CHECK(!scan_trace("hello").is_json() && !scan_trace("").is_json() && !scan_trace("  ").is_json());
  CHECK(scan_trace(R"({"a": 1})").is_json() && !scan_trace(R"({"a": 1})").has_events());
  CHECK(scan_trace("\xef\xbb\xbf[]").is_json() && scan_trace("\xef\xbb\xbf[]", 1).is_json());
}

TEST(bad_events_are_counted_and_left_out) {
  using Sentences = std::vector<std::string>;
  CHECK((problems_of(R"([{"ph": "X", "ts": 5, "dur": -1}])") ==
         Sentences{"1 slice has a negative duration: it is shown with a duration of 0"}));
  CHECK((problems_of(R"([{"ph": "X", "ts": 5, "dur": "x"}])") ==
         Sentences{"1 slice has an impossible duration: it is shown with a duration of 0"}));
  CHECK((problems_of(R"([{"ph": "X"}, {"ph": "X"}])") == Sentences{"2 events have no time and are left out"}));
  CHECK((problems_of(R"([{"ph": "X", "ts": "x"}])") == Sentences{"1 event has an impossible time and is left out"}));
  CHECK((problems_of(R"([{"ph": "E", "ts": 5}])") == Sentences{"1 slice ends without a beginning and is left out"}));
  CHECK((problems_of(R"([{"ph": "B", "ts": 5}])") ==
         Sentences{"1 slice has no end: it lasts until the end of the trace"}));
  JsonTraceScanner scanner = scan_trace(R"([{"ph": "X", "ts" 5}, 12, null, [1], "x", {"ph": "X", "ts": 5}])");
  CHECK(scanner.events() == 1);
  CHECK((columns_of(std::move(scanner)).problems() ==
         Sentences{"1 event cannot be read and is left out", "4 events are not JSON objects and are left out"}));
  CHECK((problems_of(R"({"traceEvents": [[{"ph": "X", "ts": 5}], {"ph": "X", "ts": 5}]})") ==
         Sentences{"1 event is not a JSON object and is left out"}));
}

TEST(begins_and_ends_match_in_order_of_time) {
  TraceColumns columns = columns_of(
      scan_trace(R"([{"ph":"E","ts":9},{"ph":"B","ts":1,"name":"a"},{"ph":"E","ts":5},{"ph":"B","ts":3,"name":"b"}])"));
  CHECK((to_vector(columns.take_duration()) == Numbers{8000, 2000}));
}

TEST(asynchronous_slices_overlap_on_a_track_of_their_category) {
  TraceColumns columns = columns_of(scan_trace(R"([
    {"ph":"b","cat":"io","id":1,"name":"r","pid":1,"tid":1,"ts":0}, {"ph":"b","cat":"io","id":2,"name":"r","pid":1,"tid":2,"ts":5},
    {"ph":"e","cat":"io","id":1,"name":"r","pid":1,"tid":3,"ts":10}, {"ph":"e","cat":"io","id":2,"name":"r","pid":1,"ts":20}])"));
  CHECK(columns.tracks().size() == 1 && columns.tracks()[0].entry->type == TrackType::Async);
  CHECK(columns.tracks()[0].entry->name == "io" && columns.tracks()[0].rows == 2 && columns.problems().empty());
  CHECK((to_vector(columns.take_duration()) == Numbers{10'000, 15'000}));
}

TEST(flows_bind_to_the_next_slice_or_the_one_around) {
  constexpr std::string_view kSlices = R"([{"ph":"X","ts":0,"dur":100,"name":"launch","tid":1},
    {"ph":"X","ts":0,"dur":100,"name":"outer","tid":2}, {"ph":"X","ts":50,"dur":10,"name":"inner","tid":2},
    {"ph":"s","id":1,"ts":10,"tid":1}, {"ph":"f","id":1,"ts":20,"tid":2)";
  TraceColumns next = columns_of(scan_trace(std::string(kSlices) + "}]"));
  CHECK((to_vector(next.take_flow_to()) == Numbers{2}));
  TraceColumns around = columns_of(scan_trace(std::string(kSlices) + R"(,"bp":"e"}])"));
  CHECK((to_vector(around.take_flow_to()) == Numbers{1}));
}

TEST(long_names_are_cut_and_long_members_skipped) {
  const std::string name(1 << 20, 'n');
  const std::string text = R"({"stackFrames": {"a": ")" + std::string(6 << 20, 's') +
                           R"("}, "traceEvents": [{"ph": "X", "ts": 1, "name": ")" + name + R"("}]})";
  JsonTraceScanner scanner = scan_trace(text, 100'000);
  CHECK(scanner.metadata().empty() && scanner.events() == 1 && !scanner.ends_early());
  TraceColumns columns = columns_of(std::move(scanner));
  CHECK(columns.names().text(0).size() == kMaxNameBytes);
  CHECK((columns.problems() == std::vector<std::string>{"1 name is cut: it is very long"}));
}

}  // namespace seamark
