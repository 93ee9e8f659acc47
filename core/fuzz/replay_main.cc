// Without libFuzzer: runs the target on each file and on small changes of it.
#include <cstdio>
#include <fstream>
#include <iterator>
#include <vector>

#include "bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

std::vector<std::uint8_t> contents(const char* path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void run_changed(const std::vector<std::uint8_t>& seed) {
  LLVMFuzzerTestOneInput(seed.data(), seed.size());
  for (std::size_t i = 0; i < seed.size(); ++i) {
    LLVMFuzzerTestOneInput(seed.data(), i);
    std::vector<std::uint8_t> changed = seed;
    for (const int by : {1, 0x80, 0xff}) {
      changed[i] = static_cast<std::uint8_t>(seed[i] ^ by);
      LLVMFuzzerTestOneInput(changed.data(), changed.size());
    }
  }
}

}  // namespace

int main(int count, char** paths) {
  for (int i = 1; i < count; ++i) run_changed(contents(paths[i]));
  std::printf("%d files replayed\n", count - 1);
  return 0;
}
