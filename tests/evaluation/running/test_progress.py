"""The progress bar: on a terminal only, and it loses nothing."""

import io
import time

import pytest

from winnow.evaluation.running.progress import line, watched


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_elsewhere_nothing_is_drawn() -> None:
    out = io.StringIO()
    assert list(watched("abc", 3, "x", out)) == ["a", "b", "c"]
    assert out.getvalue() == ""


def test_on_a_terminal_a_bar_is_drawn_and_cleared(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = iter(range(100))
    monkeypatch.setattr(time, "monotonic", lambda: next(ticks))
    out = Terminal()
    assert list(watched("abc", 3, "dsc", out)) == ["a", "b", "c"]
    assert "dsc [==========" in out.getvalue()
    assert out.getvalue().endswith("\r\x1b[K")


@pytest.mark.parametrize(
    ("done", "seconds", "expected"),
    [
        (0, 0.0, f"dsc [{' ' * 30}] 0/100 0/s"),
        (50, 2.0, f"dsc [{'=' * 15}{' ' * 15}] 50/100 25/s 2 s left"),
    ],
)
def test_the_bar_tells_count_rate_and_time_left(done: int, seconds: float, expected: str) -> None:
    assert line("dsc", done, 100, seconds) == expected
