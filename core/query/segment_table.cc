#include "query/segment_table.h"

#include <stdexcept>

namespace seamark {

void SegmentTable::add(RunSeries run) {
  for (const RunStripe& part : run.stripes) {
    if (part.series_ids.size() != series_per_run_) {
      throw std::invalid_argument("a stripe must have an id for every series: got " +
                                  std::to_string(part.series_ids.size()) + ", want " + std::to_string(series_per_run_));
    }
  }
  runs_.push_back(std::move(run));
}

Series SegmentTable::operator[](std::size_t index) const {
  const RunSeries& run = runs_[index / series_per_run_];
  const std::size_t series = index % series_per_run_;
  std::vector<SeriesPart> parts;
  parts.reserve(run.stripes.size());
  for (const auto& [stripe, ids] : run.stripes) {
    parts.push_back(ids[series] < 0 ? SeriesPart() : stripe->find(static_cast<std::uint32_t>(ids[series])));
  }
  const auto spans = run.spans.find(series);
  return make_series(parts, spans == run.spans.end() ? std::span<const PartSpan>() : spans->second);
}

}  // namespace seamark
