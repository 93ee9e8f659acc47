"""The tags of Video. Its clips come from the routes of Images."""

from __future__ import annotations

from typing import Annotated

from starlette.responses import Response

from seamark.dashboards.video.video_tags import VideoTag, shared_video_tags
from seamark.plugin import REVALIDATE, Context, Endpoint, NoParameters, ParsedRequest, ResponseStruct, json_response


class VideoTagsResponse(ResponseStruct):
    tags: list[VideoTag]


def endpoints(context: Context) -> list[Endpoint]:
    def tags(_: ParsedRequest[NoParameters, None]) -> Annotated[Response, VideoTagsResponse]:
        return json_response(VideoTagsResponse(shared_video_tags(context.store).find_all()), headers=REVALIDATE)

    return [
        Endpoint(
            path="/tags",
            summary="The tags whose images are videos, with their runs.",
            handler=tags,
        )
    ]
