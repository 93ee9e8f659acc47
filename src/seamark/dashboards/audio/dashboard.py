"""Audio: clips that runs logged, with waveform and spectrogram."""

from __future__ import annotations

from seamark.dashboards.audio.routes import endpoints
from seamark.plugin import Dashboard

dashboard = Dashboard(name="audio", title="Audio", order=70, kinds=("audio",), routes=endpoints)
