"""The kind of a series, the registry of decoders, and the small kinds."""

import pytest

from seamark.format import messages
from seamark.format.types import Form
from seamark.kinds import DecodeError, decode, log_message, metadata, scalar, session_log, tensors
from seamark.kinds.kind import kind_of
from seamark.kinds.tensor import from_array


def metadata_of(plugin_name: str) -> bytes:
    return metadata.encode(plugin_name).SerializeToString()


@pytest.mark.parametrize(
    ("form", "data", "kind"),
    [
        (Form.SCALAR, b"", "scalars"),
        (Form.SCALAR, metadata_of("mine"), "scalars"),
        (Form.IMAGE, b"", "images"),
        (Form.HISTO, b"", "histograms"),
        (Form.AUDIO, b"", "audio"),
        (Form.OLD_HISTO, b"", "tensors"),
        (Form.GRAPH_DEF, b"", "graphs"),
        (Form.META_GRAPH_DEF, b"", "meta_graph"),
        (Form.RUN_METADATA, b"", "graph_tagged_run_metadata"),
        (Form.SESSION_LOG, b"", "session_log"),
        (Form.LOG_MESSAGE, b"", "log_message"),
        (Form.TENSOR, b"", "tensors"),
        (Form.TENSOR, b"\xff\xff", "tensors"),
        (Form.TENSOR, metadata_of("scalars"), "tensors"),
        (Form.TENSOR, metadata_of("text"), "text"),
        (Form.TENSOR, metadata_of("pr_curves"), "pr_curves"),
        (Form.TENSOR, metadata_of("mé"), "mé"),
        (Form.TENSOR, metadata_of("one") + metadata_of("two"), "two"),
        (Form.TENSOR, metadata_of("one") + b"\x12\x01\xff", "tensors"),  # a display name that is not UTF-8
        (Form.NO_VALUE, metadata_of("hparams"), "hparams"),
        (Form.NO_VALUE, metadata_of("flight"), "flight"),
    ],
)
def test_the_kind_comes_from_form_and_plugin(form: Form, data: bytes, kind: str) -> None:
    assert kind_of(form, data) == kind


def test_metadata_is_decoded_as_it_was_encoded() -> None:
    encoded = metadata.encode("p", b"\0\xff", display_name="n", description="*d*", data_class=2)
    assert metadata.decode(encoded.SerializeToString()) == metadata.SeriesMetadata("p", b"\0\xff", "n", "*d*", 2)


def test_the_tensor_of_an_unknown_plugin_is_decoded() -> None:
    value = tensors.encode("t", [[1, 2]], plugin_name="mine", content=b"c")
    decoded = decode("mine", value.SerializeToString())
    assert isinstance(decoded, tensors.RawTensor)
    assert decoded.array is not None
    assert (decoded.array.tolist(), decoded.plugin_name, decoded.plugin_content) == ([[1, 2]], "mine", b"c")


def test_a_value_without_content_keeps_its_metadata() -> None:
    value = messages.Summary.Value(tag="t", metadata=metadata.encode("mine", b"c"))
    decoded = tensors.decode(value.SerializeToString())
    assert (decoded.array, decoded.plugin_content) == (None, b"c")


@pytest.mark.parametrize("double", [False, True])
def test_scalars_are_decoded_as_they_were_encoded(double: bool) -> None:
    assert scalar.decode(scalar.encode("s", 0.25, double=double).SerializeToString()).value == 0.25
    assert (scalar.decode(scalar.encode("s", 0.1, double=double).SerializeToString()).value == 0.1) is double


def test_scalars_are_read_from_every_form() -> None:
    simple = messages.Summary.Value(simple_value=0.5)
    assert scalar.decode(simple.SerializeToString()).value == 0.5
    for shape in ([], [1], [1, 1]):
        value = messages.Summary.Value(tensor=from_array([7], shape=shape))
        assert scalar.decode(value.SerializeToString()).value == 7.0
    with pytest.raises(DecodeError, match=r"got shape \[2\]"):
        scalar.decode(tensors.encode("t", [1, 2]).SerializeToString())
    with pytest.raises(DecodeError, match="complex128"):
        scalar.decode(tensors.encode("t", 1j).SerializeToString())


def test_session_logs_and_log_messages_are_decoded_as_they_were_encoded() -> None:
    log = session_log.SessionLog(session_log.SessionStatus.CHECKPOINT, "/m.ckpt", "saved")
    assert session_log.decode(session_log.encode(log).SerializeToString()) == log
    line = log_message.LogMessage(log_message.Level.WARN, "careful")
    assert log_message.decode(log_message.encode(line).SerializeToString()) == line
    newer = messages.LogMessage(level=77, message="?").SerializeToString()
    assert log_message.decode(newer).level is log_message.Level.UNKNOWN
