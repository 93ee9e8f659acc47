#include "format/tensor.h"

#include "testing/messages.h"
#include "testing/testing.h"

namespace seamark {
using testing::Message;
using testing::same;

namespace {

enum class Found { Number, NoNumber, Malformed };

Found found(Bytes message, double& out) {
  Tensor tensor;
  if (!read_tensor(message, tensor)) return Found::Malformed;
  return read_number(tensor, out) ? Found::Number : Found::NoNumber;
}

double number(Bytes message) {
  double out = 0;
  CHECK(found(message, out) == Found::Number);
  return out;
}

Found status(Bytes message) {
  double ignored = 0;
  return found(message, ignored);
}

Message shape(std::initializer_list<std::uint64_t> sizes) {
  Message out;
  for (const std::uint64_t size : sizes) out.bytes(2, Message().varint(1, size));
  return out;
}

Message content(std::uint32_t dtype, Bytes bytes) { return Message().varint(1, dtype).bytes(4, bytes); }

}  // namespace

TEST(tensor_content_of_every_number_type) {
  CHECK(number(content(1, Message().put(1.5F))) == 1.5);
  CHECK(number(content(2, Message().put(2.5))) == 2.5);
  CHECK(number(content(3, Message().put(std::int32_t{-7}))) == -7);
  CHECK(number(content(4, Message().put(std::uint8_t{200}))) == 200);
  CHECK(number(content(5, Message().put(std::int16_t{-300}))) == -300);
  CHECK(number(content(6, Message().put(std::int8_t{-3}))) == -3);
  CHECK(number(content(9, Message().put(std::int64_t{-1} << 40))) == -1099511627776.0);
  CHECK(number(content(10, Message().put(std::uint8_t{1}))) == 1);
  CHECK(number(content(14, Message().put(std::uint16_t{0x3fc0}))) == 1.5);
  CHECK(number(content(17, Message().put(std::uint16_t{65535}))) == 65535);
  CHECK(number(content(19, Message().put(std::uint16_t{0x3e00}))) == 1.5);
  CHECK(number(content(22, Message().put(std::uint32_t{4000000000U}))) == 4e9);
  CHECK(number(content(23, Message().put(~std::uint64_t{0}))) == 18446744073709551616.0);
  CHECK(number(content(24, Message().put(std::uint8_t{0x3e}))) == 1.5);
  CHECK(number(content(25, Message().put(std::uint8_t{0x3c}))) == 1.5);
}

TEST(tensor_val_fields_packed_and_unpacked) {
  const auto negative = static_cast<std::uint64_t>(std::int64_t{-7});
  CHECK(number(Message().varint(1, 1).fixed32(5, 1.5F)) == 1.5);
  CHECK(number(Message().varint(1, 1).bytes(5, Message().put(1.5F))) == 1.5);
  CHECK(number(Message().varint(1, 2).fixed64(6, 2.5)) == 2.5);
  CHECK(number(Message().varint(1, 2).bytes(6, Message().put(2.5))) == 2.5);
  for (const std::uint64_t dtype : {3U, 5U, 6U}) {
    CHECK(number(Message().varint(1, dtype).varint(7, negative)) == -7);
    CHECK(number(Message().varint(1, dtype).bytes(7, [&] {
            Message m;
            m.put_varint(negative);
            return m;
          }())) == -7);
  }
  CHECK(number(Message().varint(1, 4).varint(7, 250)) == 250);
  CHECK(number(Message().varint(1, 9).varint(10, negative)) == -7);
  CHECK(number(Message().varint(1, 10).varint(11, 1)) == 1);
  CHECK(number(Message().varint(1, 19).varint(13, 0xc000)) == -2);
  CHECK(number(Message().varint(1, 14).varint(13, 0xc000)) == -2);
  CHECK(number(Message().varint(1, 22).varint(16, 4000000000U)) == 4e9);
  CHECK(number(Message().varint(1, 23).varint(17, 5)) == 5);
  CHECK(number(Message().varint(1, 24).bytes(18, "\x3e")) == 1.5);
}

TEST(tensor_fields_in_any_order_and_the_last_dtype_wins) {
  CHECK(number(Message().fixed32(5, 1.5F).bytes(2, shape({})).varint(1, 2).varint(1, 1)) == 1.5);
}

TEST(tensor_without_elements_is_zero) {
  CHECK(number(Message().varint(1, 1)) == 0);
  CHECK(number(Message().varint(1, 9).bytes(2, shape({1, 1}))) == 0);
}

TEST(tensor_of_one_element_may_have_any_rank) {
  CHECK(number(Message().varint(1, 1).bytes(2, shape({1})).fixed32(5, 3)) == 3);
  CHECK(number(Message().varint(1, 1).bytes(2, shape({1, 1, 1})).fixed32(5, 3)) == 3);
}

TEST(tensor_that_is_no_number) {
  CHECK(status(Message().varint(1, 7).bytes(8, "text")) == Found::NoNumber);
  CHECK(status(Message().varint(1, 8).fixed32(9, 1).fixed32(9, 1)) == Found::NoNumber);
  CHECK(status(Message()) == Found::NoNumber);
  CHECK(status(Message().varint(1, 1).bytes(2, shape({2})).fixed32(5, 1)) == Found::NoNumber);
  CHECK(status(Message().varint(1, 1).bytes(2, shape({0}))) == Found::NoNumber);
  CHECK(status(Message().varint(1, 1).bytes(2, shape({~std::uint64_t{0}}))) == Found::NoNumber);
  CHECK(status(Message().varint(1, 1).fixed32(5, 1).fixed32(5, 2)) == Found::NoNumber);
  CHECK(status(content(2, Message().put(1.5F))) == Found::NoNumber);
  CHECK(status(content(1, Message().put(1.5F).put(1.5F))) == Found::NoNumber);
}

TEST(tensor_malformed_inside) {
  CHECK(status(Message().bytes(2, "\x12\x05")) == Found::Malformed);
  CHECK(status(Message().bytes(2, Message().bytes(2, "\x08"))) == Found::Malformed);
  CHECK(status(Message().bytes(5, "abc")) == Found::Malformed);
  CHECK(status(Message().bytes(6, "abcd")) == Found::Malformed);
  CHECK(status(Message().bytes(10, "\x80")) == Found::Malformed);
}

TEST(tensor_small_floats_at_their_limits) {
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK(half_to_double(0x0001) == std::ldexp(1, -24));
  CHECK(half_to_double(0x7bff) == 65504);
  CHECK(half_to_double(0xfc00) == -infinity);
  CHECK(std::isnan(half_to_double(0x7e00)));
  CHECK(std::signbit(half_to_double(0x8000)));
  CHECK(bfloat16_to_double(0x7f80) == infinity);
  CHECK(float8_e5m2_to_double(0x7b) == 57344);
  CHECK(float8_e5m2_to_double(0x7c) == infinity);
  CHECK(float8_e5m2_to_double(0x01) == std::ldexp(1, -16));
  CHECK(float8_e4m3fn_to_double(0x7e) == 448);
  CHECK(float8_e4m3fn_to_double(0x01) == std::ldexp(1, -9));
  CHECK(std::isnan(float8_e4m3fn_to_double(0xff)));
  CHECK(same(float8_e4m3fn_to_double(0x80), -0.0));
}

}  // namespace seamark
