"""python -m seamark.examples.predict.worker REQUESTS RESPONSES LIFELINE MEMORY_MB: file descriptors and a limit."""

from __future__ import annotations

import sys

from seamark.examples.predict.worker.confinement import end_with_server, limit_memory
from seamark.examples.predict.worker.serve import serve

if __name__ == "__main__":
    requests, responses, lifeline, memory_mb = map(int, sys.argv[1:])
    sys.argv = ["seamark-model"]
    end_with_server(lifeline)
    limit_memory(memory_mb)
    serve(requests, responses)
