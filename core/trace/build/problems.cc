// What was wrong with a trace, as sentences.
#include "trace/build/columns.h"

namespace seamark {

namespace {

struct Sentence {
  const char* one;
  const char* many;
};

// In order of TraceProblem.
constexpr std::array<Sentence, kTraceProblems> kSentences = {{
    {"1 slice has a negative duration: it is shown with a duration of 0",
     " slices have negative durations: they are shown with a duration of 0"},
    {"1 slice has an impossible duration: it is shown with a duration of 0",
     " slices have impossible durations: they are shown with a duration of 0"},
    {"1 event has an impossible time and is left out", " events have impossible times and are left out"},
    {"1 event has no time and is left out", " events have no time and are left out"},
    {"1 slice overlaps another one of its track without nesting: it is on a deeper row",
     " slices overlap others of their track without nesting: they are on deeper rows"},
    {"1 slice is deeper than 4,096 rows and is left out", " slices are deeper than 4,096 rows and are left out"},
    {"1 slice ends without a beginning and is left out", " slices end without a beginning and are left out"},
    {"1 slice has no end: it lasts until the end of the trace",
     " slices have no end: they last until the end of the trace"},
    {"1 slice is above the limit of 1,000,000,000 and is left out",
     " slices are above the limit of 1,000,000,000 and are left out"},
    {"1 event is shown as \"(others)\": there are too many names",
     " events are shown as \"(others)\": there are too many names"},
    {"1 event is on the first track: there are too many threads",
     " events are on the first track: there are too many threads"},
    {"1 name is cut: it is very long", " names are cut: they are very long"},
    {"1 event cannot be read and is left out", " events cannot be read and are left out"},
    {"1 event is not a JSON object and is left out", " events are not JSON objects and are left out"},
}};

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

}  // namespace

std::vector<std::string> TraceColumns::problems() const {
  std::vector<std::string> sentences;
  for (std::size_t i = 0; i < kTraceProblems; ++i) {
    const std::uint64_t times = builder_.problems_[i];
    if (times == 1) sentences.emplace_back(kSentences[i].one);
    if (times > 1) sentences.push_back(grouped(times) + kSentences[i].many);
  }
  return sentences;
}

}  // namespace seamark
