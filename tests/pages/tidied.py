"""Pages to be tidied, beside what is sent in their place to a browser that asked for nothing.

A folder below ``tidied`` holds ``source.html`` and ``expected.html``; ``python -m tests.pages``
writes the latter anew.
"""

from __future__ import annotations

from pathlib import Path

from winnow.document.values import Page, Rendered
from winnow.engine.pipeline import transform
from winnow.evaluation.commands.evaluate_tasks import default_recipe

FOLDER = Path(__file__).parent / "tidied"
SOURCE, EXPECTED = "source.html", "expected.html"


def names() -> list[str]:
    """The names of all pages."""
    return sorted(source.parent.name for source in FOLDER.glob(f"*/{SOURCE}"))


def rendered(name: str) -> Rendered:
    """A page as its site's reader gets it."""
    source = (FOLDER / name / SOURCE).read_bytes()
    return transform(Page(source, f"https://example.org/{name}", "utf-8"), default_recipe())


def write() -> None:
    """Write what becomes of every page now."""
    for name in names():
        (FOLDER / name / EXPECTED).write_bytes(rendered(name).body)
