// The SeriesView of Python.
#pragma once

#include "bind/bind.h"

namespace seamark {

struct PySeries {
  std::vector<nb::object> stripes;  // keeps the memory of `series` alive
  Series series;
};

// The caller's vector holds a reference to each: another thread may change the list that it came from.
std::vector<const Series*> series_of(const std::vector<nb::object>& list);

}  // namespace seamark
