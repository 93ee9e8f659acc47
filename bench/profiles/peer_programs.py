"""What the peers do with the same file, as programs for their own environments: each prints seconds and steps."""

from __future__ import annotations

# From the file to the data of all its views, which it computes together.
TORCH_TB_PROFILER = """
import pathlib, sys, tempfile, time
from torch_tb_profiler.io.cache import Cache
from torch_tb_profiler.profiler import RunLoader

def main():
    file = pathlib.Path(sys.argv[1])
    begun = time.perf_counter()
    with Cache() as cache:
        run = RunLoader("run", str(file.parent), cache).load()
    secs = time.perf_counter() - begun
    (profile,) = [one for one in run.profiles.values() if getattr(one, "worker", "") != "All"]
    print(secs, len(profile.steps_costs) if hasattr(profile, "steps_costs") else 0)

if __name__ == "__main__":
    main()
"""
XPROF = """
import sys, time
from xprof.convert import raw_to_tool_data

begun = time.perf_counter()
for tool in ("overview_page", "trace_viewer"):
    data, _ = raw_to_tool_data.xspace_to_tool_data([sys.argv[1]], tool, {})
    assert data, tool
print(time.perf_counter() - begun, 0)
"""
