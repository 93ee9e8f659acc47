// Shared by the files of this folder, which translate between Python and the core and decide nothing.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <stdexcept>

#include "columns/series.h"
#include "result.h"
#include "scan/scan.h"

// Types in the signatures that stubgen copies into _core.pyi.
#define SIG_BUFFER "typing_extensions.Buffer | numpy.typing.NDArray[typing.Any]"
#define SIG_I64 "numpy.typing.NDArray[numpy.int64]"
#define SIG_U64 "numpy.typing.NDArray[numpy.uint64]"
#define SIG_I32 "numpy.typing.NDArray[numpy.int32]"
#define SIG_U32 "numpy.typing.NDArray[numpy.uint32]"
#define SIG_F64 "numpy.typing.NDArray[numpy.float64]"
#define SIG_F32 "numpy.typing.NDArray[numpy.float32]"
#define SIG_TABLE "dict[str, numpy.typing.NDArray[typing.Any]]"
#define SIG_SERIES_KEYS "list[tuple[bytes, int, bytes]]"
#define SIG_FINGERPRINT "tuple[tuple[int, int], tuple[int, int]]"
#define SIG_SPANS "list[tuple[int, int, int, int | None]]"

namespace seamark {

namespace nb = nanobind;
using namespace nb::literals;

void bind_encode(nb::module_& m);
void bind_event_log(nb::module_& m);
void bind_scan(nb::module_& m);
void bind_disk(nb::module_& m);
void bind_runs(nb::module_& m);
void bind_stripe(nb::module_& m);
void bind_series(nb::module_& m);
void bind_window(nb::module_& m);
void bind_points_json(nb::module_& m);
void bind_message_text(nb::module_& m);
void bind_number_text(nb::module_& m);
void bind_graph(nb::module_& m);
void bind_trace(nb::module_& m);
void bind_layout(nb::module_& m);
void bind_trace_window(nb::module_& m);
void bind_trace_xplane(nb::module_& m);

// An object with the buffer protocol, whose memory stays in place meanwhile. Constructed and destroyed with the GIL.
class PinnedBuffer {
 public:
  explicit PinnedBuffer(nb::handle object) {
    if (PyObject_GetBuffer(object.ptr(), &view_, PyBUF_SIMPLE) != 0) throw nb::python_error();
  }
  PinnedBuffer(const PinnedBuffer&) = delete;
  PinnedBuffer& operator=(const PinnedBuffer&) = delete;
  ~PinnedBuffer() { PyBuffer_Release(&view_); }

  Bytes bytes() const { return {static_cast<const std::uint8_t*>(view_.buf), static_cast<std::size_t>(view_.len)}; }

 private:
  Py_buffer view_{};
};

// Marks an object that is for one thread at a time as in use; a second thread gets a RuntimeError. Constructed with the
// GIL, so that reading a property never makes a scan in another thread fail.
class ExclusiveUse {
 public:
  ExclusiveUse(std::atomic_flag& busy, const char* object) : busy_(busy) {
    if (busy_.test_and_set()) throw std::runtime_error(std::string("this ") + object + " is in use by another thread");
  }
  ~ExclusiveUse() { busy_.clear(); }
  ExclusiveUse(const ExclusiveUse&) = delete;
  ExclusiveUse& operator=(const ExclusiveUse&) = delete;

 private:
  std::atomic_flag& busy_;
};

// The Scanner and Stripe of Python, for the functions of other files that take one.
struct PyScanner {
  explicit PyScanner(Scanner given) : scanner(std::move(given)) {}
  Scanner scanner;
  mutable std::atomic_flag busy;

  ExclusiveUse use() const { return {busy, "Scanner"}; }
};

struct PyStripe {
  PyStripe(nb::handle data, bool verify);
  PinnedBuffer buffer;
  StripeView view;
};

// Raises OSError if the system refused, else ValueError.
[[noreturn]] void raise(const Error& error);

inline Bytes view_of(const nb::bytes& bytes) {
  return {reinterpret_cast<const std::uint8_t*>(bytes.c_str()), bytes.size()};
}

inline nb::bytes to_bytes(Bytes bytes) { return nb::bytes(bytes.data(), bytes.size()); }

// Bytes that are not UTF-8 are replaced.
inline nb::object to_text(Bytes text) {
  PyObject* decoded =
      PyUnicode_DecodeUTF8(reinterpret_cast<const char*>(text.data()), static_cast<Py_ssize_t>(text.size()), "replace");
  if (decoded == nullptr) throw nb::python_error();
  return nb::steal(decoded);
}

template <class T>
nb::object to_array(Column<T> column, std::size_t size) {
  nb::capsule owner(column.get(), [](void* data) noexcept { delete[] static_cast<T*>(data); });
  T* data = column.release();
  return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(data, {size}, owner), nb::rv_policy::reference);
}

// Not a NumPy array: reading files must not wait until NumPy is loaded.
inline nb::object to_memoryview(Block block) {
  nb::capsule owner(block.data(), [](void* data) noexcept { delete[] static_cast<std::uint8_t*>(data); });
  std::uint8_t* data = block.memory.release();
  return nb::cast(nb::ndarray<nb::memview, std::uint8_t, nb::ndim<1>>(data, {block.size}, owner),
                  nb::rv_policy::reference);
}

template <class T>
nb::object to_view(std::span<const T> column, nb::handle owner) {
  return nb::cast(nb::ndarray<nb::numpy, const T, nb::ndim<1>>(column.data(), {column.size()}, owner),
                  nb::rv_policy::reference);
}

template <class T, class Items, class Get>
nb::object collect(const Items& items, Get get) {
  auto column = std::make_unique_for_overwrite<T[]>(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) column[i] = get(items[i]);
  return to_array<T>(std::move(column), items.size());
}

template <class T>
using Array = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
std::span<const T> span_of(const Array<T>& array) {
  return {array.data(), array.shape(0)};
}

}  // namespace seamark
