#include "disk/long_record.h"

#include <sys/mman.h>

#include <algorithm>

#include "disk/read_at.h"
#include "format/fields.h"
#include "format/wire.h"

namespace seamark {
namespace {

constexpr std::uint64_t kSmallBytes = 64U << 10U;  // a field up to this length is copied together with its neighbours
constexpr std::uint64_t kFieldHeaderBytes = 20;    // two varints

// Copies the parts of a message that the parser reads into `memory`, which has room for all of it.
class OutlineReader {
 public:
  OutlineReader(int file, std::uint64_t offset, std::uint64_t length, std::uint8_t* memory)
      : file_(file),
        offset_(offset),
        length_(length),
        memory_(memory) {}

  void read() { visit_fields(0, length_, Level::Event); }
  const OptionalError& error() const { return error_; }
  bool exceeds_copy_limit() const { return exceeds_copy_limit_; }

 private:
  enum class Level { Event, Summary, Value, Tensor, Flat };
  struct FieldHeader {
    std::uint32_t number;
    bool has_length;
    std::uint64_t start, length;  // of the content
  };

  void visit_fields(std::uint64_t at, std::uint64_t end, Level level);
  bool read_field(std::uint64_t at, std::uint64_t end, FieldHeader& out);
  bool visit(Level level, const FieldHeader& field);
  bool copy_up_to(std::uint64_t from, std::uint64_t to);

  int file_;
  std::uint64_t offset_, length_;
  std::uint8_t* memory_;
  std::uint64_t copied_to_ = 0;  // fields are visited in order
  std::uint64_t copied_bytes_ = 0;
  OptionalError error_;
  bool exceeds_copy_limit_ = false;
};

// Stops where the message is malformed: the parser reads the same bytes and reports it.
void OutlineReader::visit_fields(std::uint64_t at, std::uint64_t end, Level level) {
  FieldHeader field{};
  while (at < end && read_field(at, end, field)) {
    at = field.start + field.length;
    if (field.has_length && !visit(level, field)) return;
  }
}

bool OutlineReader::read_field(std::uint64_t at, std::uint64_t end, FieldHeader& out) {
  if (!copy_up_to(at, std::min(at + kFieldHeaderBytes, end))) return false;
  const std::uint8_t* const stop = memory_ + std::min(at + kFieldHeaderBytes, end);
  std::uint64_t key = 0;
  std::uint64_t value = 0;
  const std::uint8_t* next = read_varint(memory_ + at, stop, key);
  if (next == nullptr) return false;
  out.number = static_cast<std::uint32_t>(key >> 3U);
  out.has_length = (key & 7U) == static_cast<unsigned>(Wire::Length);
  out.length = 0;
  switch (static_cast<Wire>(key & 7U)) {
    case Wire::Varint: next = read_varint(next, stop, value); break;
    case Wire::Fixed64: out.length = 8; break;
    case Wire::Fixed32: out.length = 4; break;
    case Wire::Length: next = read_varint(next, stop, out.length); break;
    default:  // a group, whose end is unknown, or malformed
      copy_up_to(at, end);
      return false;
  }
  if (next == nullptr) return false;
  out.start = static_cast<std::uint64_t>(next - memory_);
  return out.length <= end - out.start;
}

// Visits the same fields as the parser. False to stop.
bool OutlineReader::visit(Level level, const FieldHeader& field) {
  const std::uint64_t end = field.start + field.length;
  if (field.length <= kSmallBytes) return copy_up_to(field.start, end);
  switch (level) {
    case Level::Event:
      if (field.number == event_field::kSummary) visit_fields(field.start, end, Level::Summary);
      // Log messages, session logs, run metadata and the source, but no graph.
      if (field.number >= event_field::kLogMessage && field.number != event_field::kMetaGraphDef) {
        visit_fields(field.start, end, Level::Flat);
      }
      break;
    case Level::Summary:
      if (field.number == summary_field::kValue) visit_fields(field.start, end, Level::Value);
      break;
    case Level::Value:
      switch (field.number) {
        case value_field::kTag:
        case value_field::kNodeName:
        case value_field::kMetadata: return copy_up_to(field.start, end);
        case value_field::kTensor: visit_fields(field.start, end, Level::Tensor); break;
        case value_field::kImage:
        case value_field::kHisto:
        case value_field::kAudio: visit_fields(field.start, end, Level::Flat); break;
        default: break;
      }
      break;
    case Level::Tensor:
      if (field.number == tensor_field::kShape) return copy_up_to(field.start, end);
      break;
    case Level::Flat: break;
  }
  return !error_ && !exceeds_copy_limit_;
}

// Copies in blocks, so that one read gets fields that are close together.
bool OutlineReader::copy_up_to(std::uint64_t from, std::uint64_t to) {
  if (to <= copied_to_) return true;
  from = std::max(from, copied_to_);
  to = std::min(std::max(to, from + kSmallBytes), length_);
  if (copied_bytes_ + (to - from) > Outline::kMaxCopiedBytes) {
    exceeds_copy_limit_ = true;
    return false;
  }
  const auto count = read_at(file_, memory_ + from, static_cast<std::size_t>(to - from), offset_ + from);
  if (!count) error_ = count.error();
  copied_bytes_ += to - from;
  copied_to_ = to;
  return count && *count == to - from;
}

}  // namespace

void Outline::Unmap::operator()(std::uint8_t* memory) const { munmap(memory, length); }

Result<Outline> Outline::read(int file, std::uint64_t offset, std::uint64_t length) {
  const auto mapped_bytes = static_cast<std::size_t>(std::max<std::uint64_t>(length, 1));
  void* const mapped =
      mmap(nullptr, mapped_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) return Error::from_system(ENOMEM);
  Memory memory(static_cast<std::uint8_t*>(mapped), {mapped_bytes});
  OutlineReader reader(file, offset, length, memory.get());
  reader.read();
  if (reader.error()) return *reader.error();
  return Outline(std::move(memory), static_cast<std::size_t>(length), reader.exceeds_copy_limit());
}

Result<std::optional<std::uint32_t>> checksum_of(int file, std::uint64_t offset, std::uint64_t length,
                                                 std::span<std::uint8_t> buffer) {
  std::uint32_t crc = 0;
  for (std::uint64_t at = 0; at < length;) {
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), length - at));
    const auto count = read_at(file, buffer.data(), wanted, offset + at);
    if (!count) return count.error();
    if (*count < wanted) return std::optional<std::uint32_t>();
    crc = crc32c({buffer.data(), wanted}, crc);
    at += wanted;
  }
  return std::optional(mask_crc(crc));
}

}  // namespace seamark
