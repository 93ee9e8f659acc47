"""Determines the kind of a series from its form in the event and the metadata of its first value."""

from seamark import _core
from seamark.format.types import Form
from seamark.kinds.payload import DecodeError

_BY_FORM: dict[int, str] = {
    # For every plugin: the points are stored as columns.
    Form.SCALAR: "scalars",
    Form.IMAGE: "images",
    Form.HISTO: "histograms",
    Form.AUDIO: "audio",
    Form.OLD_HISTO: "tensors",
    Form.GRAPH_DEF: "graphs",
    Form.META_GRAPH_DEF: "meta_graph",
    Form.RUN_METADATA: "graph_tagged_run_metadata",
    Form.SESSION_LOG: "session_log",
    Form.LOG_MESSAGE: "log_message",
}


def kind_of(form: int, metadata: bytes) -> str:
    """One of registry.KINDS, or the name of an unknown plugin."""
    if form in _BY_FORM:
        return _BY_FORM[form]
    # Not with protobuf: the metadata of hyperparameters holds their values, so each of 10,000 runs has its own.
    plugin_name = _core.plugin_name(metadata)
    if plugin_name is None:
        plugin_name = _decoded_plugin_name(metadata)
    # A tensor of the plugin "scalars" is a payload only if it is not a single number.
    return "tensors" if plugin_name in ("", "scalars") else plugin_name


def _decoded_plugin_name(metadata: bytes) -> str:
    from seamark.kinds.metadata import decode

    try:
        return decode(metadata).plugin_name
    except DecodeError:
        return ""
