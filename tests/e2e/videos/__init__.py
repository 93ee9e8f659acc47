"""Two clips of ten frames, each of one colour, at ten frames a second. They are kept, so that tests need no encoder.

`python -m tests.e2e.videos` makes them again, with PyAV.
"""

from pathlib import Path

COLOURS = (
    (230, 25, 25), (25, 200, 25), (25, 25, 230), (230, 200, 25), (200, 25, 200),
    (25, 200, 200), (128, 128, 128), (250, 128, 10), (100, 50, 10), (245, 245, 245),
)  # fmt: skip
FRAME_SECS = 0.1
WIDTH, HEIGHT = 64, 48
HERE = Path(__file__).parent
WEBM = HERE / "colours.webm"  # VP9, which every Chromium plays
MPEG4 = HERE / "mpeg4.mp4"  # MPEG-4 part 2, which none does
