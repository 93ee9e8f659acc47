// Finds the event files below a folder, without returning to Python in between.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace seamark {

// Folders are relative to the root, "" for the root itself.
struct FoundEventFile {
  std::string folder, name;
  std::uint64_t device = 0, inode = 0;
  std::int64_t size = 0, mtime_ns = 0;
};

// Which names are event files.
struct NameRules {
  std::string_view event_file_mark;   // contained in the name of an event file
  std::string_view empty_run_suffix;  // ends the name of a file whose folder is a run without data
  std::string_view skipped;           // the name of folders to skip
};

struct WalkResult {
  std::vector<FoundEventFile> files;
  std::vector<std::string> empty_runs;
  std::vector<std::string> links;                       // to folders: not followed, because they may form a cycle
  std::vector<std::pair<std::string, int>> unreadable;  // folder, errno
  bool is_missing = false;                              // the start folder does not exist
  bool has_vanished = false;                            // a listed folder was gone when it was opened
};

// Walks `start` and everything below it.
WalkResult walk(const std::string& root, const std::string& start, const NameRules& names);

}  // namespace seamark
