"""Log lines: JSON where no person reads along, a number for each request, no address in them."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from dataclasses import replace

import pytest

from tests.proxy.origins import Origin, ask, get, html, serving
from tests.unhurried import UNHURRIED
from winnow.compose.process import logs
from winnow.compose.running import running
from winnow.config.server_settings import LogFormat, LogLevel
from winnow.config.settings import Settings
from winnow.proxy.access.requester import REQUEST_ID, new_request_id

BROWSER = "Accept: text/html,*/*;q=0.8"


@pytest.fixture
def lines() -> Iterator[io.StringIO]:
    """What is logged as JSON; pytest's own handlers are put back afterwards."""
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    out = io.StringIO()
    logs.configure(LogLevel.INFO, LogFormat.JSON, out, process=3)
    yield out
    root.handlers[:] = before
    root.setLevel(level)


def read(lines: io.StringIO) -> list[dict[str, object]]:
    return [json.loads(line) for line in lines.getvalue().splitlines()]


def test_a_line_says_who_wrote_it_when_and_for_which_request(lines: io.StringIO) -> None:
    number = new_request_id()
    logging.getLogger("winnow.x").warning("It is %s.", "late", extra={"seconds": 2})
    (line,) = read(lines)
    assert line.pop("timestamp")
    assert line == {
        "event": "It is late.",
        "level": "warning",
        "logger": "winnow.x",
        "seconds": 2,
        "process": 3,
        "request": number,
    }


@pytest.mark.parametrize(
    ("shape", "terminal", "is_json"),
    [
        (LogFormat.TEXT, False, False), (LogFormat.TEXT, True, False), (LogFormat.JSON, True, True),
        (LogFormat.AUTO, True, False), (LogFormat.AUTO, False, True),
    ],
)  # fmt: skip
@pytest.mark.usefixtures("lines")
def test_a_person_at_a_terminal_gets_text(
    shape: LogFormat, terminal: bool, is_json: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = io.StringIO()
    monkeypatch.setattr(out, "isatty", lambda: terminal)
    logs.configure(LogLevel.INFO, shape, out)
    logging.getLogger("winnow.x").warning("It is late.")
    assert out.getvalue().startswith("{") is is_json


def test_a_failure_is_one_line_with_its_trace(lines: io.StringIO) -> None:
    try:
        raise ValueError("our fault")
    except ValueError:
        logging.getLogger("winnow.x").exception("It failed.")
    (line,) = read(lines)
    assert "ValueError: our fault" in str(line["exception"])


def test_a_line_for_a_terminal_names_level_event_logger_and_fields() -> None:
    record = logging.makeLogRecord(
        {"name": "winnow.x", "levelname": "INFO", "msg": "answered", "created": 1.5}
    )
    record.status, record.reason = 200, "a b"
    REQUEST_ID.set("")
    line = logs.TextFormatter(2, False).format(record)
    assert line.split() == [
        *("1970-01-01T00:00:01.500000Z", "[info", "]", "answered", "[winnow.x]"),
        *("process=2", "reason='a", "b'", "status=200"),
    ]


async def test_each_request_is_a_line_without_an_address_if_that_is_wanted(
    lines: io.StringIO,
) -> None:
    plain = Settings()
    settings = replace(
        plain,
        server=replace(plain.server, port=0, log_requests=True),
        extraction=replace(UNHURRIED, extractor="bte"),
    )
    origin = Origin({"/secret?word=1": html(b"<p>confidential")})
    async with serving(origin), running(settings) as proxy:
        await ask(proxy.port, get(origin.url("/secret?word=1"), BROWSER))
        refused = await ask(proxy.port, get("http://127.0.0.1:1/secret", BROWSER))
    reported = {line["request"]: line for line in read(lines) if line["event"] == "answered"}
    assert [line["status"] for line in reported.values()] == [200, 502]
    line = reported[refused.field("winnow-request")]
    assert (line["reason"], line["method"]) == ("origin-unreachable", "GET")
    failed = [line for line in read(lines) if line["event"] == "origin failed"]
    assert [line["request"] for line in failed] == [refused.field("winnow-request")]
    for word in ("secret", "confidential", "word=1"):
        assert word not in lines.getvalue()
