// The forces of t-SNE and UMAP.
#include "bind/bind.h"
#include "layout/attraction.h"
#include "layout/neighbour_graph.h"
#include "layout/repulsion_tree.h"
#include "layout/umap_epoch.h"

#define SIG_RANGE "first: int, end: int"

namespace seamark {
namespace {

template <class T>
using Table = nb::ndarray<T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Sums = nb::ndarray<float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
std::span<T> span_of(const Table<T>& table) {
  return {table.data(), table.shape(0) * table.shape(1)};
}

void make_graph(NeighbourGraph* self, const Table<const std::int32_t>& neighbours, const Table<const float>& weights,
                bool is_union) {
  nb::gil_scoped_release release;
  new (self) NeighbourGraph(make_neighbour_graph(span_of(neighbours), span_of(weights), neighbours.shape(1),
                                                 is_union ? Combine::Union : Combine::Sum));
}

void attract_range(const NeighbourGraph& graph, const Table<const float>& positions, std::size_t first, std::size_t end,
                   const Table<float>& forces) {
  nb::gil_scoped_release release;
  attract(graph, span_of(positions), positions.shape(1), first, end, span_of(forces));
}

template <std::size_t kDims>
void make_tree(RepulsionTree<kDims>* self, const Table<const float>& positions, float theta) {
  if (positions.shape(1) != kDims) throw std::invalid_argument("the positions have another number of dimensions");
  nb::gil_scoped_release release;
  new (self) RepulsionTree<kDims>(span_of(positions), theta);
}

template <std::size_t kDims>
void repel(const RepulsionTree<kDims>& self, std::size_t first, std::size_t end, const Table<float>& forces,
           const Sums& sums) {
  nb::gil_scoped_release release;
  self.repel(first, end, span_of(forces), {sums.data(), sums.shape(0)});
}

template <std::size_t kDims>
void bind_tree(nb::module_& m, const char* name) {
  using Tree = RepulsionTree<kDims>;
  nb::class_<Tree>(m, name, "The repulsion of t-SNE between all points, after Barnes and Hut. Immutable.")
      .def("__init__", make_tree<kDims>, "positions"_a, "theta"_a,
           nb::sig("def __init__(self, positions: " SIG_F32 ", theta: float) -> None"),
           "Cells whose side is less than `theta` times their distance count as one point.")
      .def_prop_ro("groups", &Tree::groups, "Groups of nearby points: the unit of work.")
      .def("repel", repel<kDims>, "first"_a, "end"_a, "forces"_a, "sums"_a,
           nb::sig("def repel(self, " SIG_RANGE ", forces: " SIG_F32 ", sums: " SIG_F32 ") -> None"),
           "With q = 1 / (1 + |a - b|²), writes the sums of q² * (a - b) and of q for the points a of a range of "
           "groups.");
}

void umap_epoch(const NeighbourGraph& graph, const Table<const float>& before, const UmapEpoch& epoch,
                std::size_t first, std::size_t end, const Table<float>& after) {
  nb::gil_scoped_release release;
  run_umap_epoch(graph, span_of(before), before.shape(1), epoch, first, end, span_of(after));
}

}  // namespace

void bind_layout(nb::module_& m) {
  nb::class_<NeighbourGraph>(m, "NeighbourGraph", "The neighbours of each point with weights, in both directions.")
      .def("__init__", make_graph, "neighbours"_a, "weights"_a, nb::kw_only(), "is_union"_a,
           nb::sig("def __init__(self, neighbours: " SIG_I32 ", weights: " SIG_F32 ", *, is_union: bool) -> None"),
           "From one row for each point. The weights a and b of both directions become a + b, or a + b - ab.")
      .def_prop_ro("points", &NeighbourGraph::points)
      .def_prop_ro("edges", &NeighbourGraph::edges);
  m.def(
      "attract", attract_range, "graph"_a, "positions"_a, "first"_a, "end"_a, "forces"_a,
      nb::sig("def attract(graph: NeighbourGraph, positions: " SIG_F32 ", " SIG_RANGE ", forces: " SIG_F32 ") -> None"),
      "Writes the attraction of t-SNE for a range of points: the sum of weight * (a - b) / (1 + |a - b|²).");
  bind_tree<2>(m, "RepulsionTree2");
  bind_tree<3>(m, "RepulsionTree3");
  m.def(
      "umap_epoch",
      [](const NeighbourGraph& graph, const Table<const float>& before, std::size_t first, std::size_t end,
         const Table<float>& after, std::uint64_t epoch, std::uint64_t seed, float a, float b, float learning_rate,
         unsigned negative_samples) {
        umap_epoch(graph, before, {epoch, seed, a, b, learning_rate, negative_samples}, first, end, after);
      },
      "graph"_a, "before"_a, "first"_a, "end"_a, "after"_a, nb::kw_only(), "epoch"_a, "seed"_a, "a"_a, "b"_a,
      "learning_rate"_a, "negative_samples"_a,
      nb::sig("def umap_epoch(graph: NeighbourGraph, before: " SIG_F32 ", " SIG_RANGE ", after: " SIG_F32
              ", *, epoch: int, seed: int, a: float, b: float, learning_rate: float, negative_samples: int) -> None"),
      "Writes the positions of a range of points after an epoch of UMAP. Equal arguments give equal results.");
}

}  // namespace seamark
