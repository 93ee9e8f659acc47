// A tensor names its type in `dtype` and holds its elements either raw in `tensor_content` or in the one `*_val` field
// for the type. Fields come in any order, so the shape is read first and the elements in a second pass.
#include "format/tensor.h"

#include <cmath>

#include "format/fields.h"
#include "format/wire.h"

namespace seamark {
namespace {

using namespace data_type;     // NOLINT(google-build-using-namespace)
using namespace tensor_field;  // NOLINT(google-build-using-namespace)

constexpr std::uint64_t kTooMany = std::numeric_limits<std::uint64_t>::max();

std::uint64_t saturating_multiply(std::uint64_t elements, std::uint64_t size) {
  if (size > (1U << 31U) || (size != 0 && elements > kTooMany / size)) return kTooMany;
  return elements * size;
}

bool read_dim(Bytes dim, std::uint64_t& size) {
  Cursor cursor(dim);
  Field field;
  size = 0;
  while (cursor.next(field)) {
    if (field.is(dim_field::kSize, Wire::Varint)) size = field.value;
  }
  return cursor.ok();
}

bool read_shape(Bytes shape, std::uint64_t& elements) {
  Cursor cursor(shape);
  Field field;
  while (cursor.next(field)) {
    if (!field.is(shape_field::kDim, Wire::Length)) continue;
    std::uint64_t size = 0;
    if (!read_dim(field.bytes, size)) return false;
    elements = saturating_multiply(elements, size);
  }
  return cursor.ok();
}

bool packed_well_formed(const Field& field) {
  std::uint64_t count = 0;
  switch (field.number) {
    case kFloatVal:
    case kScomplexVal: return field.bytes.size() % 4 == 0;
    case kDoubleVal:
    case kDcomplexVal: return field.bytes.size() % 8 == 0;
    case kIntVal:
    case kInt64Val:
    case kBoolVal:
    case kHalfVal:
    case kUint32Val:
    case kUint64Val: return count_varints(field.bytes, count);
    default: return true;
  }
}

}  // namespace

bool read_tensor(Bytes message, Tensor& out) {
  out = {};
  out.message = message;
  Cursor cursor(message);
  Field field;
  while (cursor.next(field)) {
    if (field.is(kDtype, Wire::Varint)) {
      out.dtype = static_cast<std::uint32_t>(field.value);
    } else if (field.is(kContent, Wire::Length)) {
      out.content = field.bytes;
    } else if (field.is(kShape, Wire::Length)) {
      if (!read_shape(field.bytes, out.elements)) return false;
    } else if (field.type == Wire::Length && !packed_well_formed(field)) {
      return false;
    }
  }
  return cursor.ok();
}

namespace {

std::uint32_t values_field(std::uint32_t dtype) {
  switch (dtype) {
    case kFloat: return kFloatVal;
    case kDouble: return kDoubleVal;
    case kInt32:
    case kUint8:
    case kInt16:
    case kInt8:
    case kUint16:
    case kInt4:
    case kUint4: return kIntVal;
    case kInt64: return kInt64Val;
    case kBool: return kBoolVal;
    case kHalf:
    case kBfloat16: return kHalfVal;
    case kUint32: return kUint32Val;
    case kUint64: return kUint64Val;
    case kFloat8E5m2:
    case kFloat8E4m3fn: return kFloat8Val;
    default: return 0;
  }
}

std::size_t item_size(std::uint32_t dtype) {
  switch (dtype) {
    case kDouble:
    case kInt64:
    case kUint64: return 8;
    case kFloat:
    case kInt32:
    case kUint32: return 4;
    case kInt16:
    case kUint16:
    case kHalf:
    case kBfloat16: return 2;
    default: return 1;
  }
}

// One element from its bits; bits above the type's width are ignored.
double decode_element(std::uint32_t dtype, std::uint64_t bits) {
  switch (dtype) {
    case kFloat: return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    case kDouble: return std::bit_cast<double>(bits);
    case kInt32: return static_cast<std::int32_t>(bits);
    case kUint8: return static_cast<std::uint8_t>(bits);
    case kInt16: return static_cast<std::int16_t>(bits);
    case kInt8: return static_cast<std::int8_t>(bits);
    case kInt64: return static_cast<double>(static_cast<std::int64_t>(bits));
    case kBool: return bits != 0 ? 1 : 0;
    case kUint16: return static_cast<std::uint16_t>(bits);
    case kUint32: return static_cast<std::uint32_t>(bits);
    case kUint64: return static_cast<double>(bits);
    case kHalf: return half_to_double(static_cast<std::uint16_t>(bits));
    case kBfloat16: return bfloat16_to_double(static_cast<std::uint16_t>(bits));
    case kFloat8E5m2: return float8_e5m2_to_double(static_cast<std::uint8_t>(bits));
    case kFloat8E4m3fn: return float8_e4m3fn_to_double(static_cast<std::uint8_t>(bits));
    case kInt4: return static_cast<double>(static_cast<int>((bits & 0xfU) ^ 8U) - 8);
    default: return static_cast<double>(bits & 0xfU);  // kUint4
  }
}

struct Elements {
  std::uint64_t count = 0;
  std::uint64_t bits = 0;  // of the first

  void add(std::uint64_t value) {
    if (count++ == 0) bits = value;
  }
};

void add_packed(std::uint32_t number, Bytes packed, Elements& out) {
  const std::uint8_t* at = packed.data();
  const std::uint8_t* const end = at + packed.size();
  const std::size_t width = number == kFloatVal ? 4 : number == kDoubleVal ? 8 : number == kFloat8Val ? 1 : 0;
  // Two elements are enough to know that the tensor is not one number.
  while (at != end && out.count < 2) {
    std::uint64_t value = 0;
    if (width == 0) {
      at = read_varint(at, end, value);
      if (at == nullptr) return;  // cannot happen: read_tensor has checked the field
    } else {
      std::memcpy(&value, at, width);
      at += width;
    }
    out.add(value);
  }
}

Elements read_elements(Bytes tensor, std::uint32_t number) {
  const Wire unpacked = number == kFloatVal ? Wire::Fixed32 : number == kDoubleVal ? Wire::Fixed64 : Wire::Varint;
  Elements out;
  Cursor cursor(tensor);
  Field field;
  while (cursor.next(field)) {
    if (field.is(number, Wire::Length)) {
      if (number == kFloat8Val) out = {};  // a singular bytes field: the last wins
      add_packed(number, field.bytes, out);
    } else if (field.is(number, unpacked) && number != kFloat8Val) {
      out.add(field.value);
    }
  }
  return out;
}

Elements content_element(Bytes content, std::size_t width) {
  if (content.size() != width) return {2 + content.size() / width, 0};  // not exactly one
  Elements out{1, 0};
  std::memcpy(&out.bits, content.data(), width);
  return out;
}

}  // namespace

bool read_number(const Tensor& tensor, double& out) {
  const std::uint32_t number = values_field(tensor.dtype);
  if (number == 0 || tensor.elements != 1) return false;
  const Elements found = tensor.content.empty() ? read_elements(tensor.message, number)
                                                : content_element(tensor.content, item_size(tensor.dtype));
  if (found.count > 1) return false;
  out = decode_element(tensor.dtype, found.bits);
  return true;
}

namespace {

// A float of 8 or 16 bits whose largest exponent has no special meaning.
double small_float(unsigned bits, int exponent_bits, int mantissa_bits) {
  const unsigned mantissa = bits & ((1U << mantissa_bits) - 1U);
  const int exponent = static_cast<int>((bits >> mantissa_bits) & ((1U << exponent_bits) - 1U));
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const double magnitude = exponent == 0
                               ? std::ldexp(mantissa, 1 - bias - mantissa_bits)
                               : std::ldexp(mantissa | (1U << mantissa_bits), exponent - bias - mantissa_bits);
  const bool negative = ((bits >> (exponent_bits + mantissa_bits)) & 1U) != 0;
  return negative ? -magnitude : magnitude;
}

// One whose largest exponent stands for infinities and NaN.
double ieee_small_float(unsigned bits, int exponent_bits, int mantissa_bits) {
  const unsigned top = ((1U << exponent_bits) - 1U) << mantissa_bits;
  if ((bits & top) != top) return small_float(bits, exponent_bits, mantissa_bits);
  if ((bits & ((1U << mantissa_bits) - 1U)) != 0) return std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  return ((bits >> (exponent_bits + mantissa_bits)) & 1U) != 0 ? -infinity : infinity;
}

}  // namespace

double half_to_double(std::uint16_t bits) { return ieee_small_float(bits, 5, 10); }

double bfloat16_to_double(std::uint16_t bits) {
  return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16U));
}

double float8_e5m2_to_double(std::uint8_t bits) { return ieee_small_float(bits, 5, 2); }

// "fn": finite and NaN only. All bits set is NaN; the rest of the largest exponent are numbers.
double float8_e4m3fn_to_double(std::uint8_t bits) {
  if ((bits & 0x7fU) == 0x7fU) return std::numeric_limits<double>::quiet_NaN();
  return small_float(bits, 4, 3);
}

}  // namespace seamark
