"""Listings of the tags of a kind, with display names and descriptions."""

from __future__ import annotations

from collections.abc import Callable

from starlette.responses import Response

from seamark.kinds.markdown.safe_html import description_html
from seamark.plugin import Endpoint, ParsedRequest, json_bytes
from seamark.serve.tensorboard.catalogue import Catalogue
from seamark.serve.tensorboard.metadata import metadata_of
from seamark.serve.tensorboard.request import TensorBoardParameters, json_text
from seamark.store import SeriesInfo

Labels = dict[str, object]


def tag_labels(info: SeriesInfo) -> Labels:
    return {
        "displayName": metadata_of(info).display_name_for(info.tag),
        "description": description_html(info.description),
    }


def tags_endpoint(
    catalogue: Catalogue, path: str, kind: str, labels_of: Callable[[SeriesInfo], Labels] = tag_labels
) -> Endpoint:
    """Run → tag → labels."""

    def build() -> bytes:
        return json_bytes(
            {
                run: {tag: labels_of(info) for tag, info in by_tag.items()}
                for run, by_tag in catalogue.series(kind).items()
            }
        )

    def tags(_: ParsedRequest[TensorBoardParameters, None]) -> Response:
        return json_text(catalogue.listings.get(f"{kind}/tags", build))

    return Endpoint(
        path=path,
        summary="The tags of each run, with display names and descriptions.",
        handler=tags,
    )
