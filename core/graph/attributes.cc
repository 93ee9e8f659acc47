#include "graph/attributes.h"

#include <array>
#include <string_view>

#include "format/fields.h"
#include "format/wire.h"

namespace seamark {
namespace {

// The attributes that state the dtype of a node's outputs, the first that a node has.
constexpr std::array<std::string_view, 6> kDtypeNames = {"dtype", "DstT", "out_type", "output_type", "T", "Tidx"};

constexpr std::size_t kHeadBytes = 200;
static_assert(kHeadBytes < kMaxValueBytes);

std::string_view text(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

void put_varint(std::uint64_t value, std::vector<std::uint8_t>& out) {
  for (; value >= 0x80; value >>= 7) out.push_back(static_cast<std::uint8_t>(value | 0x80U));
  out.push_back(static_cast<std::uint8_t>(value));
}

void put_number(std::uint8_t key, std::uint64_t value, std::vector<std::uint8_t>& out) {
  out.push_back(key);
  put_varint(value, out);
}

void put_bytes(std::uint8_t key, Bytes content, std::vector<std::uint8_t>& out) {
  put_number(key, content.size(), out);
  out.insert(out.end(), content.begin(), content.end());
}

// The value of an attribute: the last field of an AttrValue, which is a oneof. False if it is malformed.
bool read_value_field(Bytes message, Field& value) {
  Cursor cursor(message);
  Field field;
  while (cursor.next(field)) value = field;
  return cursor.ok();
}

bool read_tensor_shape(Bytes tensor, Bytes& shape) {
  Cursor cursor(tensor);
  Field field;
  // It stands before the numbers, of which there may be a hundred million.
  while (cursor.next(field) && field.number <= tensor_field::kShape) {
    if (!field.is(tensor_field::kShape, Wire::Length)) continue;
    shape = field.bytes;
    return true;
  }
  return false;
}

void put_tensor_facts(Bytes tensor, std::vector<std::uint8_t>& out) {
  Cursor cursor(tensor);
  Field field;
  // All stand before single numbers, of which there may be a hundred million.
  while (cursor.next(field) && field.number <= tensor_field::kContent) {
    if (field.is(tensor_field::kDtype, Wire::Varint)) {
      put_number(field_key(omitted_field::kDtype, Wire::Varint), field.value, out);
    } else if (field.is(tensor_field::kShape, Wire::Length) && field.bytes.size() <= kMaxTensorBytes) {
      put_bytes(field_key(omitted_field::kShape, Wire::Length), field.bytes, out);
    } else if (field.is(tensor_field::kContent, Wire::Length)) {
      const Bytes head = field.bytes.first(std::min(field.bytes.size(), kHeadBytes));
      put_bytes(field_key(omitted_field::kHead, Wire::Length), head, out);
    }
  }
}

void put_omitted(Bytes name, const Field& value, std::vector<std::uint8_t>& out) {
  std::vector<std::uint8_t> omitted;
  put_bytes(field_key(omitted_field::kName, Wire::Length), name.first(std::min(name.size(), kMaxValueBytes)), omitted);
  put_number(field_key(omitted_field::kForm, Wire::Varint), value.number, omitted);
  put_number(field_key(omitted_field::kSizeBytes, Wire::Varint), value.bytes.size(), omitted);
  if (value.number == attr_field::kTensor) {
    put_tensor_facts(value.bytes, omitted);
  } else if (value.number == attr_field::kString) {
    put_bytes(field_key(omitted_field::kHead, Wire::Length),
              value.bytes.first(std::min(value.bytes.size(), kHeadBytes)), omitted);
  }
  put_bytes(field_key(stored_field::kOmitted, Wire::Length), omitted, out);
}

}  // namespace

void NodeAttributes::clear() {
  output_shapes.clear();
  output_dtypes.clear();
  shape = value_shape = source = module = {};
  has_shape = has_value_shape = false;
  dtype = 0;
  trainable = -1;
  functions.clear();
  dtype_rank_ = kDtypeNames.size();
}

void NodeAttributes::read(Bytes entry, std::vector<std::uint8_t>& stored) {
  Cursor cursor(entry);
  Field field, value;
  Bytes name;
  bool is_read = true;
  while (cursor.next(field)) {
    if (field.is(entry_field::kKey, Wire::Length)) name = field.bytes;
    if (field.is(entry_field::kValue, Wire::Length)) is_read = read_value_field(field.bytes, value);
  }
  if (!cursor.ok() || !is_read) return;
  read_value(name, value);
  // These are columns.
  if (text(name) == "_output_shapes" || text(name) == "_output_types" || text(name) == "source") return;
  const std::size_t limit = value.number == attr_field::kTensor ? kMaxTensorBytes : kMaxValueBytes;
  if (entry.size() <= limit) {
    put_bytes(field_key(stored_field::kAttr, Wire::Length), entry, stored);
  } else {
    put_omitted(name, value, stored);
  }
}

void NodeAttributes::read_value(Bytes name, const Field& value) {
  if (value.is(attr_field::kType, Wire::Varint)) {
    for (std::size_t rank = 0; rank < dtype_rank_; ++rank) {
      if (text(name) != kDtypeNames[rank]) continue;
      dtype = static_cast<std::uint32_t>(value.value);
      dtype_rank_ = rank;
    }
  } else if (value.is(attr_field::kString, Wire::Length)) {
    if (text(name) == "source") source = value.bytes;
    if (text(name) == "module") module = value.bytes;
  } else if (value.is(attr_field::kBool, Wire::Varint)) {
    if (text(name) == "trainable") trainable = value.value != 0 ? 1 : 0;
  } else if (value.is(attr_field::kShape, Wire::Length)) {
    if (text(name) == "shape") {
      shape = value.bytes;
      has_shape = true;
    }
  } else if (value.is(attr_field::kTensor, Wire::Length)) {
    if (text(name) == "value") has_value_shape = read_tensor_shape(value.bytes, value_shape);
  } else if (value.is(attr_field::kList, Wire::Length)) {
    read_list(name, value.bytes);
  } else if (value.is(attr_field::kFunc, Wire::Length)) {
    functions.push_back({name, value.bytes});
  }
}

void NodeAttributes::read_list(Bytes name, Bytes list) {
  const bool is_shapes = text(name) == "_output_shapes";
  // Calls and branches state the types of their outputs in Tout, loops in T.
  const bool is_types = text(name) == "_output_types" || text(name) == "Tout" || text(name) == "T";
  Cursor cursor(list);
  Field field;
  while (cursor.next(field)) {
    if (is_shapes && field.is(list_field::kShape, Wire::Length) && output_shapes.size() < kMaxOutputs) {
      output_shapes.push_back(field.bytes);
    } else if (is_types && field.is(list_field::kType, Wire::Varint) && output_dtypes.size() < kMaxOutputs) {
      output_dtypes.push_back(static_cast<std::uint32_t>(field.value));
    } else if (is_types && field.is(list_field::kType, Wire::Length)) {
      const std::uint8_t* at = field.bytes.data();
      const std::uint8_t* const end = at + field.bytes.size();
      std::uint64_t number = 0;
      while (at != end && output_dtypes.size() < kMaxOutputs) {
        at = read_varint(at, end, number);
        if (at == nullptr) break;
        output_dtypes.push_back(static_cast<std::uint32_t>(number));
      }
    } else if (field.is(list_field::kFunc, Wire::Length)) {
      functions.push_back({name, field.bytes});
    }
  }
}

}  // namespace seamark
