#include "format/record.h"

namespace seamark {

ReadStatus read_record(Bytes in, Record& out) {
  if (in.size() < kRecordHeaderBytes) {
    out.needed_bytes = kRecordHeaderBytes;
    return ReadStatus::Incomplete;
  }
  out.length = load<std::uint64_t>(in.data());
  out.crc_got = load<std::uint32_t>(in.data() + 8);
  out.crc_want = masked_crc32c(in.first(8));
  if (!out.intact()) return ReadStatus::Corrupt;
  if (out.length > in.size() - kRecordHeaderBytes || in.size() - kRecordHeaderBytes - out.length < kRecordFooterBytes) {
    constexpr auto kMax = std::numeric_limits<std::uint64_t>::max();
    out.needed_bytes = out.length > kMax - kRecordFrameBytes ? kMax : out.length + kRecordFrameBytes;
    return ReadStatus::Incomplete;
  }
  out.data = in.subspan(kRecordHeaderBytes, static_cast<std::size_t>(out.length));
  out.crc_got = load<std::uint32_t>(out.data.data() + out.data.size());
  out.crc_want = masked_crc32c(out.data);
  return ReadStatus::Ok;
}

void write_record(Bytes data, std::uint8_t* out) {
  store<std::uint64_t>(out, data.size());
  store<std::uint32_t>(out + 8, masked_crc32c({out, 8}));
  if (!data.empty()) std::memmove(out + kRecordHeaderBytes, data.data(), data.size());
  store<std::uint32_t>(out + kRecordHeaderBytes + data.size(), masked_crc32c({out + kRecordHeaderBytes, data.size()}));
}

std::vector<std::size_t> record_ends(Bytes records) {
  std::vector<std::size_t> ends;
  std::size_t at = 0;
  for (Record record; read_record(records.subspan(at), record) == ReadStatus::Ok;) {
    at += record.size();
    ends.push_back(at);
  }
  return ends;
}

std::vector<Bytes> record_data(Bytes records) {
  std::vector<Bytes> data;
  for (Record record; read_record(records, record) == ReadStatus::Ok && record.intact();) {
    data.push_back(record.data);
    records = records.subspan(record.size());
  }
  return data;
}

}  // namespace seamark
