"""The indented commands of the documents, and how each is treated by their test."""

from __future__ import annotations

import ast
import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent
from typing import Final

ROOT: Final = Path(__file__).parents[2]
DOCUMENTS: Final = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(ROOT.glob("docs/*.md"))]
EXCEPTIONS: Final[Mapping[str, Mapping[str, str]]] = tomllib.loads(
    (Path(__file__).with_name("typed_commands.toml")).read_text("utf-8")
)
_PROGRAM: Final = re.compile(
    r"(\w+=\S+ )*((\$|\.venv/bin/)?(winnow|python3?|dask)|make|curl|eval|docker|export|apt(-get)?"
    r"|git|pipx?|cat|cp|rm|systemctl|groupadd|install|iptables|sudo|dnf|pacman|apk|zypper|timbl|uv"
    r")( |$)|winnow=|cd "
)


@dataclass(frozen=True, slots=True)
class Block:
    """An indented block of a document; ``line`` is its first one's number."""

    document: Path
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.document.relative_to(ROOT)}:{self.line}"

    @property
    def commands(self) -> list[str]:
        """Its commands, each with its continuation lines; none where it is something else."""
        if not _PROGRAM.match(self.text):
            return []
        whole = re.sub(r"\\\n\s*", "", self.text)
        parts = re.split(r"\n(?=\S)", whole) if "<<" not in whole else [whole]
        return [part for part in parts if part.strip()]


def blocks(document: Path) -> Iterator[Block]:
    """Each indented block that an empty line stands before, in order."""
    text = document.read_text("utf-8")
    for found in re.finditer(r"(?<=\n\n)(?:    .*\n(?:\n+(?=    ))?)+", text):
        yield Block(document, text.count("\n", 0, found.start()) + 1, dedent(found[0]).strip("\n"))


_DATA: Final = re.compile(
    r"icap_enable |http_port |"
    r"rule_files:|\{%|\{\"type\": |Text of http://|Links \d+ to|\d+ of \d+ places"
)
"""How other data begin."""


def is_data(text: str) -> bool:
    """Whether a block is settings, JSON, YAML, Python, a template or an answer of Winnow's."""
    for read in (tomllib.loads, json.loads, ast.parse):
        try:
            read(text)
        except (ValueError, SyntaxError):
            continue
        return True
    return bool(_DATA.match(text))


def exception(command: str) -> tuple[str, str]:
    """How a command is treated that is not simply run, and the reason; "" for all others."""
    for kind, begins in EXCEPTIONS.items():
        for start, reason in begins.items():
            if command.startswith(start):
                return kind, reason
    return "", ""
