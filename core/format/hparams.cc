#include "format/hparams.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "format/wire.h"

namespace seamark {
namespace {

constexpr std::string_view kPluginName = "hparams";

std::string_view text_of(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

// The content of field `number`, which must be there exactly once.
bool read_only(Bytes message, std::uint32_t number, Bytes& out) {
  Cursor cursor(message);
  Field field;
  int count = 0;
  while (cursor.next(field)) {
    if (!field.is(number, Wire::Length)) continue;
    out = field.bytes;
    ++count;
  }
  return cursor.ok() && count == 1;
}

// HParamsPluginData with the version 0 and a session start, and nothing else.
bool read_session_start(Bytes content, Bytes& out) {
  Cursor cursor(content);
  Field field;
  int count = 0;
  while (cursor.next(field)) {
    if (field.is(1, Wire::Varint) && field.value == 0) continue;
    if (!field.is(3, Wire::Length)) return false;
    out = field.bytes;
    ++count;
  }
  return cursor.ok() && count == 1;
}

}  // namespace

bool read_hparam_names(Bytes metadata, std::string& out) {
  Bytes plugin, name, content, start;
  if (!read_only(metadata, 1, plugin) || !read_only(plugin, 1, name) || text_of(name) != kPluginName) return false;
  if (!read_only(plugin, 2, content) || !read_session_start(content, start)) return false;
  std::vector<std::string_view> names;
  Cursor cursor(start);
  Field field;
  while (cursor.next(field)) {
    if (!field.is(1, Wire::Length)) continue;
    Bytes key;
    if (!read_only(field.bytes, 1, key) || text_of(key).find('\0') != std::string_view::npos) return false;
    names.push_back(text_of(key));
  }
  if (!cursor.ok()) return false;
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  for (const std::string_view one : names) out.append(one).push_back('\0');
  return true;
}

}  // namespace seamark
