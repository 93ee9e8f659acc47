// A TensorProto read as one number.
#pragma once

#include "bytes.h"

namespace seamark {

// A TensorProto without its elements, except those in `content`.
struct Tensor {
  Bytes message;
  Bytes content;
  std::uint32_t dtype = 0;
  std::uint64_t elements = 1;  // by its shape; saturates
};

// False if the bytes are not a TensorProto. Checks shape and packed fields too, as protobuf does.
bool read_tensor(Bytes message, Tensor& out);

// Reads rank 0, or any shape of ones. As in TensorFlow, a tensor of one element without a value is zero. False if the
// tensor has several elements, or a type that is not a real number.
bool read_number(const Tensor& tensor, double& out);

double half_to_double(std::uint16_t bits);
double bfloat16_to_double(std::uint16_t bits);
double float8_e5m2_to_double(std::uint8_t bits);
double float8_e4m3fn_to_double(std::uint8_t bits);

}  // namespace seamark
