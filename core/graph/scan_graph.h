// Turns the bytes of a GraphDef into columns: nodes, edges, outputs, and the functions of its library.
#pragma once

#include "graph/columns.h"
#include "result.h"

namespace seamark {

// The content of the last field with this number, or what there is of it if the data ends within it. Empty if there is
// none. For a GraphDef within another message.
Bytes content_of_field(Bytes message, std::uint32_t number);

// A GraphDef that ends early gives the nodes before its end. An Error for bytes that are no GraphDef, and for more than
// `max_nodes` nodes. The columns hold views of `data`.
Result<GraphColumns> scan_graph(Bytes data, std::size_t max_nodes);

}  // namespace seamark
