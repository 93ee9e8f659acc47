#include "trace/read/xplane_scan.h"

#include <algorithm>
#include <unordered_map>

#include "trace/read/slice_links.h"
#include "trace/read/xplane_messages.h"
#include "trace/read/xplane_names.h"
#include "trace/read/xplane_stats.h"

namespace seamark {
namespace {

constexpr std::uint64_t kEventsField = 4;
// Not one of the types of contexts in files: launches and kernels.
constexpr std::uint64_t kCorrelationType = std::uint64_t{1} << 40;
constexpr std::string_view kStartRegion = "ThreadpoolListener::StartRegion";
constexpr std::string_view kStopRegion = "ThreadpoolListener::StopRegion";
constexpr std::string_view kRegion = "ThreadpoolListener::Region";
// The name of torch for the same.
constexpr std::string_view kMemory = "[memory]";

constexpr std::size_t kCorrelation = field_index("correlation"), kCopyBytes = field_index("bytes"),
                      kRegisters = field_index("registers per thread"), kSharedMemory = field_index("shared memory"),
                      kOccupancy = field_index("est. achieved occupancy %"),
                      kBlocksPerSm = field_index("blocks per SM"), kAddress = field_index("Addr"),
                      kBytes = field_index("Bytes"), kTotalAllocated = field_index("Total Allocated"),
                      kDeviceType = field_index("Device Type"), kDeviceId = field_index("Device Id");

// Rounds down, so that slices that nest in picoseconds do so in nanoseconds.
TraceTime ns_of(std::int64_t ps) { return ps >= 0 ? ps / 1000 : -((999 - ps) / 1000); }

std::int64_t plus(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) return a < 0 ? -kMaxTraceTime : kMaxTraceTime;
  return sum;
}

// What an event of a name becomes; decided at the first one.
struct NameUse {
  enum class Form : std::uint8_t { Unknown, Slice, RegionStart, RegionStop, Allocation, Deallocation };
  Form form = Form::Unknown;
  std::uint32_t name = 0;
};

struct Context {
  std::uint64_t type = 0, id = 0;
  bool has_id = false;
};

struct Contexts {
  Context producer, consumer;
};

class PlaneScan {
 public:
  PlaneScan(const PlaneView& plane, std::string_view pid, const std::uint8_t* file, TraceBuilder& builder,
            SliceLinks& links, XPlaneReport& report)
      : plane_(plane),
        pid_(pid),
        file_(file),
        builder_(builder),
        links_(links),
        report_(report),
        place_(place_of(plane.name)) {
    for (const StatView& stat : plane.stats) {
      if (plane.stat_name(stat.metadata_id) == "core_count") multiprocessors_ = stat.real();
    }
  }

  void scan_line(const LineView& line) {
    const std::string tid = std::to_string(line.id);
    track_ = builder_.track(pid_, tid);
    line_type_ = line_type_of(place_, line.name);
    describe_track(line);
    line_ = &line;
    LenientCursor cursor(line.message);
    for (Field field; cursor.next(field);) {
      if (!field.is(kEventsField, Wire::Length)) continue;
      // The last event of a file that was cut off
      if (cursor.is_cut() || !scan_event(field.bytes)) ++report_.bad_events;
    }
    add_regions();
    report_.is_cut |= cursor.is_cut();
    report_.is_corrupt |= cursor.is_corrupt();
  }

 private:
  // Where a thread pool begins or ends to run something.
  struct RegionEdge {
    TraceTime time;
    bool is_start;
    ArgumentRange arguments;
    Context consumer;
  };

  // A start and the stop that follows it become a slice. At the ends of a profile one of the two is missing.
  void add_regions() {
    std::ranges::stable_sort(regions_, {}, &RegionEdge::time);
    for (std::size_t i = 0; i + 1 < regions_.size(); ++i) {
      const RegionEdge &start = regions_[i], &stop = regions_[i + 1];
      if (!start.is_start || stop.is_start) continue;
      const std::uint32_t name = builder_.name(kRegion, "");
      slice_ = builder_.add_slice(track_, name, start.time, stop.time - start.time, start.arguments);
      if (slice_ != kNone && start.consumer.has_id) {
        links_.add_consumer(start.consumer.type, start.consumer.id, slice_);
      }
    }
    regions_.clear();
  }

  void describe_track(const LineView& line) {
    TrackEntry& entry = builder_.track_entry(track_);
    entry.name = track_name(line);
    entry.is_device = place_.is_device;
    // Python functions and annotations are recorded by two tracers, which disagree by microseconds.
    entry.may_overlap = line_type_ != LineType::Stream && line_type_ != LineType::Ops;
    // The main thread first, then the order of the file.
    entry.sort_index = line.name == "python" ? 0 : ++lines_;
    entry.type =
        place_.is_device ? (line_type_ == LineType::Stream ? TrackType::Stream : TrackType::Line) : TrackType::Thread;
  }

  bool scan_event(Bytes message) {
    stats_.clear();
    EventView event;
    if (!parse_event(message, event, stats_)) return false;
    if (event.occurrences != 0) {
      ++report_.summed_events;
      return true;
    }
    const EventMetadata* metadata = plane_.events.find(event.metadata_id);
    NameUse& use = uses_[static_cast<std::size_t>(line_type_)][event.metadata_id];
    if (use.form == NameUse::Form::Unknown) use = first_use(event, metadata);
    start_ = plus(line_->timestamp_ns, ns_of(event.offset_ps));
    if (use.form == NameUse::Form::Allocation || use.form == NameUse::Form::Deallocation) {
      add_memory(use);
      return true;
    }
    const bool has_arguments = !stats_.empty() || has_static_stats(metadata);
    const ArgumentRange arguments{static_cast<std::uint64_t>(message.data() - file_),
                                  has_arguments ? static_cast<std::uint32_t>(message.size()) : 0};
    if (use.form == NameUse::Form::RegionStart || use.form == NameUse::Form::RegionStop) {
      regions_.push_back({start_, use.form == NameUse::Form::RegionStart, arguments, contexts_of_event().consumer});
      return true;
    }
    const TraceTime end = plus(line_->timestamp_ns, ns_of(plus(event.offset_ps, event.duration_ps)));
    slice_ = builder_.add_slice(track_, use.name, start_, end - start_, arguments);
    if (slice_ != kNone) set_fields(metadata);
    return true;
  }

  static bool has_static_stats(const EventMetadata* metadata) {
    return metadata != nullptr && (!metadata->stats.empty() || !metadata->display_name.empty());
  }

  NameUse first_use(const EventView& event, const EventMetadata* metadata) {
    if (metadata == nullptr || (metadata->name.empty() && metadata->display_name.empty())) {
      ++report_.unnamed_events;
      return {NameUse::Form::Slice, builder_.name("event " + std::to_string(event.metadata_id), "")};
    }
    if (metadata->name == kStartRegion) return {NameUse::Form::RegionStart, builder_.name(kRegion, "")};
    if (metadata->name == kStopRegion) return {NameUse::Form::RegionStop, 0};
    if (metadata->name == "MemoryAllocation") return {NameUse::Form::Allocation, memory_name()};
    if (metadata->name == "MemoryDeallocation") return {NameUse::Form::Deallocation, memory_name()};
    EventTraits traits;
    for (const StatView& stat : stats_) {
      const StatRole role = use_of(stat).role;
      traits.is_copy |= role == StatRole::MemcpyDetails;
      traits.is_fill |= role == StatRole::MemsetDetails;
      traits.has_hlo_op |= role == StatRole::HloOp;
      traits.has_correlation |= role == StatRole::Correlation;
      traits.has_step |= use_of(stat).field == field_index("step_num");
    }
    const std::string text = slice_name(place_, *metadata);
    return {NameUse::Form::Slice, builder_.name(text, category_of(place_, line_type_, line_->name, *metadata, traits))};
  }

  std::uint32_t memory_name() { return builder_.name(kMemory, "cpu_instant_event"); }

  StatUse use_of(const StatView& stat) {
    CachedUse& cached = stat_uses_[stat.metadata_id];
    if (!cached.is_known) cached = {use_of_stat(plane_.stat_name(stat.metadata_id)), true};
    return cached.use;
  }

  void set_fields(const EventMetadata* metadata) {
    for (const StatView& stat : stats_) set_field(stat);
    const auto [producer, consumer] = contexts_of_event();
    if (producer.has_id) links_.add_producer(producer.type, producer.id, slice_);
    if (consumer.has_id) links_.add_consumer(consumer.type, consumer.id, slice_);
    if (metadata == nullptr) return;
    for (const Bytes bytes : metadata->stats) {
      StatView stat;
      if (!parse_stat(bytes, stat)) continue;
      const StatUse use = use_of(stat);
      if (use.role == StatRole::Field) put_number(use.field, stat);
    }
  }

  Contexts contexts_of_event() {
    Contexts contexts;
    auto& [producer, consumer] = contexts;
    for (const StatView& stat : stats_) {
      switch (use_of(stat).role) {
        case StatRole::ProducerType: producer.type = stat.bits; break;
        case StatRole::Producer: producer = {producer.type, stat.bits, true}; break;
        case StatRole::ConsumerType: consumer.type = stat.bits; break;
        case StatRole::Consumer: consumer = {consumer.type, stat.bits, true}; break;
        default: break;
      }
    }
    return contexts;
  }

  void set_field(const StatView& stat) {
    const StatUse use = use_of(stat);
    switch (use.role) {
      case StatRole::Field: put_number(use.field, stat); break;
      case StatRole::Correlation:
        put_number(kCorrelation, stat);
        if (place_.is_device) {
          links_.add_consumer(kCorrelationType, stat.bits, slice_);
        } else {
          links_.add_producer(kCorrelationType, stat.bits, slice_);
        }
        break;
      case StatRole::KernelDetails: set_kernel(parse_kernel_details(plane_.text(stat))); break;
      case StatRole::MemcpyDetails:
      case StatRole::MemsetDetails:
        if (const auto bytes = parse_copy_bytes(plane_.text(stat))) builder_.set_field(kCopyBytes, slice_, *bytes);
        break;
      default: break;
    }
  }

  void put_number(std::size_t field, const StatView& stat) {
    if (stat.type == StatView::Type::Real) builder_.set_field(field, slice_, stat.real());
    if (stat.type == StatView::Type::Integer) builder_.set_field(field, slice_, stat.integer());
  }

  void set_kernel(const KernelDetails& kernel) {
    if (!place_.is_device) return;  // CUPTI repeats the details at the launch
    builder_.set_field(kRegisters, slice_, kernel.registers);
    builder_.set_field(kSharedMemory, slice_, kernel.shared_bytes);
    if (kernel.occupancy_percent) builder_.set_field(kOccupancy, slice_, *kernel.occupancy_percent);
    if (multiprocessors_ <= 0) return;
    builder_.set_field(kBlocksPerSm, slice_, static_cast<double>(kernel.blocks) / multiprocessors_);
  }

  void add_memory(const NameUse& use) {
    const std::uint32_t instant = builder_.add_instant(track_, use.name, start_);
    if (instant == kNone) return;
    const std::int64_t sign = use.form == NameUse::Form::Allocation ? 1 : -1;
    std::string_view allocator = "memory";
    std::int64_t allocated = -1;
    for (const StatView& stat : stats_) {
      const std::int64_t value = stat.integer();
      switch (use_of(stat).role) {
        case StatRole::Allocator: allocator = plane_.text(stat); break;
        case StatRole::AllocationBytes: builder_.set_instant_field(kBytes, instant, sign * value); break;
        case StatRole::BytesAllocated: allocated = value; break;
        case StatRole::Address: builder_.set_instant_field(kAddress, instant, value); break;
        default: break;
      }
    }
    const AllocatorPlace place = allocator_place(allocator);
    builder_.set_instant_field(kDeviceType, instant, std::int64_t{place.is_device ? 1 : 0});
    builder_.set_instant_field(kDeviceId, instant, place.device);
    if (allocated < 0) return;
    builder_.set_instant_field(kTotalAllocated, instant, allocated);
    builder_.add_point(builder_.counter(pid_, std::string(allocator) + " memory", "allocated"), start_,
                       static_cast<double>(allocated));
  }

  struct CachedUse {
    StatUse use;
    bool is_known = false;
  };

  const PlaneView& plane_;
  std::string_view pid_;
  const std::uint8_t* file_;
  TraceBuilder& builder_;
  SliceLinks& links_;
  XPlaneReport& report_;
  PlanePlace place_;
  double multiprocessors_ = 0;
  std::int64_t lines_ = 0;
  IdMap<CachedUse> stat_uses_;
  std::array<IdMap<NameUse>, kLineTypes> uses_;
  // Of the line
  const LineView* line_ = nullptr;
  LineType line_type_ = LineType::Thread;
  std::uint32_t track_ = 0;
  std::vector<RegionEdge> regions_;
  // Of the event
  std::vector<StatView> stats_;
  TraceTime start_ = 0;
  std::uint32_t slice_ = 0;
};

}  // namespace

XPlaneReport scan_xplane(Bytes file, TraceBuilder& builder, std::atomic<std::uint64_t>* bytes_read) {
  const SpaceView space = parse_space(file);
  XPlaneReport report;
  report.is_cut = space.is_cut;
  report.is_corrupt = space.is_corrupt;
  SliceLinks links;
  std::unordered_map<std::string, int> same_name;
  for (const Bytes message : space.planes) {
    const PlaneView plane = parse_plane(message);
    report.is_cut |= plane.is_cut;
    report.is_corrupt |= plane.is_corrupt;
    if (plane.lines.empty()) continue;
    std::string pid(plane.name.empty() ? "plane" : plane.name);
    if (const int number = ++same_name[pid]; number > 1) pid += " (" + std::to_string(number) + ")";
    ProcessEntry& process = builder.process_entry(builder.process(pid));
    process.name = pid;
    process.sort_index = place_of(plane.name).is_device ? 1 : 0;
    PlaneScan scan(plane, pid, file.data(), builder, links, report);
    for (const Bytes line : plane.lines) {
      if (bytes_read != nullptr) *bytes_read = static_cast<std::uint64_t>(line.data() - file.data());
      scan.scan_line(parse_line(line));
    }
  }
  for (const SliceLinks::Link link : links.take()) builder.add_link(link.from, link.to);
  return report;
}

}  // namespace seamark
