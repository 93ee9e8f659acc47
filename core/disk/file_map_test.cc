#include "file_map.h"

#include <stdlib.h>
#include <unistd.h>

#include <numeric>
#include <vector>

#include "../testing.h"

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

std::size_t sum_of(Bytes bytes) { return std::accumulate(bytes.begin(), bytes.end(), std::size_t{0}); }

TEST(a_map_that_loses_pages_reads_zeros_and_says_so) {
  const int file = file_of_ones();
  const FileMap map(file, kLength);
  const FileMap other(file, kLength);
  CHECK(map.error() == 0 && sum_of(map.bytes()) == kLength && !map.is_lost());
  const std::uint64_t before = lost_maps();
  CHECK(ftruncate(file, 4096) == 0);
  CHECK(sum_of(map.bytes()) <= 4096);  // of a page that is cut in the middle the kernel clears the rest
  CHECK(map.is_lost() && !other.is_lost() && lost_maps() == before + 1);
  CHECK(sum_of(map.bytes()) <= 4096 && lost_maps() == before + 1);
  CHECK(other.bytes()[kLength - 1] == 0 && other.is_lost() && lost_maps() == before + 2);
  close(file);
}

TEST(a_slot_is_clean_for_the_map_that_takes_it_next) {
  const int file = file_of_ones();
  {
    const FileMap map(file, kLength);
    CHECK(ftruncate(file, 0) == 0);
    CHECK(sum_of(map.bytes()) == 0 && map.is_lost());
  }
  close(file);
  const int next = file_of_ones();
  const FileMap map(next, kLength);
  CHECK(!map.is_lost() && sum_of(map.bytes()) == kLength && !map.is_lost());
  close(next);
}

TEST(a_file_that_cannot_be_mapped_says_why) {
  const FileMap map(-1, kLength);
  CHECK(map.error() != 0 && map.bytes().empty() && !map.is_lost());
}

}  // namespace
}  // namespace seamark
