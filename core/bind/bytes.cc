// Checksums, frames, encodings, and counting into bins.
#include "bind.h"

#include "../bins.h"
#include "../crc32c.h"
#include "../encode.h"
#include "../record.h"

namespace seamark {
namespace {

template <class Append>
nb::bytes encoded(Append append) {
  Buffer out;
  append(out);
  return to_bytes(out);
}

}  // namespace

void bind_bytes(nb::module_& m) {
  m.attr("CRC32C_BACKEND") = crc32c_backend();
  m.def("crc32c", [](nb::handle data, std::uint32_t crc) {
    const Lease lease(data);
    nb::gil_scoped_release release;
    return crc32c(lease.bytes(), crc);
  }, "data"_a, "crc"_a = 0);
  m.def("masked_crc32c", [](nb::handle data) {
    const Lease lease(data);
    nb::gil_scoped_release release;
    return masked_crc32c(lease.bytes());
  }, "data"_a);
  m.def("frame", [](nb::handle data) {
    const Lease lease(data);
    return encoded([&](Buffer& out) { append_record(lease.bytes(), out); });
  }, "data"_a);
  m.def("encode_scalar", [](const nb::bytes& tag, double value, std::int64_t step, double wall_time) {
    return encoded([&](Buffer& out) { append_scalar(view_of(tag), value, step, wall_time, out); });
  }, "tag"_a, "value"_a, "step"_a, "wall_time"_a);
  m.def("encode_scalars", [](const std::vector<nb::bytes>& tags, const Array<std::uint32_t>& tag_index,
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
  }, "tags"_a, "tag_index"_a, "steps"_a, "wall_times"_a, "values"_a);
  m.def("encode_file_version", [](double wall_time, const nb::bytes& writer) {
    return encoded([&](Buffer& out) { append_file_version(wall_time, view_of(writer), out); });
  }, "wall_time"_a, "writer"_a = nb::bytes("", 0));
}

namespace {

template <class T>
nb::tuple counted(const Array<T>& values, const Array<double>& edges) {
  BinCounts found;
  {
    nb::gil_scoped_release release;
    found = count_between(span_of(values), span_of(edges));
  }
  const auto same = [](std::int64_t count) { return count; };
  return nb::make_tuple(collect<std::int64_t>(found.counts, same), found.finite, found.min, found.max, found.sum,
                        found.sum_squares);
}

}  // namespace

void bind_bins(nb::module_& m) {
  m.def("count_between", &counted<float>, "values"_a.noconvert(), "edges"_a);
  m.def("count_between", &counted<double>, "values"_a, "edges"_a);
}

}  // namespace seamark
