// Reads the small files of many run folders at once, in several threads.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace seamark {

// Changes when a file or folder is replaced, resized or modified.
struct FileIdentity {
  std::uint64_t inode = 0;
  std::int64_t size = 0, mtime_ns = 0;
};

struct RunFile {
  std::string name;
  FileIdentity identity;
  std::string content;
};

struct RunFolder {
  bool is_there = false;
  FileIdentity identity;       // before its entries were listed
  std::vector<RunFile> files;  // regular files that were read whole
  std::vector<std::string>
      other;  // entries with a wanted name that were not read: links, folders, files over the limit
};

// Looks for entries called `names` in each of `folders`, and reads those that are regular files of at most `max_bytes`.
// Neither links nor pipes are opened; the folder itself may be a link. The result is in the order of `folders`.
std::vector<RunFolder> read_run_folders(const std::vector<std::string>& folders, const std::vector<std::string>& names,
                                        std::int64_t max_bytes, unsigned threads);

}  // namespace seamark
