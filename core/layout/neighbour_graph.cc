#include "layout/neighbour_graph.h"

#include <algorithm>
#include <stdexcept>

namespace seamark {
namespace {

struct Edge {
  std::uint32_t other;
  float weight;
};

// The edges that end at each point, in ascending order of where they begin.
struct IncomingEdges {
  std::vector<std::size_t> starts;
  std::vector<Edge> edges;

  std::span<const Edge> of(std::size_t point) const {
    return std::span(edges).subspan(starts[point], starts[point + 1] - starts[point]);
  }
};

void check(std::span<const std::int32_t> neighbours, std::span<const float> weights, std::size_t per_point) {
  if (neighbours.size() != weights.size()) throw std::invalid_argument("neighbours and weights differ in length");
  if (per_point == 0 || neighbours.size() % per_point != 0) {
    throw std::invalid_argument("the neighbours are no whole rows");
  }
  const std::size_t points = neighbours.size() / per_point;
  for (std::size_t at = 0; at < neighbours.size(); ++at) {
    const std::int32_t neighbour = neighbours[at];
    if (neighbour < 0 || static_cast<std::size_t>(neighbour) >= points ||
        static_cast<std::size_t>(neighbour) == at / per_point) {
      throw std::invalid_argument("a neighbour is no other point");
    }
  }
}

IncomingEdges transpose(std::span<const std::int32_t> neighbours, std::span<const float> weights,
                        std::size_t per_point) {
  const std::size_t points = neighbours.size() / per_point;
  IncomingEdges incoming{std::vector<std::size_t>(points + 1), std::vector<Edge>(neighbours.size())};
  for (const std::int32_t neighbour : neighbours) ++incoming.starts[static_cast<std::size_t>(neighbour) + 1];
  for (std::size_t point = 0; point < points; ++point) incoming.starts[point + 1] += incoming.starts[point];
  std::vector<std::size_t> ends(incoming.starts.begin(), incoming.starts.end() - 1);
  for (std::size_t at = 0; at < neighbours.size(); ++at) {
    const auto target = static_cast<std::size_t>(neighbours[at]);
    incoming.edges[ends[target]++] = {static_cast<std::uint32_t>(at / per_point), weights[at]};
  }
  return incoming;
}

float combined(float a, float b, Combine combine) { return combine == Combine::Sum ? a + b : a + b - a * b; }

// Both lists are in ascending order.
void append_merged(std::span<const Edge> outgoing, std::span<const Edge> incoming, Combine combine,
                   NeighbourGraph& graph) {
  const auto append = [&](std::uint32_t other, float weight) {
    if (weight <= 0) return;
    graph.neighbours.push_back(other);
    graph.weights.push_back(weight);
  };
  auto out = outgoing.begin();
  auto in = incoming.begin();
  while (out != outgoing.end() || in != incoming.end()) {
    if (in == incoming.end() || (out != outgoing.end() && out->other < in->other)) {
      append(out->other, out->weight);
      ++out;
    } else if (out == outgoing.end() || in->other < out->other) {
      append(in->other, in->weight);
      ++in;
    } else {
      append(out->other, combined(out->weight, in->weight, combine));
      ++out;
      ++in;
    }
  }
}

}  // namespace

NeighbourGraph make_neighbour_graph(std::span<const std::int32_t> neighbours, std::span<const float> weights,
                                    std::size_t per_point, Combine combine) {
  check(neighbours, weights, per_point);
  const IncomingEdges incoming = transpose(neighbours, weights, per_point);
  const std::size_t points = neighbours.size() / per_point;
  NeighbourGraph graph;
  graph.starts.reserve(points + 1);
  graph.starts.push_back(0);
  graph.neighbours.reserve(2 * neighbours.size());
  graph.weights.reserve(2 * neighbours.size());
  std::vector<Edge> outgoing(per_point);
  for (std::size_t point = 0; point < points; ++point) {
    for (std::size_t rank = 0; rank < per_point; ++rank) {
      const std::size_t at = point * per_point + rank;
      outgoing[rank] = {static_cast<std::uint32_t>(neighbours[at]), weights[at]};
    }
    std::ranges::sort(outgoing, {}, &Edge::other);
    append_merged(outgoing, incoming.of(point), combine, graph);
    graph.starts.push_back(graph.neighbours.size());
  }
  return graph;
}

}  // namespace seamark
