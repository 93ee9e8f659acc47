"""ExampleFiles: the examples that one writer has written into a run's folder."""

from __future__ import annotations

from pathlib import Path

import msgspec

from seamark.format.replace_file import replace_file
from seamark.format.surrogates import replace_surrogates
from seamark.kinds import example_files as layout
from seamark.write.encode.embedding.files import folder_name
from seamark.write.encode.examples.columns import encode_columns
from seamark.write.encode.examples.content import ExamplesContent
from seamark.write.queue.recorder import Recorder


class ExampleFiles:
    """The recorder's thread writes the files, in the order of the calls."""

    def __init__(self, folder: str) -> None:
        self._folder = Path(folder) / layout.FOLDER

    def add(self, recorder: Recorder | None, name: str, content: ExamplesContent, *, step: int) -> None:
        """Returns at once. Without a recorder nothing is written."""
        if recorder is not None:
            recorder.add_task(lambda: self._write(name, content, step), content.nbytes)

    def _write(self, name: str, content: ExamplesContent, step: int) -> None:
        """The predictions come last: a reader finds their table in any case."""
        name = replace_surrogates(name)
        folder = self._folder / folder_name(name)
        folder.mkdir(parents=True, exist_ok=True)
        columns = tuple(c for column, values in content.columns.items() for c in encode_columns(column, values))
        examples = layout.ExampleTable(columns, content.rows, replace_surrogates(content.truth))
        digest = layout.table_digest(examples)
        table = folder / f"{digest}{layout.TABLE_SUFFIX}"
        if not table.exists():
            replace_file(table, layout.encode_table(examples))
        if not (folder / layout.SET_FILE).exists():
            replace_file(folder / layout.SET_FILE, msgspec.json.encode(layout.SetFile(name)))
        models = {replace_surrogates(model): scores for model, scores in content.models.items()}
        scores = layout.encode_scores(layout.ExampleScores(digest, models))
        replace_file(folder / f"{step}{layout.SCORES_SUFFIX}", scores)
