"""Decoding returns a value or raises DecodeError, for any bytes."""

import warnings
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from seamark.format.messages import (
    GraphDef,
    HistogramProto,
    MetaGraphDef,
    NodeDef,
    RunMetadata,
    Summary,
    TaggedRunMetadata,
)
from seamark.format.types import Form
from seamark.kinds import (
    DecodeError,
    audio,
    custom_scalars,
    decode,
    graph,
    histogram,
    hparams,
    image,
    keras_model,
    log_message,
    mesh,
    metadata,
    pr_curve,
    registry,
    run_metadata,
    scalar,
    session_log,
    tensors,
    text,
)
from seamark.kinds.custom_scalars import Category, Chart, Layout, Multiline
from seamark.kinds.projector import config as projector_config

ONE_GRAPH = GraphDef(node=[NodeDef(name="a", op="Const")])
PAYLOADS: dict[str, list[bytes]] = {
    "scalars": [
        scalar.encode("s", 1.5).SerializeToString(),
        Summary.Value(tag="s", simple_value=1.5).SerializeToString(),
    ],
    "histograms": [
        histogram.encode("h", [1.0, 2.0], buckets=3).SerializeToString(),
        Summary.Value(histo=HistogramProto(min=1, max=2, bucket_limit=[1, 2], bucket=[1, 1])).SerializeToString(),
    ],
    "images": [
        image.encode("i", np.zeros((2, 2), np.uint8)).SerializeToString(),
        Summary.Value(image=Summary.Image(width=1, height=1, encoded_image_string=b"BM")).SerializeToString(),
    ],
    "audio": [
        audio.encode("a", [0.5], sample_rate_hz=8000, labels=["l"]).SerializeToString(),
        Summary.Value(audio=Summary.Audio(encoded_audio_string=b"fLaC")).SerializeToString(),
    ],
    "text": [text.encode("t", [["a", "b"]]).SerializeToString()],
    "pr_curves": [pr_curve.encode("p", [1, 0], [0.5, 0.25], thresholds=3).SerializeToString()],
    "mesh": [value.SerializeToString() for value in mesh.encode("m", np.zeros((1, 2, 3)), faces=[[0, 1, 0]])],
    "custom_scalars": [
        custom_scalars.encode(Layout((Category("c", (Chart("t", Multiline(("x",))),)),))).SerializeToString()
    ],
    "hparams": [
        hparams.encode(hparams.Experiment((hparams.HParamInfo("lr", domain=(1.0,)),))).SerializeToString(),
        hparams.encode(hparams.SessionStart({"lr": 1.0, "o": "x"})).SerializeToString(),
        hparams.encode(hparams.SessionEnd(hparams.Status.SUCCESS)).SerializeToString(),
    ],
    "graphs": [graph.encode(ONE_GRAPH)],
    "meta_graph": [MetaGraphDef(graph_def=ONE_GRAPH).SerializeToString()],
    "graph_keras_model": [keras_model.encode('{"config": {"layers": []}}').SerializeToString()],
    "graph_run_metadata": [run_metadata.encode("r", RunMetadata(partition_graphs=[ONE_GRAPH])).SerializeToString()],
    "graph_run_metadata_graph": [run_metadata.encode("r", RunMetadata(), graph_only=True).SerializeToString()],
    "graph_tagged_run_metadata": [
        TaggedRunMetadata(tag="t", run_metadata=RunMetadata().SerializeToString()).SerializeToString()
    ],
    "session_log": [session_log.encode(session_log.SessionLog(session_log.SessionStatus.START)).SerializeToString()],
    "log_message": [log_message.encode(log_message.LogMessage(log_message.Level.INFO, "m")).SerializeToString()],
    "tensors": [tensors.encode("t", np.arange(4), plugin_name="p").SerializeToString()],
}
MODULES = {
    "scalars": "seamark.kinds.scalar",
    "histograms": "seamark.kinds.histogram",
    "images": "seamark.kinds.image",
    "audio": "seamark.kinds.audio",
    "text": "seamark.kinds.text",
    "pr_curves": "seamark.kinds.pr_curve",
    "mesh": "seamark.kinds.mesh",
    "custom_scalars": "seamark.kinds.custom_scalars",
    "hparams": "seamark.kinds.hparams",
    "graphs": "seamark.kinds.graph",
    "meta_graph": "seamark.kinds.graph",
    "graph_keras_model": "seamark.kinds.keras_model",
    "graph_run_metadata": "seamark.kinds.run_metadata",
    "graph_run_metadata_graph": "seamark.kinds.run_metadata",
    "graph_tagged_run_metadata": "seamark.kinds.run_metadata",
    "session_log": "seamark.kinds.session_log",
    "log_message": "seamark.kinds.log_message",
    "tensors": "seamark.kinds.tensors",
}
SAMPLES = [(kind, payload) for kind, payloads in PAYLOADS.items() for payload in payloads]
each_sample = pytest.mark.parametrize(("kind", "payload"), SAMPLES, ids=[kind for kind, _ in SAMPLES])


def check_decoding(call: Callable[[], object]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            call()
        except DecodeError as error:
            assert str(error)


def test_there_is_a_sample_of_every_kind() -> None:
    assert set(registry.KINDS) == set(PAYLOADS)


@each_sample
def test_every_sample_is_decoded_by_the_module_of_its_kind(kind: str, payload: bytes) -> None:
    assert type(decode(kind, payload)).__module__ == MODULES[kind]


@each_sample
def test_a_payload_truncated_anywhere(kind: str, payload: bytes) -> None:
    for length in range(len(payload)):
        check_decoding(lambda length=length: decode(kind, payload[:length]))  # type: ignore[misc]


@each_sample
def test_a_payload_with_any_byte_replaced(kind: str, payload: bytes) -> None:
    for at in range(len(payload)):
        for new in (0x00, 0x7F, 0xFF, payload[at] ^ 1, payload[at] ^ 0x80):
            broken = payload[:at] + bytes([new]) + payload[at + 1 :]
            check_decoding(lambda broken=broken: decode(kind, broken))  # type: ignore[misc]


@pytest.mark.parametrize("kind", registry.KINDS)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.binary(max_size=200), first=st.binary(max_size=40), form=st.sampled_from(Form))
def test_arbitrary_bytes(kind: str, data: bytes, first: bytes, form: Form) -> None:
    check_decoding(lambda: decode(kind, data, form=form, metadata=first))


@settings(max_examples=400, deadline=None)
@given(sample=st.sampled_from(SAMPLES), kind=st.sampled_from(registry.KINDS), data=st.data())
def test_mutated_payloads_decoded_as_another_kind(sample: tuple[str, bytes], kind: str, data: st.DataObject) -> None:
    payload = bytearray(sample[1])
    for _ in range(data.draw(st.integers(0, 4))):
        if payload:
            payload[data.draw(st.integers(0, len(payload) - 1))] = data.draw(st.integers(0, 255))
    check_decoding(lambda: decode(kind, bytes(payload)))


@settings(max_examples=200, deadline=None)
@given(data=st.binary(max_size=100) | st.text(alphabet='embdings{}:"123 \n_tor', max_size=80).map(str.encode))
def test_arbitrary_projector_configs_and_metadata(data: bytes) -> None:
    check_decoding(lambda: projector_config.decode(data))
    check_decoding(lambda: metadata.decode(data))
