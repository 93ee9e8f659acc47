// Windows of many series, reduced to the width of a screen.
#pragma once

#include "query/window.h"

namespace seamark {

Window window(std::span<const Series* const> series, const WindowQuery& query);

}  // namespace seamark
