// Views of the messages of an XSpace: planes with lines of events. The numbers are those of xplane.proto.
//
// A file that was cut off ends within a message. Its last message is then read as far as it goes.
#pragma once

#include <string_view>
#include <unordered_map>
#include <vector>

#include "format/wire.h"

namespace seamark {

inline std::string_view text_of(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

// Like Cursor, but returns a last field of bytes that ends early with the bytes that there are.
class LenientCursor {
 public:
  explicit LenientCursor(Bytes message) : at_(message.data()), end_(message.data() + message.size()) {}

  bool next(Field& field);
  const std::uint8_t* position() const { return at_; }
  bool is_cut() const { return is_cut_; }      // the message ends within a field
  bool is_corrupt() const { return is_bad_; }  // something that is no field: the rest is skipped

 private:
  bool stop(bool& reason);

  const std::uint8_t* at_;
  const std::uint8_t* end_;
  bool is_cut_ = false, is_bad_ = false;
};

// XStat
struct StatView {
  enum class Type : std::uint8_t { None, Real, Integer, Text, Reference, Binary };

  std::int64_t metadata_id = 0;
  Type type = Type::None;
  std::uint64_t bits = 0;  // Real: of the double; Integer; Reference: the id of a stat's metadata, whose name is meant
  Bytes content;           // Text, Binary

  std::int64_t integer() const;
  double real() const;
  bool is_number() const { return type == Type::Real || type == Type::Integer; }
};
// False for malformed bytes.
bool parse_stat(Bytes message, StatView& stat);

// XEvent. The stats are appended, so that a caller can use one vector for all events.
struct EventView {
  std::int64_t metadata_id = 0;
  std::int64_t offset_ps = 0;
  std::int64_t duration_ps = 0;
  std::int64_t occurrences = 0;  // not 0: a sum of several, without a time
};
bool parse_event(Bytes message, EventView& event, std::vector<StatView>& stats);

struct LineView {
  std::int64_t id = 0;
  std::int64_t display_id = 0;
  std::string_view name;
  std::string_view display_name;
  std::int64_t timestamp_ns = 0;
  Bytes message;  // with the events
};
LineView parse_line(Bytes message);

struct EventMetadata {
  std::string_view name;
  std::string_view display_name;
  std::vector<Bytes> stats;
};

// Entries by an id, which is mostly small.
template <class T>
class IdMap {
 public:
  T& operator[](std::int64_t id) {
    const auto index = static_cast<std::uint64_t>(id);
    if (index >= kDense) return others_[id];
    if (index >= dense_.size()) dense_.resize(index + 1);
    return dense_[index];
  }
  // nullptr if there is none; an id in a gap has an entry that was not set.
  const T* find(std::int64_t id) const {
    const auto index = static_cast<std::uint64_t>(id);
    if (index < kDense) return index < dense_.size() ? &dense_[index] : nullptr;
    const auto found = others_.find(id);
    return found == others_.end() ? nullptr : &found->second;
  }

 private:
  static constexpr std::uint64_t kDense = 1U << 16;

  std::vector<T> dense_;
  std::unordered_map<std::int64_t, T> others_;
};

struct PlaneView {
  std::int64_t id = 0;
  std::string_view name;
  std::vector<Bytes> lines;
  IdMap<EventMetadata> events;
  IdMap<std::string_view> stat_names;
  std::vector<StatView> stats;
  Bytes metadata;  // the part of the message that has the metadata of events and stats
  bool is_cut = false, is_corrupt = false;

  std::string_view stat_name(std::int64_t stat_id) const;
  std::string_view text(const StatView& stat) const;  // "" if it has none
};
PlaneView parse_plane(Bytes message);

// Where the metadata of an event or of a stat is, in the part of a plane that has it.
struct MetadataPlace {
  std::int64_t id;
  std::int64_t start, end;
};
struct MetadataIndex {
  std::vector<MetadataPlace> events, stats;  // in order of ids
};
MetadataIndex index_metadata(Bytes part);

// XSpace
struct SpaceView {
  std::vector<Bytes> planes;
  std::vector<std::string_view> errors, warnings, hostnames;
  bool is_cut = false, is_corrupt = false;
};
SpaceView parse_space(Bytes file);

}  // namespace seamark
