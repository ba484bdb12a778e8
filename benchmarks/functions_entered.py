"""``python -m benchmarks.functions_entered [PACKAGE]``: functions, of Python and C, that
``winnow.extract(page).html`` enters once all is loaded: exact for one version of Python.

Of a page of one paragraph, and the median of 24 pages of a package below 150 kB.
"""

from __future__ import annotations

import statistics
import sys
from typing import Any, Final

from benchmarks.methods import ADDRESS
from winnow.article import extract
from winnow.evaluation.gold.packages import find, load

_WORDS: Final = "The river rose by nine cm, the town says. " * 12
PARAGRAPH: Final = (
    "<!doctype html><html lang=en><head><title>The river rose</title></head>"
    f"<body><p>{_WORDS}</p></body></html>"
).encode()
_PAGES, _BYTES = 24, 150_000


def functions_entered(page: bytes) -> int:
    """How many calls ``sys.setprofile`` sees while a page is extracted for the second time."""
    calls = 0

    def note(_frame: Any, event: str, _argument: Any) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    _ = extract(page, ADDRESS).html
    sys.setprofile(note)
    try:
        _ = extract(page, ADDRESS).html
    finally:
        sys.setprofile(None)
    return calls - 1  # the last ends the count


def main(package: str) -> None:
    """Print both figures."""
    sys.stdout.write(f"one paragraph, {len(PARAGRAPH)} bytes: {functions_entered(PARAGRAPH)}\n")
    loaded = load(find(package))
    small = [n for n in loaded.ids if (loaded.path / f"{n}.html").stat().st_size < _BYTES]
    chosen = small[:: max(1, len(small) // _PAGES)][:_PAGES]
    counts = [functions_entered(loaded.entry(name).body) for name in chosen]
    sys.stdout.write(f"median of {len(counts)} pages of {package}: {statistics.median(counts):g}\n")


if __name__ == "__main__":
    main(*sys.argv[1:] or ["wcxb-dev"])
