"""Makes the clips."""

from pathlib import Path

import av
import numpy as np

from tests.e2e.videos import COLOURS, FRAME_SECS, HEIGHT, MPEG4, WEBM, WIDTH


def make(path: Path, codec: str) -> None:
    with av.open(str(path), "w", format=path.suffix[1:]) as container:
        stream = container.add_stream(codec, rate=round(1 / FRAME_SECS), options={"g": "4"})
        stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        for colour in COLOURS:
            pixels = np.full((HEIGHT, WIDTH, 3), colour, np.uint8)
            container.mux(stream.encode(av.VideoFrame.from_ndarray(pixels, format="rgb24")))
        container.mux(stream.encode())


make(WEBM, "libvpx-vp9")
make(MPEG4, "mpeg4")
