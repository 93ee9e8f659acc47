#include "walk.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <memory>

namespace seamark {
namespace {

struct Closing {
  void operator()(DIR* folder) const { closedir(folder); }
};
using OpenFolder = std::unique_ptr<DIR, Closing>;

enum class Kind { Gone, Folder, File, Link, Other };

std::string joined(const std::string& folder, std::string_view name) {
  return folder.empty() ? std::string(name) : folder + "/" + std::string(name);
}

std::int64_t mtime_ns(const struct stat& found) {
#ifdef __APPLE__
  const timespec& time = found.st_mtimespec;
#else
  const timespec& time = found.st_mtim;
#endif
  return std::int64_t{time.tv_sec} * 1000000000 + time.tv_nsec;
}

Kind kind_of(mode_t mode) {
  if (S_ISDIR(mode)) return Kind::Folder;
  if (S_ISREG(mode)) return Kind::File;
  return S_ISLNK(mode) ? Kind::Link : Kind::Other;
}

// Mostly the folder says what its entries are; some file systems leave that to be asked for.
Kind kind_of(DIR* folder, const dirent& entry) {
  switch (entry.d_type) {
    case DT_DIR: return Kind::Folder;
    case DT_REG: return Kind::File;
    case DT_LNK: return Kind::Link;
    case DT_UNKNOWN: break;
    default: return Kind::Other;
  }
  struct stat found{};
  if (fstatat(dirfd(folder), entry.d_name, &found, AT_SYMLINK_NOFOLLOW) != 0) return Kind::Gone;
  return kind_of(found.st_mode);
}

class Walker {
 public:
  Walker(const std::string& root, const Names& names, Walk& out) : root_(root), names_(names), out_(out) {}

  void run(const std::string& start) {
    to_do_.push_back(start);
    for (bool is_start = true; !to_do_.empty(); is_start = false) {
      const std::string folder = std::move(to_do_.back());
      to_do_.pop_back();
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
      if (name != "." && name != "..") take(folder, open.get(), *entry, name);
    }
  }

  void take(const std::string& folder, DIR* open, const dirent& entry, std::string_view name) {
    Kind kind = kind_of(open, entry);
    if (kind == Kind::Gone) return;
    const bool may_be_events = name.find(names_.event_mark) != std::string_view::npos;
    const bool is_link = kind == Kind::Link;
    struct stat found{};
    if (is_link || (kind == Kind::File && may_be_events)) {
      if (fstatat(dirfd(open), entry.d_name, &found, 0) != 0) return;  // it vanished, or leads nowhere
      kind = kind_of(found.st_mode);
    }
    if (kind == Kind::Folder) {
      if (name != names_.skipped) (is_link ? out_.links : to_do_).push_back(joined(folder, name));
    } else if (may_be_events && kind == Kind::File) {
      out_.files.push_back({folder, std::string(name), static_cast<std::uint64_t>(found.st_dev),
                            static_cast<std::uint64_t>(found.st_ino), found.st_size, mtime_ns(found)});
    } else if (name.ends_with(names_.empty_end)) {
      out_.empty_runs.push_back(folder);
    }
  }

  const std::string& root_;
  const Names& names_;
  Walk& out_;
  std::vector<std::string> to_do_;
};

}  // namespace

Walk walk(const std::string& root, const std::string& start, const Names& names) {
  Walk out;
  Walker(root, names, out).run(start);
  return out;
}

}  // namespace seamark
