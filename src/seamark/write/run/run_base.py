"""The state that the parts of a run share."""

from __future__ import annotations

import os
import threading
from pathlib import Path

from seamark.format.run_record import RunRecord
from seamark.write.queue.warn_once import WarnOnce
from seamark.write.run.mirror.mirror import Mirror
from seamark.write.run.run_recorder import RunRecorder


class RunBase:
    """`_recorder` is None when the run is disabled: then nothing is written."""

    _record: RunRecord
    _recorder: RunRecorder | None
    _mirror: Mirror | None
    _warn_once: WarnOnce
    _lock: threading.RLock
    _project_dir: Path | None = None  # the folder of the project's runs; also set for a disabled run
    _is_over: bool = False
    pid: int

    @property
    def is_live(self) -> bool:
        """True until the run has ended."""
        return not self._is_over

    @property
    def _is_own_process(self) -> bool:
        """False in a forked child, where the run is the parent's."""
        return os.getpid() == self.pid

    def _touch(self) -> None:
        """Has run.json written soon."""
        if self._recorder is not None:
            self._recorder.touch()

    def _can_log(self) -> bool:
        if os.getpid() != self.pid:
            self._warn_once.warn("fork", "a forked process cannot log to its parent's run; its values are ignored")
            return False
        if self._is_over:
            self._warn_once.warn("over", "the run is finished; values logged later are ignored")
            return False
        return True
