"""One door to all kinds: decode(kind, data) loads the right module when it is first asked for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from seamark.format.types import Form

if TYPE_CHECKING:
    from collections.abc import Callable

    from seamark.kinds.audio import AudioClips
    from seamark.kinds.custom_scalars import Layout
    from seamark.kinds.graph import Graph
    from seamark.kinds.histogram import Histogram
    from seamark.kinds.hparams import Experiment, SessionEnd, SessionStart
    from seamark.kinds.image import Images
    from seamark.kinds.keras_model import KerasModel
    from seamark.kinds.log_message import LogMessage
    from seamark.kinds.mesh import MeshPart
    from seamark.kinds.pr_curve import PrCurve
    from seamark.kinds.run_metadata import RunProfile
    from seamark.kinds.scalar import Scalar
    from seamark.kinds.session_log import SessionLog
    from seamark.kinds.tensors import RawTensor
    from seamark.kinds.text import Text

    Decoded: TypeAlias = (
        Scalar
        | Histogram
        | Images
        | AudioClips
        | Text
        | PrCurve
        | MeshPart
        | Layout
        | Experiment
        | SessionStart
        | SessionEnd
        | Graph
        | KerasModel
        | RunProfile
        | SessionLog
        | LogMessage
        | RawTensor
    )


class _Door(NamedTuple):
    module: str
    function: str = "decode"
    takes_metadata: bool = False
    # For kinds whose payload is a message of its own, but may also come inside a tensor.
    tensor_function: str | None = None


_DOORS = {
    "scalars": _Door("scalar"),
    "histograms": _Door("histogram"),
    "images": _Door("image"),
    "audio": _Door("audio"),
    "text": _Door("text"),
    "pr_curves": _Door("pr_curve"),
    "mesh": _Door("mesh", takes_metadata=True),
    "custom_scalars": _Door("custom_scalars"),
    "hparams": _Door("hparams", takes_metadata=True),
    "graphs": _Door("graph", tensor_function="decode_value"),
    "meta_graph": _Door("graph", "decode_meta_graph"),
    "graph_keras_model": _Door("keras_model"),
    "graph_run_metadata": _Door("run_metadata"),
    "graph_run_metadata_graph": _Door("run_metadata"),
    "graph_tagged_run_metadata": _Door("run_metadata", "decode_tagged", tensor_function="decode"),
    "session_log": _Door("session_log"),
    "log_message": _Door("log_message"),
    "tensors": _Door("tensors", takes_metadata=True),
}
KINDS = tuple(_DOORS)


def decode(kind: str, data: bytes, *, form: Form | None = None, metadata: bytes = b"") -> Decoded:
    """What a stored payload says. Raises DecodeError and nothing else, whatever the bytes.

    `metadata` is that of the tag's first value, for kinds that need it when later values leave it out. `form` tells
    apart the two ways a graph or run metadata may be stored. An unknown kind gives its raw tensor.
    """
    door = _DOORS.get(kind, _DOORS["tensors"])
    name = door.tensor_function if door.tensor_function and form is Form.TENSOR else door.function
    function: Callable[..., Decoded] = getattr(import_module(f"seamark.kinds.{door.module}"), name)
    return function(data, metadata) if door.takes_metadata else function(data)
