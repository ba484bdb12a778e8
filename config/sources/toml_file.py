"""Reads a TOML file."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from winnow.config.errors import UnreadableFileError


def parsed(file: Path) -> dict[str, Any]:
    """The file's content. Raises UnreadableFileError."""
    try:
        return parsed_text(file.read_text(encoding="utf-8"), file)
    except OSError as error:
        reason = error.strerror or "unreadable"
        raise UnreadableFileError(f"cannot read {file}: {reason}") from error
    except UnicodeDecodeError as error:
        raise UnreadableFileError(f"{file} is not valid TOML: {error}") from error


def parsed_text(text: str, file: Path) -> dict[str, Any]:
    """``text`` as the content of ``file``. Raises UnreadableFileError."""
    try:
        return tomllib.loads(text)
    except ValueError as error:
        raise UnreadableFileError(f"{file} is not valid TOML: {error}") from error
