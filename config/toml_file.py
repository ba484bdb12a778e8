"""A TOML file, or a sentence that says why it cannot be read. Knows no setting and no rule."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from winnow.config.errors import UnreadableFileError


def parsed(file: Path) -> dict[str, Any]:
    """What a file holds. Raises UnreadableFileError."""
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        reason = error.strerror or "unreadable"
        raise UnreadableFileError(f"cannot read {file}: {reason}") from error
    except ValueError as error:
        raise UnreadableFileError(f"{file} is not valid TOML: {error}") from error
