"""Which kind a series is, from its form in the event and the metadata of its first value."""

from functools import lru_cache

from seamark.format.types import Form
from seamark.kinds.payload import DecodeError

_BY_FORM = {
    # Whatever plugin it belongs to: its points are columns, and that is what the kind promises.
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


@lru_cache(maxsize=65536)
def kind_of(form: Form, metadata: bytes) -> str:
    """One of the kinds in registry.KINDS, or the name of a plugin we do not know."""
    if form in _BY_FORM:
        return _BY_FORM[form]
    if not metadata:
        return "tensors"
    from seamark.kinds.metadata import decode

    try:
        plugin_name = decode(metadata).plugin_name
    except DecodeError:
        return "tensors"
    # A "scalars" tensor that came as a payload could not be read as a number: it has no place among the columns.
    return "tensors" if plugin_name in ("", "scalars") else plugin_name
