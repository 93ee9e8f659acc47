"""Video: GIF, MP4 and WebM that runs logged as images, played in sync."""

from __future__ import annotations

from seamark.dashboards.video.routes import endpoints
from seamark.dashboards.video.video_tags import shared_video_tags
from seamark.plugin import Context, Dashboard


def has_data(context: Context) -> bool:
    """Whether some images are videos."""
    return shared_video_tags(context.store).has_any()


dashboard = Dashboard(name="video", title="Video", order=35, kinds=("images",), has_data=has_data, routes=endpoints)
