#include "record.h"

namespace seamark {

Status read_record(Bytes in, Record& out) {
  if (in.size() < kRecordHeaderBytes) {
    out.needed = kRecordHeaderBytes;
    return Status::NeedMore;
  }
  out.length = load<std::uint64_t>(in.data());
  out.crc_got = load<std::uint32_t>(in.data() + 8);
  out.crc_want = masked_crc32c(in.first(8));
  if (!out.intact()) return Status::Corrupt;
  if (out.length > in.size() - kRecordHeaderBytes || in.size() - kRecordHeaderBytes - out.length < kRecordFooterBytes) {
    constexpr auto kMost = std::numeric_limits<std::uint64_t>::max();
    out.needed = out.length > kMost - kRecordFrameBytes ? kMost : out.length + kRecordFrameBytes;
    return Status::NeedMore;
  }
  out.data = in.subspan(kRecordHeaderBytes, static_cast<std::size_t>(out.length));
  out.crc_got = load<std::uint32_t>(out.data.data() + out.data.size());
  out.crc_want = masked_crc32c(out.data);
  return Status::Ok;
}

void write_record(Bytes data, std::uint8_t* out) {
  store<std::uint64_t>(out, data.size());
  store<std::uint32_t>(out + 8, masked_crc32c({out, 8}));
  if (!data.empty()) std::memmove(out + kRecordHeaderBytes, data.data(), data.size());
  store<std::uint32_t>(out + kRecordHeaderBytes + data.size(), masked_crc32c({out + kRecordHeaderBytes, data.size()}));
}

}  // namespace seamark
