"""decode(kind, data) for every kind. The module of a kind is loaded on first use."""

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


class _Decoder(NamedTuple):
    module: str
    function: str = "decode"
    takes_metadata: bool = False
    # For kinds whose payload is either a message or a message inside a tensor.
    tensor_function: str | None = None


_DECODERS = {
    "scalars": _Decoder("scalar"),
    "histograms": _Decoder("histogram"),
    "images": _Decoder("image"),
    "audio": _Decoder("audio"),
    "text": _Decoder("text"),
    "pr_curves": _Decoder("pr_curve"),
    "mesh": _Decoder("mesh", takes_metadata=True),
    "custom_scalars": _Decoder("custom_scalars"),
    "hparams": _Decoder("hparams", takes_metadata=True),
    "graphs": _Decoder("graph", tensor_function="decode_value"),
    "meta_graph": _Decoder("graph", "decode_meta_graph"),
    "graph_keras_model": _Decoder("keras_model"),
    "graph_run_metadata": _Decoder("run_metadata"),
    "graph_run_metadata_graph": _Decoder("run_metadata"),
    "graph_tagged_run_metadata": _Decoder("run_metadata", "decode_tagged", tensor_function="decode"),
    "session_log": _Decoder("session_log"),
    "log_message": _Decoder("log_message"),
    "tensors": _Decoder("tensors", takes_metadata=True),
}
KINDS = tuple(_DECODERS)


def decode(kind: str, data: bytes, *, form: Form | None = None, metadata: bytes = b"") -> Decoded:
    """Decodes a stored payload. Raises DecodeError and no other error, for any bytes.

    `metadata` is the metadata of the tag's first value, for kinds whose later values omit it. `form` distinguishes the
    two ways to store a graph or run metadata. The payload of an unknown kind is decoded as a tensor.
    """
    decoder = _DECODERS.get(kind, _DECODERS["tensors"])
    name = decoder.tensor_function if decoder.tensor_function and form is Form.TENSOR else decoder.function
    function: Callable[..., Decoded] = getattr(import_module(f"seamark.kinds.{decoder.module}"), name)
    return function(data, metadata) if decoder.takes_metadata else function(data)
