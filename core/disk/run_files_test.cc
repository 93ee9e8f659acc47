#include "disk/run_files.h"

#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "testing/testing.h"

namespace seamark {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string> kNames = {"run.json", "config.yaml", ".hydra"};

class Folders {
 public:
  Folders() {
    std::string name = (fs::temp_directory_path() / "seamark_run_files_XXXXXX").string();
    CHECK(mkdtemp(name.data()) != nullptr);
    root_ = name;
  }
  ~Folders() { fs::remove_all(root_); }
  Folders(const Folders&) = delete;
  Folders& operator=(const Folders&) = delete;

  std::string folder(const std::string& name) const {
    fs::create_directories(root_ / name);
    return (root_ / name).string();
  }
  void file(const fs::path& path, std::string_view content) const { std::ofstream(root_ / path) << content; }
  const fs::path& root() const { return root_; }

 private:
  fs::path root_;
};

TEST(run_folders_are_read_in_their_order_by_any_number_of_threads) {
  const Folders folders;
  std::vector<std::string> paths;
  for (int i = 0; i < 50; ++i) {
    const std::string name = "run" + std::to_string(i);
    paths.push_back(folders.folder(name));
    folders.file(name + "/run.json", "{" + name + "}");
    folders.file(name + "/events", "not wanted");
  }
  for (const unsigned threads : {0u, 1u, 4u, 100u}) {
    const auto found = read_run_folders(paths, kNames, 100, threads);
    CHECK(found.size() == std::size_t{50});
    for (int i = 0; i < 50; ++i) {
      const RunFolder& folder = found[static_cast<std::size_t>(i)];
      CHECK(folder.is_there);
      CHECK(folder.files.size() == std::size_t{1});
      CHECK(folder.files[0].content == "{run" + std::to_string(i) + "}");
      CHECK(folder.files[0].identity.size == static_cast<std::int64_t>(folder.files[0].content.size()));
    }
  }
}

TEST(run_files_that_are_no_small_regular_files_are_named_and_not_read) {
  const Folders folders;
  const std::string path = folders.folder("run");
  folders.file("secret", "secret");
  fs::create_symlink(folders.root() / "secret", folders.root() / "run/run.json");
  CHECK(mkfifo((folders.root() / "run/config.yaml").c_str(), 0600) == 0);
  folders.folder("run/.hydra");
  const auto found = read_run_folders({path}, kNames, 100, 1);
  CHECK(found[0].files.empty());
  CHECK(found[0].other.size() == std::size_t{3});
}

TEST(a_run_file_is_read_up_to_the_limit) {
  const Folders folders;
  const std::string path = folders.folder("run");
  folders.file("run/run.json", "12345");
  CHECK(read_run_folders({path}, kNames, 5, 1)[0].files.size() == std::size_t{1});
  CHECK(read_run_folders({path}, kNames, 4, 1)[0].other.size() == std::size_t{1});
  folders.file("run/run.json", "");
  CHECK(read_run_folders({path}, kNames, 5, 1)[0].files[0].content == "");
}

TEST(a_run_folder_that_is_missing_or_a_file_is_not_there) {
  const Folders folders;
  folders.file("file", "");
  const std::vector<std::string> paths = {(folders.root() / "none").string(), (folders.root() / "file").string()};
  for (const RunFolder& folder : read_run_folders(paths, kNames, 5, 2)) CHECK(!folder.is_there);
  CHECK(read_run_folders({}, kNames, 5, 2).empty());
}

}  // namespace
}  // namespace seamark
