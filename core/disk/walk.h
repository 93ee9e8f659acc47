// Finds event files below a folder in one go, without a word to Python in between.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace seamark {

// Folders are relative to the root with "/" between their parts, "" for the root itself.
struct EventFileFound {
  std::string folder, name;
  std::uint64_t device = 0, inode = 0;
  std::int64_t size = 0, mtime_ns = 0;
};

// What names mean.
struct Names {
  std::string_view event_mark;  // somewhere in the name of an event file
  std::string_view empty_end;   // at the end of the name of a file that makes its folder a run without data
  std::string_view skipped;     // a folder that is not looked into
};

struct Walk {
  std::vector<EventFileFound> files;
  std::vector<std::string> empty_runs;
  std::vector<std::string> links;                         // to folders: not followed, they may lead back
  std::vector<std::pair<std::string, int>> unreadable;  // folder, errno
  bool is_missing = false;                                // the folder to start from is not there
  bool has_vanished = false;                              // one that was listed was gone when its turn came
};

// `start` and all below it.
Walk walk(const std::string& root, const std::string& start, const Names& names);

}  // namespace seamark
