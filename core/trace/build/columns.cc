#include "trace/build/columns.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <tuple>

namespace seamark {

namespace {

// Numbers in order of their value, before texts.
std::tuple<bool, std::int64_t, std::string_view> natural_key(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = error == std::errc() && end == text.data() + text.size() && !text.empty();
  return {!is_number, is_number ? number : 0, text};
}

}  // namespace

TraceColumns::TraceColumns(TraceBuilder builder) : builder_(std::move(builder)) {
  find_origin();
  match_edges();
  order_tracks();
  nest();
  pair_flows();
  order_counters();
  order_instants();
}

void TraceColumns::find_origin() {
  TraceTime first = kMaxTraceTime, last = -kMaxTraceTime;
  const auto include = [&](TraceTime start, TraceTime end) {
    first = std::min(first, start);
    last = std::max(last, end);
  };
  for (std::size_t i = 0; i < builder_.start_.size(); ++i) {
    include(builder_.start_[i], builder_.start_[i] + builder_.duration_[i]);
  }
  for (const SliceEdge& edge : builder_.edges_) include(edge.time, edge.time);
  for (std::size_t i = 0; i < builder_.instant_time_.size(); ++i) {
    include(builder_.instant_time_[i], builder_.instant_time_[i]);
  }
  for (const CounterPoint& point : builder_.points_) include(point.time, point.time);
  if (first > last) first = last = 0;
  origin_ = first;
  end_ = last;
}

// An end belongs to the last begin of the same key that is still open.
void TraceColumns::match_edges() {
  std::vector<SliceEdge> edges = std::exchange(builder_.edges_, {});
  const auto order = [](const SliceEdge& edge) { return std::pair(edge.key, edge.time); };
  if (!std::ranges::is_sorted(edges, {}, order)) std::ranges::stable_sort(edges, {}, order);
  std::vector<std::uint32_t> open;
  const auto close_all = [&] {
    for (const std::uint32_t slice : open) {
      builder_.duration_[slice] = end_ - builder_.start_[slice];
      builder_.count(TraceProblem::NoEnd);
    }
    open.clear();
  };
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (i > 0 && edges[i].key != edges[i - 1].key) close_all();
    if (edges[i].slice != kNone) {
      open.push_back(edges[i].slice);
    } else if (open.empty()) {
      builder_.count(TraceProblem::EndWithoutBegin);
    } else {
      builder_.duration_[open.back()] = edges[i].time - builder_.start_[open.back()];
      open.pop_back();
    }
  }
  close_all();
}

// Processes by their sort index, then by number; threads of a process likewise.
void TraceColumns::order_tracks() {
  std::vector<std::uint32_t> order;
  for (std::uint32_t track = 0; track < builder_.tracks_.size(); ++track) {
    const TrackEntry& entry = builder_.tracks_[track];
    if (entry.slices + entry.instants > 0) order.push_back(track);
  }
  const auto key = [&](std::uint32_t track) {
    const TrackEntry& entry = builder_.tracks_[track];
    const ProcessEntry& process = builder_.processes_[entry.process];
    return std::tuple(process.sort_index, natural_key(process.pid), entry.type == TrackType::Async, entry.sort_index,
                      natural_key(entry.tid));
  };
  std::ranges::stable_sort(order, {}, key);
  track_order_.assign(builder_.tracks_.size(), kNone);
  first_of_track_.assign(1, 0);
  for (const std::uint32_t track : order) {
    const TrackEntry& entry = builder_.tracks_[track];
    track_order_[track] = static_cast<std::uint32_t>(tracks_.size());
    tracks_.push_back({&entry, &builder_.processes_[entry.process], 0, 0, 0});
    first_of_track_.push_back(first_of_track_.back() + entry.slices);
  }
}

void TraceColumns::nest() {
  const std::size_t count = builder_.start_.size();
  auto order = make_column<std::uint32_t>(count);
  {
    std::vector<std::uint64_t> next = first_of_track_;
    for (std::uint32_t slice = 0; slice < count; ++slice) {
      order[next[track_order_[builder_.track_[slice]]]++] = slice;
    }
    builder_.track_.clear();
  }
  for (FlowPoint& flow : builder_.flows_) flow.track = track_order_[flow.track];
  std::ranges::sort(builder_.flows_, {}, [](const FlowPoint& flow) { return std::pair(flow.track, flow.time); });
  NestColumns nested{make_column<std::uint16_t>(count), make_column<std::uint32_t>(count),
                     make_column<TraceTime>(count)};
  Nester nester(nested);
  std::vector<std::uint32_t> rows_of_track;
  std::vector<NestItem> items;
  std::uint64_t overlaps = 0;
  for (std::size_t track = 0, flow = 0; track < tracks_.size(); ++track) {
    const std::size_t first = first_of_track_[track], end = first_of_track_[track + 1];
    items.resize(end - first);
    for (std::size_t i = 0; i < items.size(); ++i) {
      const std::uint32_t slice = order[first + i];
      items[i] = {builder_.start_[slice], builder_.duration_[slice], slice, builder_.is_annotation(slice)};
    }
    const std::size_t first_flow = flow;
    while (flow < builder_.flows_.size() && builder_.flows_[flow].track == track) ++flow;
    const std::uint64_t before = nester.overlaps();
    rows_of_track.push_back(
        nester.nest(items, first, std::span(builder_.flows_).subspan(first_flow, flow - first_flow)));
    if (!tracks_[track].entry->may_overlap) overlaps += nester.overlaps() - before;
    for (std::size_t i = 0; i < items.size(); ++i) order[first + i] = items[i].slice;
  }
  items = {};
  builder_.count(TraceProblem::Overlap, overlaps);
  builder_.count(TraceProblem::TooDeep, nester.left_out());
  slices_ = count - nester.left_out();
  lay_out_rows(nested, order, rows_of_track);
}

void TraceColumns::lay_out_rows(const NestColumns& nested, const Column<std::uint32_t>& order,
                                const std::vector<std::uint32_t>& rows_of_track) {
  const std::size_t count = builder_.start_.size();
  rows_ = std::accumulate(rows_of_track.begin(), rows_of_track.end(), std::size_t{0});
  row_start_ = make_column<std::int64_t>(rows_ + 1);
  row_track_ = make_column<std::int32_t>(rows_);
  row_depth_ = make_column<std::int32_t>(rows_);
  auto index_of_position = make_column<std::uint32_t>(count);
  std::vector<std::uint32_t> next;
  std::uint32_t row = 0, start = 0;
  for (std::size_t track = 0; track < tracks_.size(); ++track) {
    const std::uint32_t rows = rows_of_track[track];
    next.assign(rows + 1, 0);
    const std::size_t first = first_of_track_[track], end = first_of_track_[track + 1];
    for (std::size_t i = first; i < end; ++i) {
      if (nested.row[i] != kNoRow) ++next[nested.row[i] + 1];
    }
    next[0] = start;
    std::partial_sum(next.begin(), next.end(), next.begin());
    tracks_[track].first_row = row;
    tracks_[track].rows = rows;
    tracks_[track].slices = next[rows] - start;
    start = next[rows];
    for (std::uint32_t depth = 0; depth < rows; ++depth, ++row) {
      row_start_[row] = next[depth];
      row_track_[row] = static_cast<std::int32_t>(track);
      row_depth_[row] = static_cast<std::int32_t>(depth);
    }
    for (std::size_t i = first; i < end; ++i) {
      index_of_position[i] = nested.row[i] == kNoRow ? kNone : next[nested.row[i]]++;
    }
  }
  row_start_[rows_] = static_cast<std::int64_t>(slices_);
  index_of_ = make_column<std::uint32_t>(count);
  self_time_ = make_column<TraceTime>(slices_);
  parent_ = make_column<std::int32_t>(slices_);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t index = index_of_position[i];
    index_of_[order[i]] = index;
    if (index == kNone) continue;
    self_time_[index] = nested.self_time[i];
    parent_[index] = nested.parent[i] == kNone ? -1 : static_cast<std::int32_t>(index_of_position[nested.parent[i]]);
  }
}

// Points of a key in order of time: each leads from the point before it, those after an end from the last start.
void TraceColumns::pair_flows() {
  std::vector<FlowPoint> flows = std::exchange(builder_.flows_, {});
  std::erase_if(flows, [&](const FlowPoint& flow) { return flow.track == kNone || index_of_[flow.track] == kNone; });
  std::ranges::sort(flows, {}, [](const FlowPoint& flow) { return std::tuple(flow.key, flow.time, flow.phase); });
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (const auto& [from, to] : std::exchange(builder_.links_, {})) {
    if (index_of_[from] != kNone && index_of_[to] != kNone) pairs.emplace_back(index_of_[from], index_of_[to]);
  }
  for (std::size_t first = 0, end = 0; first < flows.size(); first = end) {
    while (end < flows.size() && flows[end].key == flows[first].key) ++end;
    const std::span group = std::span(flows).subspan(first, end - first);
    const auto start = std::ranges::find(group, FlowPhase::Start, &FlowPoint::phase);
    if (start == group.end()) continue;
    std::uint32_t from = start->track;
    for (const FlowPoint& flow : group) {
      if (flow.phase != FlowPhase::Start) pairs.emplace_back(index_of_[from], index_of_[flow.track]);
      if (flow.phase != FlowPhase::End) from = flow.track;
    }
  }
  std::erase_if(pairs, [](const auto& pair) { return pair.first == pair.second; });
  std::ranges::sort(pairs);
  flow_from_ = {make_column<std::int64_t>(pairs.size()), pairs.size()};
  flow_to_ = {make_column<std::int64_t>(pairs.size()), pairs.size()};
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    flow_from_.values[i] = pairs[i].first;
    flow_to_.values[i] = pairs[i].second;
  }
}

void TraceColumns::order_counters() {
  std::vector<CounterPoint>& points = builder_.points_;
  const auto order = [](const CounterPoint& point) { return std::pair(point.counter, point.time); };
  if (!std::ranges::is_sorted(points, {}, order)) std::ranges::stable_sort(points, {}, order);
  for (std::size_t first = 0, end = 0; first < points.size(); first = end) {
    while (end < points.size() && points[end].counter == points[first].counter) ++end;
    const CounterEntry& entry = builder_.counters_[points[first].counter];
    counters_.push_back({&entry, &builder_.processes_[entry.process], first, end - first});
  }
}

void TraceColumns::order_instants() {
  const std::size_t count = builder_.instant_time_.size();
  instant_order_ = make_column<std::uint32_t>(count);
  instant_index_of_ = make_column<std::uint32_t>(count);
  const std::span order(instant_order_.get(), count);
  std::iota(order.begin(), order.end(), std::uint32_t{0});
  std::ranges::stable_sort(order, {}, [&](std::uint32_t instant) { return builder_.instant_time_[instant]; });
  for (std::uint32_t index = 0; index < count; ++index) instant_index_of_[order[index]] = index;
}

}  // namespace seamark
