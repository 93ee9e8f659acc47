#include "trace/query/area.h"

#include <random>
#include <stdexcept>

#include "testing/testing.h"
#include "trace/query/search.h"
#include "trace/query/stacks.h"

namespace seamark {
namespace {

// Track 0 has two rows, track 1 one:
//   a 0–100          a 200–300
//     b 10–40 c 40–90  b 220–300
//   k 50–150
struct Sample {
  std::vector<std::int64_t> start{0, 200, 10, 40, 220, 50};
  std::vector<std::int64_t> duration{100, 100, 30, 50, 80, 100};
  std::vector<std::uint32_t> name{0, 0, 1, 2, 1, 3};
  std::vector<std::int32_t> parent{-1, -1, 0, 0, 1, -1};
  std::vector<std::int64_t> row_start{0, 2, 5, 6};
  std::vector<std::int32_t> row_track{0, 0, 1};
  std::vector<std::int64_t> rows{0, 1, 2};
  std::vector<std::uint32_t> groups{0, 1, 2, 3};

  SliceColumns columns() const { return {start, duration, name, row_start}; }
};

using Numbers = std::vector<std::int64_t>;

}  // namespace

TEST(area_sums_clipped_slices_by_name_and_by_track) {
  const Sample sample;
  const AreaSums sums =
      sum_area(sample.columns(), sample.parent, sample.row_track, sample.groups, 4, {sample.rows, 20, 260});
  CHECK(sums.count == Numbers{2, 2, 1, 1});
  CHECK(sums.total == Numbers{140, 60, 50, 100});
  CHECK(sums.self == Numbers{30, 60, 50, 100});
  CHECK(sums.longest == Numbers{0, 4, 3, 5});
  CHECK(sums.track == std::vector<std::int32_t>{0, 0, 0, 1});
  const AreaSums tracks = sum_area(sample.columns(), sample.parent, sample.row_track, {}, 2, {sample.rows, 0, 300});
  CHECK(tracks.self == Numbers{200, 100});
  const std::vector<std::uint32_t> one(4, 0);
  const AreaSums all = sum_area(sample.columns(), sample.parent, sample.row_track, one, 1, {sample.rows, 0, 300});
  CHECK(all.self == Numbers{300});
  CHECK(all.track == std::vector<std::int32_t>{kSeveralTracks});
  CHECK_THROWS(std::invalid_argument,
               sum_area(sample.columns(), sample.parent, sample.row_track, one, 0, {sample.rows, 0, 300}));
}

TEST(area_subtracts_only_what_is_inside_the_slice_around) {
  const std::vector<std::int64_t> start{0, 90}, duration{100, 20}, row_start{0, 1, 2}, rows{0, 1};
  const std::vector<std::uint32_t> name{0, 1}, groups{0, 1};
  const std::vector<std::int32_t> parent{-1, 0}, row_track{0, 0};
  const SliceColumns columns{start, duration, name, row_start};
  CHECK(sum_area(columns, parent, row_track, groups, 2, {rows, 0, 200}).self == Numbers{90, 20});
  CHECK(sum_area(columns, parent, row_track, groups, 2, {rows, 100, 200}).self == Numbers{0, 10});
  CHECK(build_stacks(columns, parent, {rows, 0, 200, 9}).self == Numbers{90, 20});
}

TEST(busy_time_counts_overlapping_rows_once) {
  const Sample sample;
  const std::vector<std::uint8_t> all(4, 1);
  CHECK(busy_time(sample.columns(), all, {sample.rows, 0, 300}) == 250);
  CHECK(busy_time(sample.columns(), all, {sample.rows, 140, 210}) == 20);
  const std::vector<std::uint8_t> some{0, 1, 0, 1};
  CHECK(busy_time(sample.columns(), some, {sample.rows, 0, 300}) == 30 + 100 + 80);
}

TEST(busy_time_agrees_with_a_count_of_nanoseconds) {
  std::mt19937 random(11);
  const auto pick = [&](std::int64_t most) { return std::uniform_int_distribution<std::int64_t>(0, most)(random); };
  for (int trial = 0; trial < 100; ++trial) {
    Numbers start, duration, row_start{0}, rows;
    std::vector<bool> covered(2000);
    for (std::int64_t row = 0; row < 4; ++row) {
      for (std::int64_t time = pick(50); time < 900;) {
        const std::int64_t length = pick(40);
        start.push_back(time);
        duration.push_back(length);
        for (std::int64_t at = time; at < time + length; ++at) covered[static_cast<std::size_t>(at)] = true;
        time += length + 1 + pick(60);
      }
      row_start.push_back(static_cast<std::int64_t>(start.size()));
      rows.push_back(row);
    }
    const std::vector<std::uint32_t> name(start.size());
    const std::vector<std::uint8_t> all(1, 1);
    const std::int64_t from = pick(500);
    const std::int64_t to = from + 1 + pick(600);
    std::int64_t expected = 0;
    for (std::int64_t at = from; at < to; ++at) expected += covered[static_cast<std::size_t>(at)] ? 1 : 0;
    CHECK(busy_time({start, duration, name, row_start}, all, {rows, from, to}) == expected);
  }
}

TEST(search_returns_the_first_matches_and_the_longest) {
  const Sample sample;
  const std::vector<std::uint8_t> is_match{0, 1, 0, 1};
  const SliceMatches all = search_slices(sample.columns(), is_match, 10);
  CHECK(all.slices == std::vector<std::uint32_t>{2, 5, 4});
  CHECK(all.total == 3 && all.longest == 5);
  CHECK(search_slices(sample.columns(), is_match, 1).slices == std::vector<std::uint32_t>{2});
  CHECK(search_slices(sample.columns(), is_match, 2).slices == std::vector<std::uint32_t>{2, 5});
  CHECK(search_slices(sample.columns(), std::vector<std::uint8_t>(4), 2).longest == kNoSlice);
}

TEST(stacks_merge_slices_with_the_same_names_above) {
  const Sample sample;
  const Numbers all{0, 1, 2, 3, 4, 5};
  const StackNodes nodes = build_stacks(sample.columns(), sample.parent, {all, 20, 260, 100});
  CHECK(nodes.parent == std::vector<std::int32_t>{-1, 0, 0, -1});
  CHECK(nodes.name == std::vector<std::uint32_t>{0, 1, 2, 3});
  CHECK(nodes.calls == Numbers{2, 2, 1, 1});
  CHECK(nodes.total == Numbers{140, 60, 50, 100});
  CHECK(nodes.self == Numbers{30, 60, 50, 100});
  CHECK(nodes.longest == Numbers{0, 4, 3, 5});
  CHECK(nodes.node_of_slice == std::vector<std::int32_t>{0, 0, 1, 2, 1, 3});
  CHECK(!nodes.is_cut);
}

TEST(stacks_bridge_slices_that_are_not_chosen_and_stop_at_a_limit) {
  const std::vector<std::int64_t> start{0, 10, 20}, duration{100, 50, 20}, row_start{0, 1, 2, 3};
  const std::vector<std::uint32_t> name{0, 1, 2};
  const std::vector<std::int32_t> parent{-1, 0, 1};
  const SliceColumns columns{start, duration, name, row_start};
  const Numbers outer{0, 2}, all{0, 1, 2}, unordered{2, 0}, unknown{3};
  CHECK(build_stacks(columns, parent, {outer, 0, 100, 9}).parent == std::vector<std::int32_t>{-1, 0});
  const StackNodes cut = build_stacks(columns, parent, {all, 0, 100, 1});
  CHECK(cut.is_cut && cut.parent.size() == 1);
  CHECK_THROWS(std::invalid_argument, build_stacks(columns, parent, {unordered, 0, 100, 9}));
  CHECK_THROWS(std::invalid_argument, build_stacks(columns, parent, {unknown, 0, 100, 9}));
}

}  // namespace seamark
