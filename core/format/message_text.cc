#include "format/message_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <stdexcept>
#include <string_view>

namespace seamark {
namespace {

// Protobuf parses messages down to a depth of 100; the entries of a map are messages here.
constexpr int kMaxDepth = 256;
constexpr std::uint32_t kMapKey = 1;
constexpr std::uint32_t kMapValue = 2;

Wire wire_of(FieldType type) {
  switch (type) {
    case FieldType::Double:
    case FieldType::Fixed64:
    case FieldType::Sfixed64: return Wire::Fixed64;
    case FieldType::Float:
    case FieldType::Fixed32:
    case FieldType::Sfixed32: return Wire::Fixed32;
    case FieldType::String:
    case FieldType::Bytes:
    case FieldType::Message: return Wire::Length;
    default: return Wire::Varint;
  }
}

std::int64_t undo_zigzag(std::uint64_t value) { return static_cast<std::int64_t>((value >> 1U) ^ (0 - (value & 1U))); }

// What the bits of a Varint, Fixed32 or Fixed64 mean, for the types that are signed.
std::int64_t as_signed(FieldType type, std::uint64_t value) {
  switch (type) {
    case FieldType::Sint32: return undo_zigzag(static_cast<std::uint32_t>(value));
    case FieldType::Sint64: return undo_zigzag(value);
    case FieldType::Int64:
    case FieldType::Sfixed64: return static_cast<std::int64_t>(value);
    default: return static_cast<std::int32_t>(static_cast<std::uint32_t>(value));
  }
}

bool is_signed(FieldType type) {
  return type == FieldType::Int32 || type == FieldType::Int64 || type == FieldType::Enum || type >= FieldType::Sfixed32;
}

const TextField* find_field(const std::vector<TextField>& fields, std::uint32_t number) {
  const auto found = std::ranges::lower_bound(fields, number, {}, &TextField::number);
  return found != fields.end() && found->number == number ? &*found : nullptr;
}

// How a byte is written inside quotes: 0 as it is, a letter after a backslash, or 1 as three octal digits.
constexpr char kOctal = 1;

consteval std::array<char, 256> escapes(bool is_text) {
  std::array<char, 256> out{};
  for (std::size_t byte = 0; byte < out.size(); ++byte) {
    const bool is_plain = (byte >= 0x20 && byte < 0x7f) || (is_text && byte >= 0x80);
    out[byte] = is_plain ? '\0' : kOctal;
  }
  out['\n'] = 'n';
  out['\r'] = 'r';
  out['\t'] = 't';
  for (const char quoted : {'"', '\'', '\\'}) out[static_cast<std::size_t>(quoted)] = quoted;
  return out;
}
constexpr std::array<char, 256> kTextEscapes = escapes(true);
constexpr std::array<char, 256> kBytesEscapes = escapes(false);

struct MapEntry {
  Bytes content;
  Field key;
};

class TextWriter {
 public:
  TextWriter(const TextSchema& schema, std::string& out) : schema_(schema), out_(out) {}

  // False for malformed bytes, and above the maximal depth.
  bool write_message(Bytes message, std::size_t type) {
    if (depth_ == kMaxDepth) return false;
    const std::vector<TextField>& fields = schema_.messages[type];
    std::vector<MapEntry> entries;
    const TextField* map = nullptr;
    Cursor cursor(message);
    Field field;
    while (cursor.next(field)) {
      const TextField* known = find_field(fields, field.number);
      if (known == nullptr) continue;
      if (map != nullptr && map != known && !write_map(*map, entries)) return false;
      map = known->is_map ? known : nullptr;
      if (map == nullptr) {
        if (!write_field(*known, field)) return false;
      } else if (field.type == Wire::Length && !add_entry(field.bytes, entries)) {
        return false;
      }
    }
    return cursor.ok() && (map == nullptr || write_map(*map, entries));
  }

 private:
  bool write_field(const TextField& known, const Field& field) {
    const Wire wire = wire_of(known.type);
    if (field.type != wire) {
      const bool is_packed = known.is_repeated && field.type == Wire::Length;
      // Else it is an unknown field that has the number of a known one.
      return !is_packed || write_packed(known, wire, field.bytes);
    }
    if (known.type == FieldType::Message) return write_nested(known, field.bytes);
    write_scalar(known, field);
    return true;
  }

  bool write_packed(const TextField& known, Wire wire, Bytes packed) {
    const std::uint8_t* at = packed.data();
    const std::uint8_t* const end = at + packed.size();
    const std::size_t width = wire == Wire::Fixed64 ? 8 : 4;
    if (wire != Wire::Varint && packed.size() % width != 0) return false;
    Field field;
    while (at != end) {
      if (wire == Wire::Varint) {
        at = read_varint(at, end, field.value);
        if (at == nullptr) return false;
      } else {
        field.value = wire == Wire::Fixed64 ? load<std::uint64_t>(at) : load<std::uint32_t>(at);
        at += width;
      }
      write_scalar(known, field);
    }
    return true;
  }

  bool write_nested(const TextField& known, Bytes message) {
    open(known.name);
    if (!write_message(message, known.target)) return false;
    close();
    return true;
  }

  static bool add_entry(Bytes content, std::vector<MapEntry>& entries) {
    MapEntry entry{content, {}};
    Cursor cursor(content);
    Field field;
    while (cursor.next(field)) {
      if (field.number == kMapKey) entry.key = field;
    }
    entries.push_back(entry);
    return cursor.ok();
  }

  // Entries are in the order of protobuf's C runtime: numbers ascend; of two texts the one that begins the other comes
  // first, else the greater one.
  bool write_map(const TextField& map, std::vector<MapEntry>& entries) {
    const std::vector<TextField>& fields = schema_.messages[map.target];
    const TextField& key = fields[0];
    std::ranges::sort(entries, [&](const MapEntry& a, const MapEntry& b) {
      if (key.type == FieldType::String) {
        const std::size_t common = std::min(a.key.bytes.size(), b.key.bytes.size());
        const int order = common == 0 ? 0 : std::memcmp(a.key.bytes.data(), b.key.bytes.data(), common);
        return order != 0 ? order > 0 : a.key.bytes.size() < b.key.bytes.size();
      }
      if (is_signed(key.type)) return as_signed(key.type, a.key.value) < as_signed(key.type, b.key.value);
      return a.key.value < b.key.value;
    });
    for (const MapEntry& entry : entries) {
      open(map.name);
      // An entry always has both, whatever their values are.
      write_scalar(key, entry.key);
      if (!write_map_value(fields[1], entry.content)) return false;
      close();
    }
    entries.clear();
    return true;
  }

  bool write_map_value(const TextField& value, Bytes entry) {
    Cursor cursor(entry);
    Field found;
    Field field;
    while (cursor.next(field)) {
      if (field.is(kMapValue, wire_of(value.type))) found = field;
    }
    if (value.type == FieldType::Message) return write_nested(value, found.bytes);
    write_scalar(value, found);
    return true;
  }

  void write_scalar(const TextField& known, const Field& field) {
    indent();
    out_.append(known.name).append(": ");
    switch (known.type) {
      case FieldType::String: write_quoted(field.bytes, kTextEscapes); break;
      case FieldType::Bytes: write_quoted(field.bytes, kBytesEscapes); break;
      case FieldType::Double: write_float(field.as_double(), 15, 17); break;
      case FieldType::Float: write_float(field.as_float(), 6, 9); break;
      case FieldType::Bool: out_.append(field.value != 0 ? "true" : "false"); break;
      case FieldType::Enum: write_enum(known.target, static_cast<std::int32_t>(field.value)); break;
      case FieldType::Uint32: write_integer(static_cast<std::uint32_t>(field.value)); break;
      default:
        if (is_signed(known.type)) {
          write_integer(as_signed(known.type, field.value));
        } else {
          write_integer(field.value);
        }
    }
    out_.push_back('\n');
  }

  void write_quoted(Bytes bytes, const std::array<char, 256>& escapes) {
    out_.push_back('"');
    const std::uint8_t* at = bytes.data();
    const std::uint8_t* const end = at + bytes.size();
    while (at != end) {
      const std::uint8_t* const plain = at;
      while (at != end && escapes[*at] == 0) ++at;
      out_.append(reinterpret_cast<const char*>(plain), static_cast<std::size_t>(at - plain));
      for (; at != end && escapes[*at] != 0; ++at) write_escaped(*at, escapes[*at]);
    }
    out_.push_back('"');
  }

  void write_escaped(std::uint8_t byte, char escape) {
    if (escape == kOctal) {
      const std::array<char, 4> digits = {'\\', static_cast<char>('0' + (byte >> 6U)),
                                          static_cast<char>('0' + (byte >> 3U & 7U)),
                                          static_cast<char>('0' + (byte & 7U))};
      out_.append(digits.data(), digits.size());
    } else {
      out_.push_back('\\');
      out_.push_back(escape);
    }
  }

  // The digits that every decimal number of such a length survives, or as many as identify any value.
  template <class T>
  void write_float(T value, int few_digits, int all_digits) {
    if (!std::isfinite(value)) {
      out_.append(std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
      return;
    }
    std::array<char, 40> text{};
    const auto print = [&](int digits) {
      char* const last = text.data() + text.size() - 1;
      char* const end = std::to_chars(text.data(), last, value, std::chars_format::general, digits).ptr;
      *end = '\0';
      return static_cast<std::size_t>(end - text.data());
    };
    std::size_t size = print(few_digits);
    const T read = std::is_same_v<T, float> ? static_cast<T>(std::strtof(text.data(), nullptr))
                                            : static_cast<T>(std::strtod(text.data(), nullptr));
    if (read != value) size = print(all_digits);
    out_.append(text.data(), size);
  }

  template <class T>
  void write_integer(T value) {
    std::array<char, 24> text{};
    const char* const end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
    out_.append(text.data(), static_cast<std::size_t>(end - text.data()));
  }

  void write_enum(std::size_t type, std::int32_t number) {
    const auto& names = schema_.enums[type];
    const auto found = std::ranges::lower_bound(names, number, {}, [](const auto& named) { return named.first; });
    if (found != names.end() && found->first == number) {
      out_.append(found->second);
    } else {
      write_integer(number);
    }
  }

  void open(std::string_view name) {
    indent();
    out_.append(name).append(" {\n");
    ++depth_;
  }

  void close() {
    --depth_;
    indent();
    out_.append("}\n");
  }

  void indent() { out_.append(2 * static_cast<std::size_t>(depth_), ' '); }

  const TextSchema& schema_;
  std::string& out_;
  int depth_ = 0;
};

void require(bool condition, const char* message) {
  if (!condition) throw std::invalid_argument(message);
}

bool is_map_entry(const std::vector<TextField>& fields) {
  return fields.size() == 2 && fields[0].number == kMapKey && fields[1].number == kMapValue &&
         fields[0].type != FieldType::Message && !fields[0].is_map && !fields[1].is_map;
}

}  // namespace

FieldType field_type_of(int number) {
  constexpr int kGroup = 10;
  require(number >= 1 && number <= 18 && number != kGroup, "unknown type of a field");
  return static_cast<FieldType>(number);
}

MessageText::MessageText(TextSchema schema) : schema_(std::move(schema)) {
  require(!schema_.messages.empty(), "a schema needs a message");
  for (const std::vector<TextField>& fields : schema_.messages) {
    for (std::size_t i = 0; i < fields.size(); ++i) {
      const TextField& field = fields[i];
      require(i == 0 || fields[i - 1].number < field.number, "fields are not in order of their numbers");
      const bool is_message = field.type == FieldType::Message;
      if (is_message) require(field.target < schema_.messages.size(), "a field's message is not in the schema");
      if (field.type == FieldType::Enum) {
        require(field.target < schema_.enums.size(), "a field's enum is not in the schema");
      }
      if (field.is_map) require(is_message && is_map_entry(schema_.messages[field.target]), "a map has no entries");
    }
  }
  for (const auto& names : schema_.enums) {
    const auto is_before = [](const auto& a, const auto& b) { return a.first >= b.first; };
    require(std::ranges::adjacent_find(names, is_before) == names.end(), "names are not in order of their numbers");
  }
}

Result<std::string> MessageText::format(Bytes data) const {
  std::string out;
  out.reserve(4 * data.size());  // an escaped byte takes four; pages that stay unused cost nothing
  if (TextWriter(schema_, out).write_message(data, 0)) return out;
  return Error{"message is malformed or nested too deeply"};
}

}  // namespace seamark
