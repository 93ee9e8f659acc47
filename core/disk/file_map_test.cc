#include "disk/file_map.h"

#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <numeric>
#include <utility>
#include <vector>

#include "testing/testing.h"

namespace seamark {
namespace {

constexpr std::size_t kLength = 40000;

int file_of_ones() {
  char name[] = "/tmp/seamark_core_test_XXXXXX";
  const int file = mkstemp(name);
  CHECK(file >= 0);
  unlink(name);
  const std::vector<std::uint8_t> ones(kLength, 1);
  CHECK(write(file, ones.data(), ones.size()) == static_cast<ssize_t>(ones.size()));
  return file;
}

FileMap open(int file) {
  auto map = FileMap::open(file, kLength);
  CHECK(map);
  return std::move(*map);
}

std::size_t sum_of(Bytes bytes) { return std::accumulate(bytes.begin(), bytes.end(), std::size_t{0}); }

TEST(a_map_of_a_truncated_file_reads_zeros_and_is_truncated) {
  const int file = file_of_ones();
  const FileMap map = open(file);
  const FileMap other = open(file);
  CHECK(sum_of(map.bytes()) == kLength && !map.is_truncated());
  const std::uint64_t before = truncated_map_count();
  CHECK(ftruncate(file, 4096) == 0);
  CHECK(sum_of(map.bytes()) <= 4096);  // the kernel clears the rest of the last page
  CHECK(map.is_truncated() && !other.is_truncated() && truncated_map_count() == before + 1);
  CHECK(sum_of(map.bytes()) <= 4096 && truncated_map_count() == before + 1);
  CHECK(other.bytes()[kLength - 1] == 0 && other.is_truncated() && truncated_map_count() == before + 2);
  close(file);
}

TEST(a_slot_is_reset_for_the_next_map) {
  const int file = file_of_ones();
  {
    const FileMap map = open(file);
    CHECK(ftruncate(file, 0) == 0);
    CHECK(sum_of(map.bytes()) == 0 && map.is_truncated());
  }
  close(file);
  const int next = file_of_ones();
  const FileMap map = open(next);
  CHECK(!map.is_truncated() && sum_of(map.bytes()) == kLength && !map.is_truncated());
  close(next);
}

TEST(a_file_that_cannot_be_mapped_is_an_error_of_the_system) {
  const auto map = FileMap::open(-1, kLength);
  CHECK(!map && map.error().system_code == EBADF);
}

}  // namespace
}  // namespace seamark
