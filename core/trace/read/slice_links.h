// Links between slices that share a context: the one that causes the other has its type and id as producer.
#pragma once

#include <cstdint>
#include <vector>

namespace seamark {

class SliceLinks {
 public:
  void add_producer(std::uint64_t type, std::uint64_t id, std::uint32_t slice) {
    points_.push_back({type, id, slice, false});
  }
  void add_consumer(std::uint64_t type, std::uint64_t id, std::uint32_t slice) {
    points_.push_back({type, id, slice, true});
  }

  struct Link {
    std::uint32_t from, to;
  };
  // Every producer with every consumer of the same context. A context that many have on both sides, such as 0 for "not
  // set", is left out.
  std::vector<Link> take();

 private:
  struct Point {
    std::uint64_t type, id;
    std::uint32_t slice;
    bool is_consumer;
  };
  std::vector<Point> points_;
};

}  // namespace seamark
