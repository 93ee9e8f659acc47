#include "trace/build/builder.h"

#include <algorithm>

namespace seamark {

namespace {

constexpr std::size_t kMaxSlices = 1'000'000'000;
constexpr std::size_t kMaxTracks = 1'000'000, kMaxCounters = 100'000;
constexpr std::string_view kOther = "(others)", kAnnotation = "user_annotation";
constexpr std::array kDeviceCategories = std::to_array<std::string_view>({
    "kernel",
    "Kernel",
    "gpu_memcpy",
    "Memcpy",
    "gpu_memset",
    "Memset",
    "gpu_user_annotation",
    "mtia_ccp_events",
    "xpu_kernel",
    "device_op",
});

}  // namespace

TraceBuilder::TraceBuilder() { track_keys_.limit(kMaxTracks, std::size_t{256} << 20); }

std::uint32_t TraceBuilder::name(std::string_view text, std::string_view category) {
  std::uint32_t label = categories_.find_or_add(category);
  if (label == kNone) label = 0;
  if (label == category_is_device_.size()) {
    category_is_device_.push_back(std::ranges::find(kDeviceCategories, category) != kDeviceCategories.end());
    if (category == kAnnotation) annotation_category_ = label;
  }
  const std::uint32_t found = names_.find_or_add(text, label);
  if (found != kNone) return found;
  count(TraceProblem::TooManyNames);
  if (other_name_ == kNone) {
    names_.limit(names_.size() + 1, std::numeric_limits<std::size_t>::max());
    other_name_ = names_.find_or_add(kOther, label);
  }
  return other_name_;
}

std::uint32_t TraceBuilder::process(std::string_view pid) {
  const std::uint32_t found = process_keys_.find_or_add(pid);
  if (found == kNone) return 0;
  if (found == processes_.size()) processes_.push_back({std::string(pid), {}, {}, kNoSortIndex});
  return found;
}

std::uint32_t TraceBuilder::track(std::string_view pid, std::string_view tid) {
  if (last_track_ != kNone && tid == last_tid_ && pid == last_pid_) return last_track_;
  key_.assign(pid).append(1, '\0').append(tid);
  last_track_ = track_keys_.find_or_add(key_);
  if (last_track_ == kNone) {
    count(TraceProblem::TooManyTracks);
    return 0;
  }
  if (last_track_ == tracks_.size()) {
    TrackEntry& entry = tracks_.emplace_back();
    entry.process = process(pid);
    entry.tid = tid;
  }
  last_pid_ = pid;
  last_tid_ = tid;
  return last_track_;
}

std::uint32_t TraceBuilder::async_track(std::string_view pid, std::string_view title) {
  // Another key than any thread's: a tid that begins with this byte is one of 100,000 that hardly exist.
  const std::uint32_t found = track(pid, std::string("\1").append(title));
  TrackEntry& entry = tracks_[found];
  if (entry.type != TrackType::Async) {
    entry.type = TrackType::Async;
    entry.may_overlap = true;
    entry.tid = title;
    entry.name = title;
  }
  return found;
}

bool TraceBuilder::is_time(TraceTime time) {
  if (time >= -kMaxTraceTime && time <= kMaxTraceTime) return true;
  count(TraceProblem::BadTime);
  return false;
}

std::uint32_t TraceBuilder::add_slice(std::uint32_t track, std::uint32_t name, TraceTime start, TraceTime duration,
                                      ArgumentRange arguments) {
  if (!is_time(start)) return kNone;
  if (start_.size() >= kMaxSlices) {
    count(TraceProblem::TooManySlices);
    return kNone;
  }
  if (duration < 0) {
    count(TraceProblem::NegativeDuration);
    duration = 0;
  }
  start_.push_back(start);
  duration_.push_back(std::min(duration, kMaxTraceTime - std::max<TraceTime>(start, 0)));
  name_.push_back(name);
  track_.push_back(track);
  argument_start_.push_back(arguments.start);
  argument_size_.push_back(arguments.size);
  TrackEntry& entry = tracks_[track];
  ++entry.slices;
  entry.is_device |= category_is_device_[names_.label(name)] != 0;
  return static_cast<std::uint32_t>(start_.size() - 1);
}

std::uint32_t TraceBuilder::begin_slice(std::uint32_t track, std::uint64_t key, std::uint32_t name, TraceTime start,
                                        ArgumentRange arguments) {
  const std::uint32_t slice = add_slice(track, name, start, 0, arguments);
  if (slice != kNone) edges_.push_back({key, start, slice});
  return slice;
}

void TraceBuilder::end_slice(std::uint64_t key, TraceTime end) {
  if (is_time(end)) edges_.push_back({key, end, kNone});
}

std::uint32_t TraceBuilder::add_instant(std::uint32_t track, std::uint32_t name, TraceTime time) {
  if (!is_time(time)) return kNone;
  instant_time_.push_back(time);
  instant_name_.push_back(name);
  instant_track_.push_back(track);
  ++tracks_[track].instants;
  return static_cast<std::uint32_t>(instant_time_.size() - 1);
}

void TraceBuilder::add_flow(FlowPhase phase, std::uint64_t key, std::uint32_t track, TraceTime time,
                            bool binds_to_next) {
  if (is_time(time)) flows_.push_back({key, time, track, phase, binds_to_next});
}

std::uint32_t TraceBuilder::counter(std::string_view pid, std::string_view name, std::string_view series) {
  key_.assign(pid).append(1, '\0').append(name).append(1, '\0').append(series);
  const std::uint32_t found = counters_.size() < kMaxCounters ? counter_keys_.find_or_add(key_) : kNone;
  if (found == counters_.size()) counters_.push_back({process(pid), std::string(name), std::string(series)});
  return found;
}

void TraceBuilder::add_point(std::uint32_t counter, TraceTime time, double value) {
  if (counter != kNone && is_time(time)) points_.push_back({time, value, counter});
}

}  // namespace seamark
