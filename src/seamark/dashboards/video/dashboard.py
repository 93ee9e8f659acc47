"""Video: GIF, MP4 and WebM that runs logged in the place of images, played together. Its routes are those of Images."""

from __future__ import annotations

from seamark.plugin import Dashboard

dashboard = Dashboard(name="video", title="Video", order=35, kinds=("images",))
