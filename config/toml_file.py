"""Reads a TOML file."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from winnow.config.errors import UnreadableFileError


def parsed(file: Path) -> dict[str, Any]:
    """The file's content. Raises UnreadableFileError."""
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        reason = error.strerror or "unreadable"
        raise UnreadableFileError(f"cannot read {file}: {reason}") from error
    except ValueError as error:
        raise UnreadableFileError(f"{file} is not valid TOML: {error}") from error
