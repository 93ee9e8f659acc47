// What the files of this folder share. They are the only ones that know Python: they translate, and decide nothing.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <stdexcept>

#include "../bytes.h"
#include "../series.h"

namespace seamark {

namespace nb = nanobind;
using namespace nb::literals;

void bind_bytes(nb::module_& m);
void bind_bins(nb::module_& m);
void bind_event_log(nb::module_& m);
void bind_scanner(nb::module_& m);
void bind_disk(nb::module_& m);
void bind_stripe(nb::module_& m);
void bind_series(nb::module_& m);
void bind_queries(nb::module_& m);

// Anything with the buffer protocol, pinned while we look at it. Made and dropped with the GIL held.
class Lease {
 public:
  explicit Lease(nb::handle object) {
    if (PyObject_GetBuffer(object.ptr(), &view_, PyBUF_SIMPLE) != 0) throw nb::python_error();
  }
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;
  ~Lease() { PyBuffer_Release(&view_); }

  Bytes bytes() const { return {static_cast<const std::uint8_t*>(view_.buf), static_cast<std::size_t>(view_.len)}; }

 private:
  Py_buffer view_{};
};

// A scanner is for one thread at a time; a second one gets an exception instead of a crash.
class Turn {
 public:
  explicit Turn(std::atomic_flag& busy) : busy_(busy) {
    if (busy_.test_and_set()) throw std::runtime_error("this Scanner is in use by another thread");
  }
  ~Turn() { busy_.clear(); }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  std::atomic_flag& busy_;
};

inline Bytes view_of(const nb::bytes& bytes) { return {reinterpret_cast<const std::uint8_t*>(bytes.c_str()), bytes.size()}; }

inline nb::bytes to_bytes(Bytes bytes) { return nb::bytes(bytes.data(), bytes.size()); }

template <class T>
nb::object to_array(Column<T> column, std::size_t size) {
  nb::capsule owner(column.get(), [](void* data) noexcept { delete[] static_cast<T*>(data); });
  T* data = column.release();
  return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(data, {size}, owner), nb::rv_policy::reference);
}

// Not as a NumPy array: reading files must not wait until NumPy is loaded.
inline nb::object to_memory(Block block) {
  nb::capsule owner(block.words.get(), [](void* data) noexcept { delete[] static_cast<std::uint64_t*>(data); });
  auto* data = reinterpret_cast<std::uint8_t*>(block.words.release());
  return nb::cast(nb::ndarray<nb::memview, std::uint8_t, nb::ndim<1>>(data, {block.size}, owner), nb::rv_policy::reference);
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

template <class Group>
nb::tuple to_groups(std::span<const Group> groups) {
  return nb::make_tuple(collect<std::uint32_t>(groups, [](const Group& group) { return group.series; }),
                        collect<std::uint64_t>(groups, [](const Group& group) { return group.start; }),
                        collect<std::uint64_t>(groups, [](const Group& group) { return group.count; }));
}

template <class T>
using Array = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
std::span<const T> span_of(const Array<T>& array) {
  return {array.data(), array.shape(0)};
}

}  // namespace seamark
