"""Which process the kernel ends first where memory runs out (Linux, proc_pid_oom_score_adj(5))."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Final

_SCORE: Final = Path("/proc/self/oom_score_adj")
WORKER: Final = 500
"""Of -1000 to 1000; a process that answers has 0. What it starts inherits the score."""


def be_ended_first() -> None:
    """Let this process be ended before one that answers requests; any process may raise its own."""
    if not _SCORE.exists():
        return  # not Linux
    try:
        _SCORE.write_text(str(max(WORKER, int(_SCORE.read_text()))))
    except OSError as error:
        logging.getLogger("winnow.jobs").warning("This process keeps its OOM score: %s", error)
