#include "trace/read/xplane_messages.h"

#include <algorithm>
#include <cmath>

namespace seamark {
namespace {

namespace space_field {
enum : std::uint32_t { kPlane = 1, kError = 2, kWarning = 3, kHostname = 4 };
}
namespace plane_field {
enum : std::uint32_t { kId = 1, kName = 2, kLine = 3, kEventMetadata = 4, kStatMetadata = 5, kStat = 6 };
}
namespace line_field {
enum : std::uint32_t { kId = 1, kName = 2, kTimestampNs = 3, kDisplayId = 10, kDisplayName = 11 };
}
namespace xevent_field {
enum : std::uint32_t { kMetadataId = 1, kOffsetPs = 2, kDurationPs = 3, kStat = 4, kOccurrences = 5 };
}
namespace stat_field {
enum : std::uint32_t { kMetadataId = 1, kDouble = 2, kUint64 = 3, kInt64 = 4, kText = 5, kBytes = 6, kReference = 7 };
}
namespace event_metadata_field {
enum : std::uint32_t { kName = 2, kDisplayName = 4, kStat = 5 };
}
namespace stat_metadata_field {
enum : std::uint32_t { kName = 2 };
}
namespace map_field {
enum : std::uint32_t { kKey = 1, kValue = 2 };
}

std::int64_t signed_of(std::uint64_t value) { return static_cast<std::int64_t>(value); }

struct MapEntry {
  std::int64_t key = 0;
  Bytes value;
};

MapEntry parse_entry(Bytes message) {
  MapEntry entry;
  LenientCursor cursor(message);
  for (Field field; cursor.next(field);) {
    if (field.is(map_field::kKey, Wire::Varint)) entry.key = signed_of(field.value);
    if (field.is(map_field::kValue, Wire::Length)) entry.value = field.bytes;
  }
  return entry;
}

EventMetadata parse_event_metadata(Bytes message) {
  EventMetadata metadata;
  LenientCursor cursor(message);
  for (Field field; cursor.next(field);) {
    if (field.type != Wire::Length) continue;
    if (field.number == event_metadata_field::kName) metadata.name = text_of(field.bytes);
    if (field.number == event_metadata_field::kDisplayName) metadata.display_name = text_of(field.bytes);
    if (field.number == event_metadata_field::kStat) metadata.stats.push_back(field.bytes);
  }
  return metadata;
}

std::string_view parse_stat_name(Bytes message) {
  std::string_view name;
  LenientCursor cursor(message);
  for (Field field; cursor.next(field);) {
    if (field.is(stat_metadata_field::kName, Wire::Length)) name = text_of(field.bytes);
  }
  return name;
}

}  // namespace

bool LenientCursor::stop(bool& reason) {
  reason = true;
  at_ = end_;
  return false;
}

bool LenientCursor::next(Field& field) {
  if (at_ == end_) return false;
  std::uint64_t key = 0;
  const std::uint8_t* at = read_varint(at_, end_, key);
  if (at == nullptr) return stop(end_ - at_ < 10 ? is_cut_ : is_bad_);
  if (key < 8 || key > std::numeric_limits<std::uint32_t>::max()) return stop(is_bad_);
  field.number = static_cast<std::uint32_t>(key >> 3);
  field.type = static_cast<Wire>(key & 7U);
  if (field.type == Wire::Length) {
    std::uint64_t length = 0;
    const std::uint8_t* content = read_varint(at, end_, length);
    if (content == nullptr) return stop(end_ - at < 10 ? is_cut_ : is_bad_);
    const auto rest = static_cast<std::size_t>(end_ - content);
    is_cut_ = is_cut_ || length > rest;
    field.bytes = {content, std::min<std::size_t>(length, rest)};
    at_ = content + field.bytes.size();
    return true;
  }
  std::size_t size = 0;
  if (field.type == Wire::Fixed64) size = 8;
  if (field.type == Wire::Fixed32) size = 4;
  if (size > 0) {
    if (static_cast<std::size_t>(end_ - at) < size) return stop(is_cut_);
    field.value = size == 8 ? load<std::uint64_t>(at) : load<std::uint32_t>(at);
    at_ = at + size;
    return true;
  }
  if (field.type != Wire::Varint) return stop(is_bad_);  // no message of an XSpace has a group
  const std::uint8_t* after = read_varint(at, end_, field.value);
  if (after == nullptr) return stop(end_ - at < 10 ? is_cut_ : is_bad_);
  at_ = after;
  return true;
}

std::int64_t StatView::integer() const {
  if (type != Type::Real) return signed_of(bits);
  const double value = std::bit_cast<double>(bits);
  return std::abs(value) < 0x1p63 ? static_cast<std::int64_t>(value) : 0;
}

double StatView::real() const {
  return type == Type::Real ? std::bit_cast<double>(bits) : static_cast<double>(signed_of(bits));
}

bool parse_stat(Bytes message, StatView& stat) {
  stat = {};
  Cursor cursor(message);
  for (Field field; cursor.next(field);) {
    switch (field.number) {
      case stat_field::kMetadataId: stat.metadata_id = signed_of(field.value); continue;
      case stat_field::kDouble: stat.type = StatView::Type::Real; break;
      case stat_field::kUint64:
      case stat_field::kInt64: stat.type = StatView::Type::Integer; break;
      case stat_field::kReference: stat.type = StatView::Type::Reference; break;
      case stat_field::kText: stat.type = StatView::Type::Text; break;
      case stat_field::kBytes: stat.type = StatView::Type::Binary; break;
      default: continue;
    }
    const bool is_content = stat.type == StatView::Type::Text || stat.type == StatView::Type::Binary;
    if (is_content != (field.type == Wire::Length)) return false;
    stat.bits = field.value;
    if (is_content) stat.content = field.bytes;
  }
  return cursor.ok();
}

bool parse_event(Bytes message, EventView& event, std::vector<StatView>& stats) {
  event = {};
  Cursor cursor(message);
  for (Field field; cursor.next(field);) {
    if (field.is(xevent_field::kStat, Wire::Length)) {
      if (!parse_stat(field.bytes, stats.emplace_back())) return false;
    } else if (field.type == Wire::Varint) {
      if (field.number == xevent_field::kMetadataId) event.metadata_id = signed_of(field.value);
      if (field.number == xevent_field::kOffsetPs) event.offset_ps = signed_of(field.value);
      if (field.number == xevent_field::kDurationPs) event.duration_ps = signed_of(field.value);
      if (field.number == xevent_field::kOccurrences) event.occurrences = signed_of(field.value);
    }
  }
  return cursor.ok();
}

LineView parse_line(Bytes message) {
  LineView line;
  line.message = message;
  LenientCursor cursor(message);
  for (Field field; cursor.next(field);) {
    if (field.is(line_field::kId, Wire::Varint)) line.id = signed_of(field.value);
    if (field.is(line_field::kName, Wire::Length)) line.name = text_of(field.bytes);
    if (field.is(line_field::kTimestampNs, Wire::Varint)) line.timestamp_ns = signed_of(field.value);
    if (field.is(line_field::kDisplayId, Wire::Varint)) line.display_id = signed_of(field.value);
    if (field.is(line_field::kDisplayName, Wire::Length)) line.display_name = text_of(field.bytes);
  }
  return line;
}

std::string_view PlaneView::stat_name(std::int64_t stat_id) const {
  const std::string_view* found = stat_names.find(stat_id);
  return found == nullptr ? std::string_view{} : *found;
}

std::string_view PlaneView::text(const StatView& stat) const {
  if (stat.type == StatView::Type::Reference) return stat_name(signed_of(stat.bits));
  return stat.type == StatView::Type::Text ? text_of(stat.content) : std::string_view{};
}

PlaneView parse_plane(Bytes message) {
  PlaneView plane;
  LenientCursor cursor(message);
  const std::uint8_t* start = cursor.position();
  for (Field field; cursor.next(field); start = cursor.position()) {
    if (field.is(plane_field::kId, Wire::Varint)) plane.id = signed_of(field.value);
    if (field.type != Wire::Length) continue;
    if (field.number == plane_field::kName) plane.name = text_of(field.bytes);
    if (field.number == plane_field::kLine) plane.lines.push_back(field.bytes);
    if (field.number == plane_field::kStat) {
      StatView stat;
      if (parse_stat(field.bytes, stat)) plane.stats.push_back(stat);
    }
    if (field.number == plane_field::kEventMetadata || field.number == plane_field::kStatMetadata) {
      plane.metadata = {plane.metadata.empty() ? start : plane.metadata.data(), cursor.position()};
      const MapEntry entry = parse_entry(field.bytes);
      if (field.number == plane_field::kStatMetadata) {
        plane.stat_names[entry.key] = parse_stat_name(entry.value);
      } else {
        plane.events[entry.key] = parse_event_metadata(entry.value);
      }
    }
  }
  plane.is_cut = cursor.is_cut();
  plane.is_corrupt = cursor.is_corrupt();
  return plane;
}

MetadataIndex index_metadata(Bytes part) {
  MetadataIndex index;
  LenientCursor cursor(part);
  for (Field field; cursor.next(field);) {
    const bool is_event = field.is(plane_field::kEventMetadata, Wire::Length);
    if (!is_event && !field.is(plane_field::kStatMetadata, Wire::Length)) continue;
    const MapEntry entry = parse_entry(field.bytes);
    if (entry.value.empty()) continue;
    const std::int64_t start = entry.value.data() - part.data();
    (is_event ? index.events : index.stats)
        .push_back({entry.key, start, start + static_cast<std::int64_t>(entry.value.size())});
  }
  std::ranges::stable_sort(index.events, {}, &MetadataPlace::id);
  std::ranges::stable_sort(index.stats, {}, &MetadataPlace::id);
  return index;
}

SpaceView parse_space(Bytes file) {
  SpaceView space;
  LenientCursor cursor(file);
  for (Field field; cursor.next(field);) {
    if (field.type != Wire::Length) continue;
    if (field.number == space_field::kPlane) space.planes.push_back(field.bytes);
    if (field.number == space_field::kError) space.errors.push_back(text_of(field.bytes));
    if (field.number == space_field::kWarning) space.warnings.push_back(text_of(field.bytes));
    if (field.number == space_field::kHostname) space.hostnames.push_back(text_of(field.bytes));
  }
  space.is_cut = cursor.is_cut();
  space.is_corrupt = cursor.is_corrupt();
  return space;
}

}  // namespace seamark
