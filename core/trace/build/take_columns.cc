// What a trace gives away: its columns, each in the order of the rows.
#include <algorithm>

#include "trace/build/columns.h"

namespace seamark {

namespace {

struct Entry {
  std::uint32_t index;  // of the slice or instant
  std::uint32_t entry;  // of the sparse column

  auto operator<=>(const Entry&) const = default;
};

// For few entries: in order of their index; of several with the same index the last counts.
std::vector<Entry> sort_entries(const SparseColumn& column, const Column<std::uint32_t>& index_of) {
  std::vector<Entry> entries;
  entries.reserve(column.size());
  for (std::uint32_t entry = 0; entry < column.size(); ++entry) {
    const std::uint32_t index = index_of[column.item(entry)];
    if (index != kNone) entries.push_back({index, entry});
  }
  std::ranges::sort(entries);
  const auto same = [](const Entry& a, const Entry& b) { return a.index == b.index; };
  const auto first = std::unique(entries.rbegin(), entries.rend(), same).base();
  entries.erase(entries.begin(), first);
  return entries;
}

// For many entries: the entry of each item, or kNone.
Column<std::uint32_t> find_entries(const SparseColumn& column, const Column<std::uint32_t>& index_of,
                                   std::size_t items) {
  auto entry_of = make_column<std::uint32_t>(items);
  std::fill_n(entry_of.get(), items, kNone);
  for (std::uint32_t entry = 0; entry < column.size(); ++entry) {
    const std::uint32_t index = index_of[column.item(entry)];
    if (index != kNone) entry_of[index] = entry;
  }
  return entry_of;
}

class FieldWriter {
 public:
  FieldWriter(const SparseColumn& column, std::size_t size) : column_(column) {
    field_.is_real = column.is_real();
    field_.indices = {make_column<std::int64_t>(size), size};
    if (field_.is_real) {
      field_.reals = {make_column<double>(size), size};
    } else {
      field_.integers = {make_column<std::int64_t>(size), size};
    }
  }

  void add(std::uint32_t index, std::uint32_t entry) {
    field_.indices.values[at_] = index;
    if (field_.is_real) {
      field_.reals.values[at_] = column_.real(entry);
    } else {
      field_.integers.values[at_] = column_.integer(entry);
    }
    ++at_;
  }

  TakenField take() { return std::move(field_); }

 private:
  const SparseColumn& column_;
  TakenField field_;
  std::size_t at_ = 0;
};

TakenField take_sparse(SparseColumn& taken, const Column<std::uint32_t>& index_of, std::size_t items) {
  const SparseColumn column = std::exchange(taken, {});
  if (column.size() < items / 8) {
    const std::vector<Entry> entries = sort_entries(column, index_of);
    FieldWriter writer(column, entries.size());
    for (const auto& [index, entry] : entries) writer.add(index, entry);
    return writer.take();
  }
  const Column<std::uint32_t> entry_of = find_entries(column, index_of, items);
  const auto missing = static_cast<std::size_t>(std::count(entry_of.get(), entry_of.get() + items, kNone));
  FieldWriter writer(column, items - missing);
  for (std::uint32_t index = 0; index < items; ++index) {
    if (entry_of[index] != kNone) writer.add(index, entry_of[index]);
  }
  return writer.take();
}

}  // namespace

TakenColumn<TraceTime> TraceColumns::take_counter_times() {
  TakenColumn<TraceTime> taken{make_column<TraceTime>(builder_.points_.size()), builder_.points_.size()};
  for (std::size_t i = 0; i < taken.size; ++i) taken.values[i] = builder_.points_[i].time - origin_;
  return taken;
}

TakenColumn<double> TraceColumns::take_counter_values() {
  TakenColumn<double> taken{make_column<double>(builder_.points_.size()), builder_.points_.size()};
  for (std::size_t i = 0; i < taken.size; ++i) taken.values[i] = builder_.points_[i].value;
  return taken;
}

TakenColumn<TraceTime> TraceColumns::take_instant_time() {
  const std::size_t count = builder_.instant_time_.size();
  TakenColumn<TraceTime> taken{make_column<TraceTime>(count), count};
  for (std::size_t i = 0; i < count; ++i) taken.values[i] = builder_.instant_time_[instant_order_[i]] - origin_;
  return taken;
}

TakenColumn<std::uint32_t> TraceColumns::take_instant_name() {
  const std::size_t count = builder_.instant_time_.size();
  TakenColumn<std::uint32_t> taken{make_column<std::uint32_t>(count), count};
  for (std::size_t i = 0; i < count; ++i) taken.values[i] = builder_.instant_name_[instant_order_[i]];
  return taken;
}

TakenColumn<std::int32_t> TraceColumns::take_instant_track() {
  const std::size_t count = builder_.instant_time_.size();
  TakenColumn<std::int32_t> taken{make_column<std::int32_t>(count), count};
  for (std::size_t i = 0; i < count; ++i) {
    taken.values[i] = static_cast<std::int32_t>(track_order_[builder_.instant_track_[instant_order_[i]]]);
  }
  return taken;
}

TakenField TraceColumns::take_field(std::size_t field) {
  return take_sparse(builder_.slice_fields_[field], index_of_, slices_);
}

TakenField TraceColumns::take_instant_field(std::size_t field) {
  return take_sparse(builder_.instant_fields_[field], instant_index_of_, builder_.instant_time_.size());
}

}  // namespace seamark
