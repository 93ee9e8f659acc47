// Any bytes as an event file, once raw and once as the events of intact records. However the bytes are split, the same
// rows must come out.
#include <cstdlib>
#include <vector>

#include "columns/stripe.h"
#include "fuzz/records.h"
#include "scan/scan.h"

namespace {

using namespace seamark;

void check_stripe(const Block& block) {
  if (block.size > 0 && !StripeView::open(block.bytes(), true)) std::abort();
}

Block scan_whole(Bytes file, Scanner& scanner) {
  if (scanner.scan(file, 0).consumed > file.size()) std::abort();
  Block block = scanner.take_stripe();
  check_stripe(block);
  return block;
}

void scan_in_pieces(Bytes file, std::size_t piece, const Block& want) {
  Scanner scanner(std::size_t{1} << 20);
  std::size_t at = 0;
  for (std::size_t end = 0; end < file.size();) {
    end = std::min(file.size(), end + piece);
    const ScanResult result = scanner.scan(file.subspan(at, end - at), at);
    at += result.consumed;
    if (result.status == ReadStatus::Corrupt) break;
  }
  if (!same_bytes(scanner.take_stripe().bytes(), want.bytes())) std::abort();
}

void check_file(Bytes file, std::size_t piece) {
  Scanner scanner(std::size_t{1} << 20);
  const Block block = scan_whole(file, scanner);
  scan_in_pieces(file, piece, block);
  Scanner restored(2);
  for (const SeriesKey& key : scanner.series()) restored.restore(key.tag, key.form, key.metadata);
  restored.scan(file, 0);
  check_stripe(restored.take_stripe());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::size_t piece = 1 + data[0];
  const Bytes rest(data + 1, size - 1);
  check_file(rest, piece);
  check_file(fuzz::as_records(rest), piece);
  return 0;
}
