// A TensorProto read as one number.
#pragma once

#include "bytes.h"

namespace seamark {

// A TensorProto without its elements, except where they lie raw in `content`.
struct Tensor {
  Bytes message;
  Bytes content;
  std::uint32_t dtype = 0;
  std::uint64_t elements = 1;  // by its shape; saturates
};

// False when the bytes are no TensorProto: shape and packed fields are looked into, as protobuf itself would.
bool read_tensor(Bytes message, Tensor& out);

// Reads rank 0, or any shape of ones. As TensorFlow does, an empty tensor of one element is zero. False when the tensor
// has several elements, or a type that is no real number.
bool read_number(const Tensor& tensor, double& out);

double half_to_double(std::uint16_t bits);
double bfloat16_to_double(std::uint16_t bits);
double float8_e5m2_to_double(std::uint8_t bits);
double float8_e4m3fn_to_double(std::uint8_t bits);

}  // namespace seamark
