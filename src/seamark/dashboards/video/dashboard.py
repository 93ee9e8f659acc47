"""Video: GIF, MP4 and WebM that runs logged as images, played in sync. Its routes are those of Images."""

from __future__ import annotations

from seamark.dashboards.images.videos import shared_video_tags
from seamark.plugin import Context, Dashboard


def has_data(context: Context) -> bool:
    """Whether some images are videos."""
    return shared_video_tags(context.store).has_any()


dashboard = Dashboard(name="video", title="Video", order=35, kinds=("images",), has_data=has_data)
