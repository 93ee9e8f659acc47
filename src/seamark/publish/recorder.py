"""Records answers of the application for a site."""

from __future__ import annotations

import json
from typing import Any

from seamark.publish.application import Answer, Application
from seamark.publish.blobs import Spool
from seamark.publish.redaction import Redaction
from seamark.publish.request_key import Parameters, address_of, get_key, post_key

JSON = "application/json"
# The application failed, which is not what a site should repeat.
FIRST_FAILURE = 500


class Recorder:
    """Asks, redacts and spools. `label` is what the size report counts an answer as, `owner` the run it is of."""

    def __init__(self, application: Application, spool: Spool, redaction: Redaction) -> None:
        self.application = application
        self.redaction = redaction
        self.spool = spool

    def ask(self, path: str, parameters: Parameters = ()) -> Answer:
        """Asks without recording."""
        return self.application.get(address_of(path, parameters))

    def get(
        self, path: str, parameters: Parameters = (), *, label: str, owner: str | None, order: tuple[str, ...] = ()
    ) -> Any:
        """Records the answer, or the sentence of its error. Returns its JSON, None for anything else."""
        parameters = list(parameters)
        answer = self.ask(path, parameters)
        return self._record(get_key(path, parameters), answer, label=label, owner=owner, order=order)

    def post(self, path: str, body: object, *, label: str, owner: str | None, order: tuple[str, ...] = ()) -> Any:
        answer = self.application.post(path, body)
        return self._record(post_key(path, body), answer, label=label, owner=owner, order=order)

    def put(self, key: str, value: object, *, label: str, owner: str | None, order: tuple[str, ...] = ()) -> None:
        """Records a value of our own as JSON."""
        body = self.redaction.json(json.dumps(value, separators=(",", ":"), allow_nan=False).encode())
        self.spool.add(key, body, label=label, owner=owner, media=JSON, order=order)

    def _record(self, key: str, answer: Answer, *, label: str, owner: str | None, order: tuple[str, ...]) -> Any:
        if answer.status >= FIRST_FAILURE:
            return None
        is_json = answer.media_type.startswith(JSON)
        body = self.redaction.json(answer.body) if is_json else answer.body
        self.spool.add(key, body, label=label, owner=owner, media=answer.media_type, status=answer.status, order=order)
        return json.loads(body) if is_json and answer.is_ok else None
