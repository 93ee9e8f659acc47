#include "graph/shapes.h"

#include "format/fields.h"
#include "format/wire.h"

namespace seamark {
namespace {

constexpr std::size_t kMaxRank = 64;

bool read_size(Bytes dim, std::int64_t& size) {
  Cursor cursor(dim);
  Field field;
  size = 0;
  while (cursor.next(field)) {
    if (field.is(dim_field::kSize, Wire::Varint)) size = static_cast<std::int64_t>(field.value);
  }
  size = size < -1 ? -1 : size;
  return cursor.ok();
}

}  // namespace

bool Shapes::read(std::uint32_t shape, Sizes& sizes) const {
  sizes.clear();
  Cursor cursor(messages_.list()[shape]);
  Field field;
  while (cursor.next(field)) {
    if (field.is(shape_field::kUnknownRank, Wire::Varint) && field.value != 0) return false;
    if (!field.is(shape_field::kDim, Wire::Length)) continue;
    std::int64_t size = 0;
    if (sizes.size() == kMaxRank || !read_size(field.bytes, size)) return false;
    sizes.push_back(size);
  }
  return cursor.ok();
}

}  // namespace seamark
