// Tables of numbers as text.
#include "format/number_text.h"

#include <nanobind/stl/pair.h>

#include <algorithm>

#include "bind/bind.h"

namespace seamark {
namespace {

std::pair<nb::object, std::size_t> parse(nb::handle text, char separator) {
  const PinnedBuffer buffer(text);
  Column<float> column;
  std::size_t size = 0;
  const Result<NumberTable> table = [&] {
    nb::gil_scoped_release release;
    Result<NumberTable> parsed = parse_numbers(buffer.bytes(), separator);
    if (parsed) {
      size = parsed->values.size();
      column = std::make_unique_for_overwrite<float[]>(size);
      std::copy(parsed->values.begin(), parsed->values.end(), column.get());
    }
    return parsed;
  }();
  if (!table) raise(table.error());
  return {to_array<float>(std::move(column), size), table->columns};
}

}  // namespace

void bind_number_text(nb::module_& m) {
  m.def("parse_numbers", parse, "text"_a, "separator"_a,
        nb::sig("def parse_numbers(text: " SIG_BUFFER ", separator: str) -> tuple[" SIG_F32 ", int]"),
        "The numbers of lines of cells, row by row, and how many are on each line. Empty lines are skipped.\n"
        "ValueError if a cell is no number, or if a line has another number of cells.");
}

}  // namespace seamark
