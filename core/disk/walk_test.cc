#include "disk/walk.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "testing/testing.h"

namespace seamark {
namespace {

namespace fs = std::filesystem;

constexpr NameRules kNames{"tfevents", ".profile-empty", "trash"};

// Folders and files that are removed after the test.
class Tree {
 public:
  Tree() {
    std::string name = (fs::temp_directory_path() / "seamark_walk_XXXXXX").string();
    CHECK(mkdtemp(name.data()) != nullptr);
    root_ = name;
  }
  ~Tree() { fs::remove_all(root_); }
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;

  void file(const fs::path& path, std::string_view content = "") const {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << content;
  }
  const fs::path& root() const { return root_; }
  WalkResult walked(const std::string& start = "") const { return walk(root_.string(), start, kNames); }

 private:
  fs::path root_;
};

std::vector<std::string> folders(const WalkResult& found) {
  std::vector<std::string> names;
  for (const FoundEventFile& file : found.files) names.push_back(file.folder);
  std::ranges::sort(names);
  return names;
}

TEST(event_files_are_found_at_every_depth_with_their_identity) {
  const Tree tree;
  tree.file("events.out.tfevents.1", "12345");
  tree.file("a/b/my-tfevents-file");
  tree.file("a/checkpoint.pt");
  const WalkResult found = tree.walked();
  CHECK(folders(found) == std::vector<std::string>{"", "a/b"});
  const auto top = std::ranges::find(found.files, "", &FoundEventFile::folder);
  CHECK(top->name == "events.out.tfevents.1" && top->size == 5 && top->inode != 0 && top->mtime_ns > 0);
  CHECK(!found.is_missing && !found.has_vanished && found.unreadable.empty());
}

TEST(a_walk_begins_at_the_start_folder) {
  const Tree tree;
  tree.file("a/x/tfevents");
  tree.file("b/tfevents");
  CHECK(folders(tree.walked("a")) == std::vector<std::string>{"a/x"});
}

TEST(folders_broken_links_and_skipped_folders_are_not_event_files) {
  const Tree tree;
  fs::create_directories(tree.root() / "folder.tfevents");
  fs::create_symlink("nowhere", tree.root() / "broken.tfevents");
  tree.file("trash/tfevents");
  tree.file("a/trash/tfevents");
  CHECK(tree.walked().files.empty());
}

TEST(a_link_to_a_file_is_an_event_file_and_one_to_a_folder_is_only_listed) {
  const Tree tree;
  tree.file("a/tfevents", "123");
  fs::create_directories(tree.root() / "b");
  fs::create_symlink(tree.root() / "a/tfevents", tree.root() / "b/tfevents.link");
  fs::create_symlink(tree.root(), tree.root() / "b/above");
  const WalkResult found = tree.walked();
  CHECK(folders(found) == std::vector<std::string>{"a", "b"});
  CHECK(found.files[0].inode == found.files[1].inode && found.files[0].size == 3);
  CHECK(found.links == std::vector<std::string>{"b/above"});
}

TEST(a_file_with_the_suffix_makes_a_run_without_data) {
  const Tree tree;
  tree.file("a/host.profile-empty");
  CHECK(tree.walked().empty_runs == std::vector<std::string>{"a"});
}

TEST(a_start_folder_that_does_not_exist_is_missing) {
  const Tree tree;
  tree.file("file");
  CHECK(tree.walked("later").is_missing);
  CHECK(tree.walked("file").is_missing);
  CHECK(!tree.walked("later").has_vanished);
}

}  // namespace
}  // namespace seamark
