"""docs/winnow.1 is what the parser of the command line says today."""

from __future__ import annotations

from docs.man_page import FILE, man_page
from winnow.cli import COMMANDS


def test_the_man_page_is_current() -> None:
    assert FILE.read_text() == man_page(), "run: python -m docs.man_page"


def test_every_command_is_in_it() -> None:
    page = man_page()
    assert all(f"winnow {name}" in page for name in COMMANDS)
