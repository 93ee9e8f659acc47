// A TensorProto read as one number.
#pragma once

#include "bytes.h"

namespace seamark {

enum class TensorStatus {
  Ok,
  Malformed,   // not a TensorProto
  NotANumber,  // a sound tensor, but of several elements, or of a type that is no real number
};

struct TensorScalar {
  double value = 0;
  std::uint32_t dtype = 0;
  std::uint64_t elements = 0;  // saturates; what makes a tensor NotANumber, for the report
};

// Reads rank 0, or any shape of ones. As TensorFlow does, an empty tensor of one element is zero.
TensorStatus read_tensor_scalar(Bytes tensor, TensorScalar& out);

// Checks the parts of a TensorProto which protobuf itself would refuse: shape, and the packed fields.
bool tensor_well_formed(Bytes tensor);

double half_to_double(std::uint16_t bits);
double bfloat16_to_double(std::uint16_t bits);
double float8_e5m2_to_double(std::uint8_t bits);
double float8_e4m3fn_to_double(std::uint8_t bits);

}  // namespace seamark
