"""Runs with a record: `seamark.init`, `run.log`, `run.finish`, and a run.json beside the event files (docs/runs.md)."""
