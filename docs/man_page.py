"""``python -m docs.man_page``: writes ``docs/winnow.1`` from the parser of the command line."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from argparse_manpage.manpage import Manpage

from winnow.cli import COMMANDS, DISTRIBUTION, parser

FILE: Final = Path(__file__).with_name("winnow.1")


def man_page() -> str:
    """Return the manual page of section 1 in troff's man macros, without date and version."""
    os.environ["COLUMNS"] = "80"  # argparse wraps by it
    data = {
        "project_name": DISTRIBUTION,
        "manual_title": "Winnow",
        "description": "read the web without its chaff",
        "date": " ",
    }
    return str(Manpage(parser([*COMMANDS]), data)).rstrip() + "\n"


if __name__ == "__main__":
    FILE.write_text(man_page())
