#include "trace/read/xplane_names.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace seamark {
namespace {

// Of devices. Older TensorFlow calls some of them by its own name.
constexpr std::array kDerivedLines = std::to_array<std::string_view>({
    "Steps",
    "XLA Modules",
    "Framework Ops",
    "Framework Name Scope",
    "TensorFlow Ops",
    "TensorFlow Name Scope",
    "Source code",
    "Launch Stats",
    "XLA TraceMe",
    "Step Info",
});

std::int64_t number_after(std::string_view text, std::size_t at) {
  std::int64_t number = -1;
  std::from_chars(text.data() + std::min(at, text.size()), text.data() + text.size(), number);
  return number;
}

bool is_python(std::string_view name) { return name.size() > 1 && name.front() == '$'; }

// "scope/name:Type" has the display name "Type".
bool is_tf_op(const EventMetadata& event) {
  return !event.display_name.empty() && event.name.size() > event.display_name.size() &&
         event.name.ends_with(event.display_name) &&
         event.name[event.name.size() - event.display_name.size() - 1] == ':' && !event.name.starts_with("Iterator::");
}

}  // namespace

PlanePlace place_of(std::string_view plane_name) {
  constexpr std::string_view kPrefix = "/device:";
  if (!plane_name.starts_with(kPrefix) || plane_name.starts_with("/device:CPU")) return {};
  return {true, std::max<std::int64_t>(number_after(plane_name, plane_name.find(':', kPrefix.size()) + 1), 0)};
}

AllocatorPlace allocator_place(std::string_view name) {
  const std::size_t at = name.find("GPU_");
  return at == std::string_view::npos ? AllocatorPlace{} : AllocatorPlace{true, number_after(name, at + 4)};
}

LineType line_type_of(const PlanePlace& place, std::string_view line_name) {
  if (!place.is_device) return LineType::Thread;
  if (line_name.starts_with("Stream")) return LineType::Stream;
  if (line_name == "Async XLA Ops") return LineType::AsyncOps;
  return std::ranges::find(kDerivedLines, line_name) == kDerivedLines.end() ? LineType::Ops : LineType::Derived;
}

std::string track_name(const LineView& line) {
  std::string name(line.display_name.empty() ? line.name : line.display_name);
  const std::string suffix = "/" + std::to_string(line.id);
  if (name.size() > suffix.size() && name.ends_with(suffix)) name.resize(name.size() - suffix.size());
  return name;
}

std::string slice_name(const PlanePlace& place, const EventMetadata& event) {
  if (place.is_device || event.name.empty()) {
    return std::string(event.display_name.empty() ? event.name : event.display_name);
  }
  if (!is_python(event.name)) return std::string(event.name);
  const std::string_view rest = event.name.substr(1);  // "file.py:12 name"
  const std::size_t space = rest.find(' '), colon = rest.rfind(':', space);
  if (space == std::string_view::npos || colon == std::string_view::npos) return std::string(rest);
  return std::string(rest.substr(0, colon))
      .append("(")
      .append(rest.substr(colon + 1, space - colon - 1))
      .append("): ")
      .append(rest.substr(space + 1));
}

std::string_view category_of(const PlanePlace& place, LineType line, std::string_view line_name,
                             const EventMetadata& event, const EventTraits& traits) {
  if (place.is_device) {
    if (line == LineType::Derived || line == LineType::AsyncOps) return line_name;
    if (traits.is_copy) return "gpu_memcpy";
    return traits.is_fill ? "gpu_memset" : "kernel";
  }
  if (traits.has_step) return "user_annotation";
  if (is_python(event.name)) return "python_function";
  if (traits.has_correlation) return "cuda_runtime";
  return traits.has_hlo_op || is_tf_op(event) ? "Op" : "";
}

}  // namespace seamark
