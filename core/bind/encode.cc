// Checksums, records, encoded scalars, and histogram bins.
#include "write/encode.h"

#include "bind/bind.h"
#include "format/crc32c.h"
#include "format/record.h"
#include "write/bins.h"

namespace seamark {
namespace {

std::uint32_t masked_crc32c_of(nb::handle data) {
  const PinnedBuffer buffer(data);
  nb::gil_scoped_release release;
  return masked_crc32c(buffer.bytes());
}

nb::bytes frame(nb::handle data) {
  const PinnedBuffer buffer(data);
  Buffer out;
  append_record(buffer.bytes(), out);
  return to_bytes(out);
}

nb::list unframe(nb::handle records) {
  const PinnedBuffer buffer(records);
  nb::list out;
  for (const Bytes data : record_data(buffer.bytes())) out.append(to_bytes(data));
  return out;
}

std::vector<std::size_t> record_ends_of(nb::handle records) {
  const PinnedBuffer buffer(records);
  nb::gil_scoped_release release;
  return record_ends(buffer.bytes());
}

nb::bytes encode_scalar(const nb::bytes& tag, double value, std::int64_t step, double wall_time) {
  Buffer out;
  append_scalar(view_of(tag), value, step, wall_time, out);
  return to_bytes(out);
}

nb::bytes encode_scalars(const std::vector<nb::bytes>& tags, const Array<std::uint32_t>& tag_index,
                         const Array<std::int64_t>& steps, const Array<double>& wall_times,
                         const Array<double>& values) {
  std::vector<Bytes> views;
  for (const nb::bytes& tag : tags) views.push_back(view_of(tag));
  Buffer out;
  {
    nb::gil_scoped_release release;
    append_scalars({views, span_of(tag_index), span_of(steps), span_of(wall_times), span_of(values)}, out);
  }
  return to_bytes(out);
}

nb::bytes encode_file_version(double wall_time, const nb::bytes& writer) {
  Buffer out;
  append_file_version(wall_time, view_of(writer), out);
  return to_bytes(out);
}

template <class T>
nb::tuple count_between(const Array<T>& values, const Array<double>& edges) {
  BinCounts found;
  {
    nb::gil_scoped_release release;
    found = seamark::count_between(span_of(values), span_of(edges));
  }
  const auto same = [](std::int64_t count) { return count; };
  return nb::make_tuple(collect<std::int64_t>(found.counts, same), found.finite, found.min, found.max, found.sum,
                        found.sum_squares);
}

}  // namespace

void bind_encode(nb::module_& m) {
  m.def("masked_crc32c", masked_crc32c_of, "data"_a, nb::sig("def masked_crc32c(data: " SIG_BUFFER ") -> int"),
        "The CRC-32C of `data`, masked as in TFRecords.");
  m.def("frame", frame, "data"_a, nb::sig("def frame(data: " SIG_BUFFER ") -> bytes"), "One TFRecord of `data`.");
  m.def("unframe", unframe, "records"_a, nb::sig("def unframe(records: " SIG_BUFFER ") -> list[bytes]"),
        "The data of each intact record, up to the first that is incomplete or damaged.");
  m.def("record_ends", record_ends_of, "records"_a, nb::sig("def record_ends(records: " SIG_BUFFER ") -> list[int]"),
        "The end of each record of a buffer, up to the first that is incomplete.");
  m.def("encode_scalar", encode_scalar, "tag"_a, "value"_a, "step"_a, "wall_time"_a,
        "One framed event with one simple_value, a float32.");
  m.def("encode_scalars", encode_scalars, "tags"_a, "tag_index"_a, "steps"_a, "wall_times"_a, "values"_a,
        nb::sig("def encode_scalars(tags: list[bytes], tag_index: " SIG_U32 ", steps: " SIG_I64 ", wall_times: " SIG_F64
                ", values: " SIG_F64 ") -> bytes"),
        "Many framed events of one value each. ValueError if lengths differ or an index is too large.");
  m.def("encode_file_version", encode_file_version, "wall_time"_a, "writer"_a = nb::bytes("", 0),
        nb::sig("def encode_file_version(wall_time: float, writer: bytes = b'') -> bytes"),
        "The framed event that starts every file; `writer` names the library.");
  m.def("count_between", &count_between<float>, "values"_a.noconvert(), "edges"_a,
        nb::sig("def count_between(values: " SIG_F32 ", edges: " SIG_F64 ") -> tuple[" SIG_I64
                ", int, float, float, float, float]"),
        "Counts of the finite values in [edge, next edge), the last bin closed; the number of finite values; their\n"
        "minimum, maximum, sum and sum of squares. ValueError if the edges are not ascending.");
  m.def("count_between", &count_between<double>, "values"_a, "edges"_a,
        nb::sig("def count_between(values: " SIG_F64 ", edges: " SIG_F64 ") -> tuple[" SIG_I64
                ", int, float, float, float, float]"));
}

}  // namespace seamark
