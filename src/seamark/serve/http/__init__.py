"""HTTP around the routes: access checks, compression, ranges, connections, cached responses."""
