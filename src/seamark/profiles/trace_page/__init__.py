"""What the Trace page asks for: areas, counters, details, links, search and exports."""
