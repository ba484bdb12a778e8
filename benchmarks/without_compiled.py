"""``make bench``'s figures where nothing is compiled: ``python -m benchmarks.without_compiled``."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Final

SOURCES: Final = Path(__file__).parents[1]


def hide_compiled() -> list[str]:
    """Let every compiled module be missing in this process, and name them.

    Only what is imported afterwards misses them.
    """
    rooms = (SOURCES / "document", SOURCES / "extractors")
    found = sorted(path for room in rooms for path in room.rglob("_*.c"))
    names = [
        ".".join(("winnow", *path.relative_to(SOURCES).with_suffix("").parts)) for path in found
    ]
    for name in names:
        sys.modules[name] = None  # type: ignore[assignment]  # None makes an import of it fail
    return names


def main() -> int:
    """Print the figures; none are stored: the committed ones are of the compiled loops."""
    if "--save" in sys.argv:
        sys.stderr.write(
            "Leave --save out: benchmarks/figures_data keeps what the compiled loops cost.\n"
        )
        return 2
    sys.stdout.write(f"without {', '.join(hide_compiled())}\n")
    bench = import_module("benchmarks.__main__")  # only now: it imports what is timed
    return int(bench.main())


if __name__ == "__main__":
    sys.exit(main())
