"""Memory: curves of each device and allocator, what the peak consists of, and leak candidates."""

from seamark.profiles.analyses.memory.find import find_memory as find_memory
