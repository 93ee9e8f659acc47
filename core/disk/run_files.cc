#include "disk/run_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>
#include <thread>

#include "disk/descriptor.h"
#include "disk/mtime.h"

namespace seamark {
namespace {

struct CloseFolder {
  void operator()(DIR* folder) const { closedir(folder); }
};

FileIdentity identity_of(const struct stat& found) {
  return {static_cast<std::uint64_t>(found.st_ino), found.st_size, mtime_ns(found)};
}

// False if the file has more than `max_bytes` or cannot be read.
bool read_whole(int file, std::int64_t size, std::int64_t max_bytes, std::string& content) {
  if (size > max_bytes) return false;
  // One more than the file has: a read that fills it means that the file grew.
  content.resize(static_cast<std::size_t>(size) + 1);
  std::size_t done = 0;
  for (;;) {
    const ssize_t count = read(file, content.data() + done, content.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    if (count == 0) break;
    done += static_cast<std::size_t>(count);
    if (done > static_cast<std::size_t>(max_bytes)) return false;
    if (done == content.size()) content.resize(std::min(2 * done, static_cast<std::size_t>(max_bytes) + 1));
  }
  content.resize(done);
  return true;
}

std::optional<RunFile> read_file(int folder, std::string name, std::int64_t max_bytes) {
  // O_NONBLOCK: opening a named pipe must not wait for a writer.
  const Descriptor file(openat(folder, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
  struct stat found{};
  if (!file.is_open() || fstat(file.get(), &found) != 0 || !S_ISREG(found.st_mode)) return std::nullopt;
  RunFile result{std::move(name), identity_of(found), {}};
  if (!read_whole(file.get(), found.st_size, max_bytes, result.content)) return std::nullopt;
  return result;
}

RunFolder read_folder(const std::string& path, const std::vector<std::string>& names, std::int64_t max_bytes) {
  RunFolder out;
  const std::unique_ptr<DIR, CloseFolder> folder(opendir(path.c_str()));
  struct stat found{};
  if (!folder || fstat(dirfd(folder.get()), &found) != 0) return out;
  out.is_there = true;
  out.identity = identity_of(found);
  std::vector<std::string> wanted;
  while (const dirent* entry = readdir(folder.get())) {
    const std::string_view name = entry->d_name;
    if (std::find(names.begin(), names.end(), name) != names.end()) wanted.emplace_back(name);
  }
  for (std::string& name : wanted) {
    if (auto file = read_file(dirfd(folder.get()), name, max_bytes)) {
      out.files.push_back(std::move(*file));
    } else {
      out.other.push_back(std::move(name));
    }
  }
  return out;
}

}  // namespace

std::vector<RunFolder> read_run_folders(const std::vector<std::string>& folders, const std::vector<std::string>& names,
                                        std::int64_t max_bytes, unsigned threads) {
  std::vector<RunFolder> out(folders.size());
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i; (i = next.fetch_add(1)) < folders.size();) out[i] = read_folder(folders[i], names, max_bytes);
  };
  std::vector<std::thread> helpers;
  const std::size_t count = std::min<std::size_t>(std::max(threads, 1u), folders.size());
  try {
    for (std::size_t i = 1; i < count; ++i) helpers.emplace_back(work);
  } catch (const std::system_error&) {  // NOLINT(bugprone-empty-catch)
    // The system has no more threads: those that run, or this one alone, do the work.
  }
  work();
  for (std::thread& helper : helpers) helper.join();
  return out;
}

}  // namespace seamark
