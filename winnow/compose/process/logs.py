"""Log lines on standard error, as text or JSON, each with the number of its request."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final, TextIO

from winnow.config.server_settings import LogFormat, LogLevel
from winnow.proxy.access.requester import REQUEST_ID

_STANDARD: Final = frozenset(
    {*vars(logging.makeLogRecord({})), "message", "asctime", "color_message", "taskName"}
)
_COLOURS: Final = {"warning": "33", "error": "31", "critical": "31;1"}


def configure(
    level: LogLevel, shape: LogFormat, out: TextIO = sys.stderr, process: int | None = None
) -> None:
    """Send every logger's lines to ``out``, with the number of the ``process``, if any.

    To be called by the command that serves, and again when the settings have changed.
    """
    terminal = out.isatty()
    as_text = shape is LogFormat.TEXT or (shape is LogFormat.AUTO and terminal)
    handler = logging.StreamHandler(out)
    handler.setFormatter(TextFormatter(process, terminal) if as_text else JsonFormatter(process))
    logging.basicConfig(level=level.value.upper(), handlers=[handler], force=True)


class JsonFormatter(logging.Formatter):
    """One JSON object a line: event, level, logger, timestamp, extra fields and traceback."""

    def __init__(self, process: int | None) -> None:
        super().__init__()
        self._process = process

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "event": record.getMessage(),
            "level": record.levelname.lower(),
            "logger": record.name,
            "timestamp": _timestamp(record),
            **self.fields(record),
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, default=repr)

    def fields(self, record: logging.LogRecord) -> Mapping[str, object]:
        """The record's ``extra`` fields, the process's number and that of the request served."""
        fields = {name: value for name, value in vars(record).items() if name not in _STANDARD}
        if self._process is not None:
            fields["process"] = self._process
        number = REQUEST_ID.get()
        return {"request": number, **fields} if number else fields


class TextFormatter(JsonFormatter):
    """``TIME [level    ] event    [logger] name=value ...``; the traceback below it."""

    def __init__(self, process: int | None, colours: bool) -> None:
        super().__init__(process)
        self._colours = colours

    def format(self, record: logging.LogRecord) -> str:
        level = f"{record.levelname.lower():<9}"
        colour = _COLOURS.get(level.strip(), "32") if self._colours else ""
        level = f"\x1b[{colour}m{level}\x1b[0m" if colour else level
        pairs = (f" {name}={_shown(value)}" for name, value in sorted(self.fields(record).items()))
        event = f"{record.getMessage():<30} [{record.name}]{''.join(pairs)}"
        trace = f"\n{self.formatException(record.exc_info)}" if record.exc_info else ""
        return f"{_timestamp(record)} [{level}] {event}{trace}"


def _timestamp(record: logging.LogRecord) -> str:
    """When the record was made: ISO 8601, UTC."""
    moment = datetime.fromtimestamp(record.created, UTC)
    return f"{moment:%Y-%m-%dT%H:%M:%S.%f}Z"


def _shown(value: object) -> str:
    """A value as it is, quoted where a reader could not see its end."""
    text = str(value)
    return text if text.isprintable() and " " not in text and text else repr(text)
