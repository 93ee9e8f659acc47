"""Video: GIF, MP4 and WebM that runs logged in the place of images, played together. Its routes are those of Images."""

from __future__ import annotations

from seamark.dashboards.images.videos import video_tags_of
from seamark.plugin import Context, Dashboard


def has_data(context: Context) -> bool:
    """Images are not yet videos."""
    return video_tags_of(context.store).has_any()


dashboard = Dashboard(name="video", title="Video", order=35, kinds=("images",), has_data=has_data)
