"""How log lines look and where they go: standard error, as text or JSON. Knows no event."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from typing import TextIO

import structlog

from winnow.config.settings import LogFormat, LogLevel
from winnow.proxy.http.request_ids import NUMBER


def configure(
    level: LogLevel, shape: LogFormat, out: TextIO = sys.stderr, worker: int | None = None
) -> None:
    """Send every logger's lines to ``out``, with the number of the worker that we are.

    To be called by the command that serves, and again when the settings have changed.
    """
    terminal = out.isatty()
    as_text = shape is LogFormat.TEXT or (shape is LogFormat.AUTO and terminal)
    handler = logging.StreamHandler(out)
    handler.setFormatter(_formatter(as_text, terminal))
    if worker is not None:
        handler.addFilter(_marked(worker))
    logging.basicConfig(level=level.value.upper(), handlers=[handler], force=True)


def _marked(worker: int) -> Callable[[logging.LogRecord], bool]:
    def mark(record: logging.LogRecord) -> bool:
        record.worker = worker
        return True

    return mark


def _formatter(as_text: bool, colours: bool) -> logging.Formatter:
    before: list[structlog.types.Processor] = [
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.stdlib.ExtraAdder(),
        _numbered,
    ]
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=before,
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            *(_text(colours) if as_text else _json()),
        ],
    )


def _numbered(
    _logger: object, _method: str, event: structlog.types.EventDict
) -> structlog.types.EventDict:
    """Name the request that was served when the line was written."""
    number = NUMBER.get()
    return event if not number or "request" in event else {**event, "request": number}


def _text(colours: bool) -> list[structlog.types.Processor]:
    return [structlog.dev.ConsoleRenderer(colors=colours)]


def _json() -> list[structlog.types.Processor]:
    return [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
