"""Which process the kernel ends first where memory runs out (Linux, proc_pid_oom_score_adj(5))."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Final

_PROC: Final = Path("/proc")
WORKER: Final = 1000
"""The highest: a process that answers, with 0, may hold most of a small group of processes."""


def be_ended_first(process: int | None = None) -> None:
    """Let this process, or one that it started, be ended before one that answers requests."""
    score = _PROC / str(process or "self") / "oom_score_adj"
    if not score.exists():
        return  # not Linux
    try:
        score.write_text(str(WORKER))
    except OSError as error:
        logging.getLogger("winnow.jobs").warning("A process keeps its OOM score: %s", error)
