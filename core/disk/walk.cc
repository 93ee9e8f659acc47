#include "disk/walk.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <memory>

#include "disk/mtime.h"

namespace seamark {
namespace {

struct CloseFolder {
  void operator()(DIR* folder) const { closedir(folder); }
};
using OpenFolder = std::unique_ptr<DIR, CloseFolder>;

enum class EntryType { Gone, Folder, File, Link, Other };

std::string join_path(const std::string& folder, std::string_view name) {
  return folder.empty() ? std::string(name) : folder + "/" + std::string(name);
}

EntryType entry_type(mode_t mode) {
  if (S_ISDIR(mode)) return EntryType::Folder;
  if (S_ISREG(mode)) return EntryType::File;
  return S_ISLNK(mode) ? EntryType::Link : EntryType::Other;
}

// Most file systems list the type of an entry; others need a stat.
EntryType entry_type(DIR* folder, const dirent& entry) {
  switch (entry.d_type) {
    case DT_DIR: return EntryType::Folder;
    case DT_REG: return EntryType::File;
    case DT_LNK: return EntryType::Link;
    case DT_UNKNOWN: break;
    default: return EntryType::Other;
  }
  struct stat found{};
  if (fstatat(dirfd(folder), entry.d_name, &found, AT_SYMLINK_NOFOLLOW) != 0) return EntryType::Gone;
  return entry_type(found.st_mode);
}

class Walker {
 public:
  Walker(const std::string& root, const NameRules& names, WalkResult& out) : root_(root), names_(names), out_(out) {}

  void run(const std::string& start) {
    pending_.push_back(start);
    for (bool is_start = true; !pending_.empty(); is_start = false) {
      const std::string folder = std::move(pending_.back());
      pending_.pop_back();
      const int error = list(folder);
      if (error == ENOENT || error == ENOTDIR) {
        (is_start ? out_.is_missing : out_.has_vanished) = true;
      } else if (error != 0) {
        out_.unreadable.emplace_back(folder, error);
      }
    }
  }

 private:
  // errno, or 0.
  int list(const std::string& folder) {
    const OpenFolder open(opendir((folder.empty() ? root_ : root_ + "/" + folder).c_str()));
    if (!open) return errno;
    for (;;) {
      errno = 0;
      const dirent* entry = readdir(open.get());
      if (entry == nullptr) return errno;
      const std::string_view name = entry->d_name;
      if (name != "." && name != "..") visit(folder, open.get(), *entry, name);
    }
  }

  void visit(const std::string& folder, DIR* open, const dirent& entry, std::string_view name) {
    EntryType type = entry_type(open, entry);
    if (type == EntryType::Gone) return;
    const bool may_be_events = name.find(names_.event_file_mark) != std::string_view::npos;
    const bool is_link = type == EntryType::Link;
    struct stat found{};
    if (is_link || (type == EntryType::File && may_be_events)) {
      if (fstatat(dirfd(open), entry.d_name, &found, 0) != 0) return;  // removed meanwhile, or a broken link
      type = entry_type(found.st_mode);
    }
    if (type == EntryType::Folder) {
      if (name != names_.skipped) (is_link ? out_.links : pending_).push_back(join_path(folder, name));
    } else if (may_be_events && type == EntryType::File) {
      out_.files.push_back({folder, std::string(name), static_cast<std::uint64_t>(found.st_dev),
                            static_cast<std::uint64_t>(found.st_ino), found.st_size, mtime_ns(found)});
    } else if (name.ends_with(names_.empty_run_suffix)) {
      out_.empty_runs.push_back(folder);
    }
  }

  const std::string& root_;
  const NameRules& names_;
  WalkResult& out_;
  std::vector<std::string> pending_;
};

}  // namespace

WalkResult walk(const std::string& root, const std::string& start, const NameRules& names) {
  WalkResult out;
  Walker(root, names, out).run(start);
  return out;
}

}  // namespace seamark
