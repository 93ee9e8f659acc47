// Any bytes as a file of records: checks what the reader promises.
#include <cstdlib>

#include "format/record.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace seamark;
  Bytes left(data, size);
  Record record;
  ReadStatus status = ReadStatus::Ok;
  while (!left.empty() && (status = read_record(left, record)) == ReadStatus::Ok) {
    if (record.size() > left.size() || record.data.data() != left.data() + kRecordHeaderBytes) std::abort();
    left = left.subspan(record.size());
  }
  if (!left.empty() && status == ReadStatus::Incomplete && record.needed_bytes <= left.size()) std::abort();
  return 0;
}
