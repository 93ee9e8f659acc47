#include "trace/read/xplane_scan.h"

#include <string>

#include "testing/messages.h"
#include "testing/testing.h"
#include "trace/build/columns.h"
#include "trace/read/slice_links.h"
#include "trace/read/xplane_messages.h"
#include "trace/read/xplane_names.h"
#include "trace/read/xplane_stats.h"

namespace seamark {
namespace {

using testing::Message;

Message integer_stat(std::uint64_t id, std::uint64_t value) { return Message().varint(1, id).varint(4, value); }
Message text_stat(std::uint64_t id, std::string_view value) { return Message().varint(1, id).bytes(5, value); }
Message metadata(std::uint64_t id, std::string_view name) {
  return Message().varint(1, id).bytes(2, Message().varint(1, id).bytes(2, name));
}
Message event(std::uint64_t name, std::uint64_t start_ps, std::uint64_t duration_ps) {
  return Message().varint(1, name).varint(2, start_ps).varint(3, duration_ps);
}
Message line(std::uint64_t id, std::string_view name, std::initializer_list<Message> events) {
  Message message;
  message.varint(1, id).bytes(2, name).varint(3, 1000);
  for (const Message& one : events) message.bytes(4, one);
  return message;
}

// Slices in order of tracks, as "track name: slice name@start+duration".
struct Read {
  explicit Read(Bytes file) : columns(scan(file)) {
    const auto start = columns.take_start(), duration = columns.take_duration();
    const auto name = columns.take_name();
    const auto row_start = columns.take_row_start();
    for (const FinishedTrack& track : columns.tracks()) {
      const auto first = static_cast<std::size_t>(row_start.values[track.first_row]);
      const auto end = static_cast<std::size_t>(row_start.values[track.first_row + track.rows]);
      for (std::size_t i = first; i < end; ++i) {
        slices.push_back(track.entry->name + ": " + std::string(columns.names().text(name.values[i])) + "@" +
                         std::to_string(start.values[i]) + "+" + std::to_string(duration.values[i]));
        categories.emplace_back(columns.category(name.values[i]));
      }
    }
    const auto from = columns.take_flow_from(), to = columns.take_flow_to();
    for (std::size_t i = 0; i < from.size; ++i) flows.emplace_back(from.values[i], to.values[i]);
  }

  std::vector<std::int64_t> field(std::string_view name) {
    const TakenField taken = columns.take_field(find_field(name));
    return {taken.integers.values.get(), taken.integers.values.get() + taken.integers.size};
  }

  XPlaneReport report;
  TraceColumns columns;
  std::vector<std::string> slices, categories;
  std::vector<std::pair<std::int64_t, std::int64_t>> flows;

 private:
  TraceColumns scan(Bytes file) {
    TraceBuilder builder;
    report = scan_xplane(file, builder);
    return TraceColumns(std::move(builder));
  }
};

Message host_plane() {
  return Message()
      .bytes(2, "/host:CPU")
      .bytes(3, line(7, "python",
                     {
                         event(1, 0, 9'000'000).bytes(4, integer_stat(1, 3)),
                         event(2, 1'999, 2'002),
                         event(3, 5'000'000, 1'000).bytes(4, integer_stat(2, 77)),
                     }))
      .bytes(4, metadata(1, "train"))
      .bytes(4, metadata(2, "$model.py:12 forward"))
      .bytes(4, metadata(3, "cuLaunchKernel"))
      .bytes(5, metadata(1, "step_num"))
      .bytes(5, metadata(2, "correlation_id"));
}

Message gpu_plane() {
  return Message()
      .bytes(2, "/device:GPU:1")
      .bytes(3, line(14, "Stream #14(Kernel)",
                     {
                         event(1, 6'000'000, 2'000'000)
                             .bytes(4, integer_stat(1, 77))
                             .bytes(4, text_stat(2,
                                                 "regs:32 static_shared:16 dynamic_shared:0 grid:80,2,1 "
                                                 "block:64,1,1 occ_pct:50")),
                         event(2, 8'000'000, 1'000'000).bytes(4, text_stat(3, "kind_src:pinned size:4096 async:1")),
                     }))
      .bytes(4, metadata(1, "sgemm"))
      .bytes(4, metadata(2, "MemcpyH2D"))
      .bytes(5, metadata(1, "correlation_id"))
      .bytes(5, metadata(2, "kernel_details"))
      .bytes(5, metadata(3, "memcpy_details"))
      .bytes(5, metadata(4, "core_count"))
      .bytes(6, integer_stat(4, 80));
}

}  // namespace

TEST(xplane_lines_become_tracks_and_times_nanoseconds) {
  Read read(Message().bytes(1, host_plane()));
  CHECK(read.slices == std::vector<std::string>{"python: train@0+9000", "python: model.py(12): forward@1+3",
                                                "python: cuLaunchKernel@5000+1"});
  CHECK(read.categories == std::vector<std::string>{"user_annotation", "python_function", "cuda_runtime"});
  CHECK(read.columns.origin() == 1000);
  CHECK(read.field("step_num") == std::vector<std::int64_t>{3});
  CHECK(!read.report.is_cut && !read.report.is_corrupt && read.report.bad_events == 0);
}

TEST(xplane_kernels_are_linked_with_their_launch) {
  Read read(Message().bytes(1, gpu_plane()).bytes(1, host_plane()));
  CHECK(read.slices.size() == 5 && read.slices[3] == "Stream #14(Kernel): sgemm@6000+2000");
  CHECK(read.categories[3] == "kernel" && read.categories[4] == "gpu_memcpy");
  CHECK(read.flows == std::vector<std::pair<std::int64_t, std::int64_t>>{{2, 3}});
  CHECK(read.columns.tracks()[1].entry->is_device && !read.columns.tracks()[0].entry->is_device);
  CHECK(read.field("correlation") == std::vector<std::int64_t>{77, 77});
  CHECK(read.field("registers per thread") == std::vector<std::int64_t>{32});
  CHECK(read.field("shared memory") == std::vector<std::int64_t>{16});
  CHECK(read.field("bytes") == std::vector<std::int64_t>{4096});
  const TakenField blocks = read.columns.take_field(find_field("blocks per SM"));
  CHECK(blocks.is_real && blocks.reals.values[0] == 2);
}

TEST(xplane_ops_of_a_tpu_have_the_costs_of_their_name) {
  const Message op = Message()
                         .varint(1, 1)
                         .bytes(2, "%fusion.1 = f32[8] fusion(...)")
                         .bytes(4, "fusion.1")
                         .bytes(5, integer_stat(1, 640));
  Read read(Message().bytes(1, Message()
                                   .bytes(2, "/device:TPU:0")
                                   .bytes(3, line(1, "Steps", {event(2, 0, 5000)}))
                                   .bytes(3, line(2, "XLA Ops", {event(1, 0, 2000), event(1, 3000, 2000)}))
                                   .bytes(4, Message().varint(1, 1).bytes(2, op))
                                   .bytes(4, metadata(2, "12"))
                                   .bytes(5, metadata(1, "flops"))));
  CHECK(read.slices == std::vector<std::string>{"Steps: 12@0+5", "XLA Ops: fusion.1@0+2", "XLA Ops: fusion.1@3+2"});
  CHECK(read.categories == std::vector<std::string>{"Steps", "kernel", "kernel"});
  CHECK(read.field("flops") == std::vector<std::int64_t>{640, 640});
}

TEST(xplane_regions_of_a_thread_pool_are_slices_linked_with_their_cause) {
  const auto context = [](std::uint64_t type, std::uint64_t id) {
    return Message().bytes(4, integer_stat(type, 15)).bytes(4, integer_stat(type + 1, id));
  };
  Read read(Message().bytes(1, Message()
                                   .bytes(2, "/host:CPU")
                                   .bytes(3, line(1, "python", {event(1, 1000, 1000).raw(context(1, 5))}))
                                   .bytes(3, line(2, "pool/2",
                                                  {
                                                      event(3, 1'500, 0),  // of a region that began before the profile
                                                      event(2, 4'000, 0).raw(context(3, 5)),
                                                      event(3, 9'000, 0),
                                                      event(2, 10'000, 0).raw(context(3, 6)),
                                                  }))
                                   .bytes(4, metadata(1, "ThreadpoolListener::Record"))
                                   .bytes(4, metadata(2, "ThreadpoolListener::StartRegion"))
                                   .bytes(4, metadata(3, "ThreadpoolListener::StopRegion"))
                                   .bytes(5, metadata(1, "_pt"))
                                   .bytes(5, metadata(2, "_p"))
                                   .bytes(5, metadata(3, "_ct"))
                                   .bytes(5, metadata(4, "_c"))));
  CHECK(read.slices ==
        std::vector<std::string>{"python: ThreadpoolListener::Record@0+1", "pool: ThreadpoolListener::Region@3+5"});
  CHECK(read.flows == std::vector<std::pair<std::int64_t, std::int64_t>>{{0, 1}});
  CHECK(read.columns.problems().empty());
}

TEST(xplane_threads_may_overlap) {
  Read read(Message().bytes(
      1, Message().bytes(2, "/host:CPU").bytes(3, line(1, "python", {event(1, 0, 5000), event(1, 3000, 5000)}))));
  CHECK(read.slices.size() == 2 && read.columns.problems().empty());
}

TEST(xplane_allocations_are_instants_and_counters) {
  const auto stats = [](std::uint64_t total) {
    return Message()
        .bytes(4, text_stat(1, "GPU_1_bfc"))
        .bytes(4, integer_stat(2, total))
        .bytes(4, integer_stat(3, 64))
        .bytes(4, integer_stat(4, 4096));
  };
  Read read(Message().bytes(
      1, Message()
             .bytes(2, "/host:CPU")
             .bytes(3, line(1, "t", {event(1, 1000, 0).raw(stats(64)), event(2, 3000, 0).raw(stats(0))}))
             .bytes(4, metadata(1, "MemoryAllocation"))
             .bytes(4, metadata(2, "MemoryDeallocation"))
             .bytes(5, metadata(1, "allocator_name"))
             .bytes(5, metadata(2, "bytes_allocated"))
             .bytes(5, metadata(3, "allocation_bytes"))
             .bytes(5, metadata(4, "addr"))));
  CHECK(read.slices.empty());
  const TakenField bytes = read.columns.take_instant_field(find_field("Bytes"));
  CHECK(bytes.integers.size == 2 && bytes.integers.values[0] == 64 && bytes.integers.values[1] == -64);
  const TakenField device = read.columns.take_instant_field(find_field("Device Id"));
  CHECK(device.integers.size == 2 && device.integers.values[0] == 1);
  CHECK(read.columns.counters().size() == 1 && read.columns.counters()[0].points == 2);
  CHECK(read.columns.counters()[0].entry->name == "GPU_1_bfc memory");
}

TEST(xplane_files_that_are_cut_anywhere_are_read_as_far_as_they_go) {
  const Message whole = Message().bytes(1, host_plane()).bytes(1, gpu_plane());
  const Bytes file = whole.view();
  CHECK(Read(file).slices.size() == 5);
  for (std::size_t size = 0; size < file.size(); ++size) {
    Read read(file.first(size));
    CHECK(read.slices.size() <= 5);
    // Not at the end of a plane
    if (size > 0 && size != Message().bytes(1, host_plane()).view().size()) CHECK(read.report.is_cut);
  }
  // The lines of a plane come before its names.
  const std::size_t after_events = std::string_view(text_of(file)).find("train") - 4;
  Read read(file.first(after_events));
  CHECK(read.slices.size() == 3 && read.slices[0] == "python: event 1@0+9000");
  CHECK(read.report.unnamed_events == 3);
}

TEST(xplane_bytes_that_are_damaged_anywhere_are_survived) {
  const Message whole = Message().bytes(1, host_plane()).bytes(1, gpu_plane());
  std::vector<std::uint8_t> file(whole.view().begin(), whole.view().end());
  for (std::size_t at = 0; at < file.size(); ++at) {
    for (const std::uint8_t value : std::initializer_list<std::uint8_t>{0x00, 0x7f, 0x80, 0xff}) {
      const std::uint8_t before = std::exchange(file[at], value);
      Read read(file);
      CHECK(read.slices.size() < 100);
      file[at] = before;
    }
  }
}

TEST(xplane_sums_of_events_have_no_time) {
  Read read(Message().bytes(
      1,
      Message().bytes(2, "/host:CPU").bytes(3, line(1, "t", {Message().varint(1, 1).varint(5, 10).varint(3, 500)}))));
  CHECK(read.slices.empty() && read.report.summed_events == 1);
}

TEST(slice_links_leave_out_contexts_of_many) {
  SliceLinks links;
  links.add_producer(1, 9, 0);
  for (std::uint32_t i = 1; i <= 100; ++i) links.add_consumer(1, 9, i);
  for (std::uint32_t i = 0; i < 64; ++i) links.add_producer(2, 9, i);
  for (std::uint32_t i = 0; i < 64; ++i) links.add_consumer(2, 9, 1000 + i);
  const auto found = links.take();
  CHECK(found.size() == 100 && found[0].from == 0 && found[99].to == 100);
}

TEST(xplane_names_of_planes_say_what_is_a_device) {
  CHECK(place_of("/device:TPU:3").device == 3 && place_of("/device:GPU:0").is_device);
  CHECK(!place_of("/host:CPU").is_device && !place_of("/device:CPU:0").is_device);
  CHECK(place_of("/device:CUSTOM:Megascale").device == 0);
}

}  // namespace seamark
