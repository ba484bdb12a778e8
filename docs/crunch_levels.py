"""The table of docs/crunch.md: which filter works at which level, from the ladder itself.

``python -m docs.crunch_levels`` updates the table between its two marks.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from winnow.extractors.crunch.relax_levels import LEVELS, PRESETS, Filter, level

FILE: Final = Path(__file__).parent / "crunch.md"
BEGIN: Final = "<!-- levels: python -m docs.crunch_levels -->"
END: Final = "<!-- end of levels -->"


def table() -> str:
    """A row for each filter and option, a column for each level; a dot where a filter works."""
    head = ["filter", *map(str, LEVELS)]
    rows = [
        [str(matter), *("●" if matter in level(number).filters else "" for number in LEVELS)]
        for matter in Filter
    ]
    rows.append(["most links per word", *(f"{level(number).ratio:g}" for number in LEVELS)])
    rows.append(["ALT texts", *("●" if level(number).alt_texts else "" for number in LEVELS)])
    named = {place: [name for name in PRESETS if PRESETS[name] == place] for place in LEVELS}
    rows.append(["presets", *(", ".join(named[number]) for number in LEVELS)])
    lines = [head, ["---", *[":-:"] * len(LEVELS)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def current(text: str) -> str:
    """The page with the table as the code has it now."""
    before, _, rest = text.partition(BEGIN)
    _, _, behind = rest.partition(END)
    return f"{before}{BEGIN}\n{table()}\n{END}{behind}"


def main() -> None:
    """Update the page."""
    FILE.write_text(current(FILE.read_text("utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
