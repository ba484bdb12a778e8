"""Which process the kernel ends first where memory runs out (Linux, proc_pid_oom_score_adj(5))."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Final

_SCORE: Final = Path("/proc/self/oom_score_adj")
WORKER: Final = 1000
"""The highest: a process that answers, with 0, may hold most of a small group of processes."""


def be_ended_first() -> None:
    """Let this process be ended before one that answers requests; any process may raise its own."""
    if not _SCORE.exists():
        return  # not Linux
    try:
        _SCORE.write_text(str(WORKER))
    except OSError as error:
        logging.getLogger("winnow.jobs").warning("This process keeps its OOM score: %s", error)
