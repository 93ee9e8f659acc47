#include "bytes.h"

#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace seamark {
namespace {

// Fresh memory costs a fault for each of its pages, which in a big block is as much as filling it. In huge pages there are
// five hundred times fewer; where the system gives none, nothing is lost.
constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr std::size_t kAlignment = 64;

std::size_t rounded(std::size_t size, std::size_t to) { return (size + to - 1) / to * to; }

}  // namespace

Block Block::of(std::size_t size) {
  const bool is_big = size >= kHugePage;
  const std::size_t alignment = is_big ? kHugePage : kAlignment;
  if (size > std::numeric_limits<std::size_t>::max() - alignment) throw std::bad_alloc();
  const std::size_t room = rounded(size, kAlignment);
  auto* const found = static_cast<std::uint8_t*>(std::aligned_alloc(alignment, rounded(room, alignment)));
  if (found == nullptr && size != 0) throw std::bad_alloc();
#ifdef __linux__
  if (is_big) madvise(found, rounded(room, alignment), MADV_HUGEPAGE);
#endif
  return {std::unique_ptr<std::uint8_t, Free>(found), size};
}

}  // namespace seamark
