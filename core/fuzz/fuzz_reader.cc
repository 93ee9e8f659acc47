// Any bytes as an event file on disk: read in blocks, and in several reads with a budget, it must give the same stripes
// as one scan.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include "columns/stripe.h"
#include "disk/file_reader.h"
#include "fuzz/records.h"

namespace {

using namespace seamark;

void require(bool condition) {
  if (!condition) std::abort();
}

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

File on_disk(Bytes content) {
  File file(std::tmpfile(), std::fclose);
  require(file != nullptr);
  require(std::fwrite(content.data(), 1, content.size(), file.get()) == content.size());
  require(std::fflush(file.get()) == 0);
  return file;
}

Block merged(const std::vector<Block>& blocks) {
  std::vector<StripeView> views;
  for (const Block& block : blocks) {
    const auto view = StripeView::open(block.bytes(), true);
    require(static_cast<bool>(view));
    views.push_back(*view);
  }
  std::vector<const StripeView*> pointers;
  for (const StripeView& view : views) pointers.push_back(&view);
  return merge_stripes(pointers);
}

// `budget` is at least one byte.
void check_read(Bytes content, std::size_t block_size, std::uint64_t budget, std::size_t max_rows) {
  Scanner whole(std::size_t{1} << 20);
  const ScanResult scan = whole.scan(content, 0);
  std::vector<Block> want;
  want.push_back(whole.take_stripe());
  if (want[0].size == 0) want.clear();

  const File file = on_disk(content);
  FileReader reader(block_size);
  Scanner scanner(max_rows);
  std::vector<Block> stripes;
  std::uint64_t position = 0;
  for (bool has_more = true; has_more;) {
    auto result = reader.read(fileno(file.get()), scanner, position, content.size(), budget);
    require(static_cast<bool>(result));
    require(result->position >= position && (!result->has_more || result->position > position));
    position = result->position;
    has_more = result->has_more;
    for (Block& stripe : result->stripes) stripes.push_back(std::move(stripe));
  }
  require(position == scan.consumed);
  require(scanner.problem_count() == whole.problem_count() && scanner.series().size() == whole.series().size());
  require(same_bytes(merged(stripes).bytes(), merged(want).bytes()));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 3) return 0;
  const std::size_t block_size = 1 + std::size_t{data[0]} * 4;
  const std::uint64_t budget = 1 + std::uint64_t{data[1]} * 16;
  const std::size_t max_rows = 1 + data[2];
  const Bytes rest(data + 3, size - 3);
  check_read(rest, block_size, budget, max_rows);
  check_read(fuzz::as_records(rest), block_size, std::uint64_t{1} << 40, max_rows);
  return 0;
}
