// Any bytes as a file of records: walks them, and checks that the reader keeps to what it says.
#include <cstdlib>

#include "../record.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace seamark;
  Bytes left(data, size);
  Record record;
  Status status = Status::Ok;
  while (!left.empty() && (status = read_record(left, record)) == Status::Ok) {
    if (record.size() > left.size() || record.data.data() != left.data() + kRecordHeaderBytes) std::abort();
    left = left.subspan(record.size());
  }
  if (!left.empty() && status == Status::NeedMore && record.needed <= left.size()) std::abort();
  return 0;
}
