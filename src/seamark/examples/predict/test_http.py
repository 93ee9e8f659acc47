"""Models behind HTTP: a server that behaves as TensorFlow Serving, and servers that fail."""

from __future__ import annotations

import base64
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np
import pytest

from seamark.examples.form import ExampleSet, PredictError
from seamark.examples.predict import http_client
from seamark.examples.predict.cancel import CancelledError, cancelled_by
from seamark.examples.predict.conftest import ROWS, make_pictures, make_set
from seamark.examples.predict.http_backend import HttpBackend
from seamark.examples.predict.live_model import LiveModel
from seamark.examples.predict.process_backend import Limits
from seamark.examples.predict.spec import parse_model
from seamark.tables.build import column_of_names

pytestmark = pytest.mark.timed

ALL = np.arange(ROWS, dtype=np.int64)
Answer = Callable[["Handler", Any], None]
METADATA = "/v1/models/net/metadata"
PREDICT = "/v1/models/net:predict"


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.requests.append((self.path, dict(self.headers), json.loads(body)))  # type: ignore[attr-defined]
        self.server.answer(self, json.loads(body))  # type: ignore[attr-defined]

    def do_GET(self) -> None:
        inputs = self.server.inputs  # type: ignore[attr-defined]
        if inputs is None or self.path != METADATA:
            self.send(404, b'{"error": "not here"}')
            return
        signature = {"inputs": inputs, "outputs": {}}
        content = {"metadata": {"signature_def": {"signature_def": {"serving_default": signature}}}}
        self.send(200, json.dumps(content).encode())

    def send(self, status: int, body: bytes, kind: str = "application/json", **headers: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def json(self, content: Any) -> None:
        self.send(200, json.dumps(content).encode())

    def log_message(self, *_: Any) -> None:
        """Silent."""


class Server(ThreadingHTTPServer):
    daemon_threads = True
    answer: Answer
    inputs: dict[str, Any] | None = None

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.requests: list[tuple[str, dict[str, str], Any]] = []

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    def model(self, path: str, examples: ExampleSet, *, user: str = "", timeout_secs: float = 30) -> LiveModel:
        spec = parse_model(f"http://{user}127.0.0.1:{self.port}{path}")
        return LiveModel(HttpBackend(spec, Limits(timeout_secs=timeout_secs)), examples)


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def tensor(*sizes: int) -> dict[str, Any]:
    return {"dtype": "DT_FLOAT", "tensor_shape": {"dim": [{"size": str(size)} for size in sizes]}}


def error_of(model: LiveModel) -> str:
    with pytest.raises(PredictError) as caught:
        model.predict(ALL)
    return str(caught.value)


# TensorFlow Serving


def test_one_input_of_all_features_gets_lists_and_logits_become_probabilities(server: Server) -> None:
    server.inputs = {"dense_input": tensor(-1, 3)}
    server.answer = lambda handler, body: handler.json({"predictions": [[3 * row[0]] for row in body["instances"]]})
    examples = make_set(has_names=False)
    model = server.model(PREDICT, examples)
    x = examples.table.by_name["x"].numbers
    assert x is not None
    predictions = model.predict(ALL)
    np.testing.assert_allclose(predictions.scores, 1 / (1 + np.exp(-3 * x)))
    assert model.note == "the scores are mapped to probabilities by the logistic function"
    assert model.predict(np.array([0]), {"x": [0.0]}).scores[0] == 0.5
    assert {path for path, _, _ in server.requests} == {PREDICT}


def test_an_input_for_each_feature_gets_objects(server: Server) -> None:
    server.inputs = {"x": tensor(-1, 1), "job": tensor(-1)}
    server.answer = lambda handler, body: handler.json({"predictions": [[0.2, 0.8]] * len(body["instances"])})
    model = server.model(PREDICT, make_set())
    assert (model.predict(ALL, {"job": ["pilot"] * ROWS}).scores == 0.8).all()
    assert set(server.requests[-1][2]["instances"][0]) == {"x", "job"}
    assert isinstance(server.requests[-1][2]["instances"][0]["x"], list)
    assert server.requests[-1][2]["instances"][0]["job"] == "pilot"


def test_several_outputs_with_classes(server: Server) -> None:
    rows = {"scores": [0.1, 0.2, 0.7], "classes": ["cat", "dog", "bird"]}
    server.answer = lambda handler, body: handler.json({"predictions": [rows] * len(body["instances"])})
    truth = column_of_names("label", [("cat", "dog", "bird")[row % 3] for row in range(ROWS)])
    predictions = server.model(PREDICT, make_set(truth)).predict(ALL)
    assert predictions.task == "multiclass" and predictions.classes == ("cat", "dog", "bird")
    np.testing.assert_allclose(predictions.scores[0], [0.1, 0.2, 0.7])


# Any endpoint


def test_any_endpoint_gets_objects_with_all_features_in_batches(server: Server) -> None:
    def answer(handler: Handler, body: Any) -> None:
        handler.json({"predictions": [float((row["x"] or 0) > 0) for row in body["instances"]]})

    server.answer = answer
    examples = make_set()
    model = server.model("/score?version=2", examples, user="ada:l0ve@")
    rows = np.concatenate([ALL] * 12)
    scores = model.predict(rows, {"x": [None] * len(rows)}).scores
    assert (scores == 0).all() and len(scores) == 12 * ROWS
    sizes = [len(body["instances"]) for _, _, body in server.requests]
    assert sizes == [64, 1000, 1000, 400]
    path, headers, body = server.requests[-1]
    assert path == "/score?version=2" and headers["Authorization"] == "Basic YWRhOmwwdmU="
    assert set(body["instances"][0]) == {"x", "y", "is_new", "job"} and body["instances"][0]["x"] is None


def test_pictures_are_sent_as_tensorflow_serving_takes_bytes(server: Server) -> None:
    server.answer = lambda handler, body: handler.json({"predictions": [3.5] * len(body["instances"])})
    examples, files = make_pictures()
    server.model("/score", examples).predict(np.arange(4))
    sent = [row["image"] for row in server.requests[-1][2]["instances"]]
    assert sent[1] is None and sent[2] is None
    assert [base64.b64decode(sent[row]["b64"]) for row in (0, 3)] == list(files.values())


def test_names_from_several_batches_are_joined(server: Server) -> None:
    def answer(handler: Handler, body: Any) -> None:
        handler.json({"predictions": ["yes" if (row["x"] or 0) > 0 else "no" for row in body["instances"]]})

    server.answer = answer
    truth = column_of_names("label", ["yes" if row % 3 == 0 else "no" for row in range(ROWS)], "category")
    rows = np.zeros(1500, np.int64)
    changed = {"x": [-1.0] * 1000 + [1.0] * 500}
    scores = server.model("/score", make_set(truth)).predict(rows, changed).scores
    assert scores.tolist() == [0.0] * 1000 + [1.0] * 500


FAILURES: dict[str, tuple[Answer, str]] = {
    "500": (lambda h, b: h.send(500, b'{"error": "out of cheese"}'), "the endpoint answered 500: 'out of cheese'"),
    "HTML": (
        lambda h, b: h.send(200, b"<html><script>alert(1)</script>", "text/html"),
        "the endpoint answered text/html, want JSON: '<html><script>alert(1)</script>'",
    ),
    "no predictions": (lambda h, b: h.json({"result": 1}), 'answered JSON without "predictions"'),
    "wrong rows": (lambda h, b: h.json({"predictions": [1, 2]}), "returned 2 for 64 rows, want one prediction"),
    "several outputs": (
        lambda h, b: h.json({"predictions": [{"a": 1, "b": 2}] * 64}),
        "answered several outputs for each row, want one called scores: a, b",
    ),
    "redirect": (
        lambda h, b: h.send(302, b"", Location="http://169.254.169.254/latest"),
        "redirects to 'http://169.254.169.254/latest'; that is not followed, name the address itself",
    ),
    "closes": (lambda h, b: close(h), "closed the connection"),
    "cut": (lambda h, b: cut(h), "stopped in the middle of its answer"),
    "hangs": (lambda h, b: time.sleep(2), "has not answered within 0.5 s"),
    "drips": (lambda h, b: drip(h), "has not answered within 0.5 s"),
    "huge": (lambda h, b: h.json({"predictions": ["x" * 1000] * 64}), "sent more than 0 MB"),
}


def close(handler: Handler) -> None:
    handler.connection.shutdown(socket.SHUT_RDWR)
    handler.close_connection = True


def cut(handler: Handler) -> None:
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"predictions"')
    handler.close_connection = True


def drip(handler: Handler) -> None:
    handler.send_response(200)
    handler.end_headers()
    for _ in range(100):
        try:
            handler.wfile.write(b" ")
        except OSError:
            return
        time.sleep(0.02)


@pytest.mark.parametrize("failure", FAILURES)
def test_failures_are_one_sentence_without_credentials(
    failure: str, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_client, "MAX_RESPONSE_BYTES", 10_000)
    server.answer, sentence = FAILURES[failure]
    is_slow = failure in ("hangs", "drips")
    model = server.model("/score", make_set(), user="ada:l0ve@", timeout_secs=0.5 if is_slow else 30)
    error = error_of(model)
    assert sentence in error
    assert "l0ve" not in error
    if failure == "redirect":
        assert len(server.requests) == 1


def test_a_refused_connection_is_one_sentence() -> None:
    with socket.socket() as free:  # bound, but nobody listens
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}/score"
        spec = parse_model(f"http://ada:l0ve@{address}")
        error = error_of(LiveModel(HttpBackend(spec, Limits()), make_set()))
    assert error == f"the endpoint refused the connection; is it running?: 'http://{address}'"


def test_a_kept_connection_that_the_server_closed_is_opened_again(server: Server) -> None:
    def answer(handler: Handler, body: Any) -> None:
        handler.json({"predictions": [0.5] * len(body["instances"])})
        handler.close_connection = True  # without saying so

    server.answer = answer
    model = server.model("/score", make_set())
    for _ in range(3):
        assert (model.predict(ALL).scores == 0.5).all()


def test_a_request_can_be_cancelled(server: Server) -> None:
    release, asked, event = threading.Event(), threading.Event(), threading.Event()

    def answer(handler: Handler, body: Any) -> None:
        asked.set()
        release.wait(30)

    server.answer = answer
    model = server.model("/score", make_set())
    threading.Thread(target=lambda: asked.wait(30) and event.set()).start()
    with cancelled_by(event), pytest.raises(CancelledError):
        model.predict(ALL)
    release.set()
