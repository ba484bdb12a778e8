"""A site's learned layout as a JSON file: a memory with its key, or patterns; or Webstemmer's."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Final

from winnow.extractors.errors import ParameterError
from winnow.extractors.layout.layout_memory import merge
from winnow.extractors.layout.patterns import NO_PATTERNS, Patterns

VERSION: Final = 2
"""Memories are the same since version 1; patterns stand in files of Webstemmer's form."""


@dataclass(frozen=True, slots=True)
class LearnedLayout:
    """``memory`` and the ``key`` of its hashes, or Webstemmer's ``patterns``; each may be empty."""

    memory: bytes = b""
    key: bytes = field(default=b"", repr=False)
    patterns: Patterns = NO_PATTERNS

    @property
    def digest(self) -> str:
        """A digest of the content, for fingerprints."""
        content = f"{self.to_json()}{self.patterns or ''}"
        return blake2b(content.encode(), digest_size=8).hexdigest()

    def to_json(self) -> str:
        """The memory as text; ``from_json`` reads it."""
        return json.dumps(
            {
                "version": VERSION,
                "key": b64encode(self.key).decode(),
                "memory": b64encode(self.memory).decode(),
            }
        )

    @classmethod
    def from_json(cls, text: str) -> LearnedLayout:
        """Raises ParameterError for text that is not of this form and version."""
        try:
            stored = json.loads(text)
            if stored.get("patterns") or stored["version"] not in (1, VERSION):
                raise ParameterError("The layouts are of another version: learn them again.")
            memory = b64decode(stored["memory"], validate=True)
            merge(memory, b"")
            return cls(memory, b64decode(stored["key"], validate=True))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise ParameterError("The file holds no layouts.") from error


NO_LAYOUT: Final = LearnedLayout()


@lru_cache(maxsize=16)
def load(path: str) -> LearnedLayout:
    """What a file holds; nothing for an empty path. Raises ParameterError."""
    if not path:
        return NO_LAYOUT
    try:
        text = Path(path).read_text("utf-8")
        if text.startswith("#"):
            from winnow.extractors.layout.pattern_files import from_pattern_file  # noqa: PLC0415 - a cold page needs none

            return LearnedLayout(patterns=from_pattern_file(text))
        return LearnedLayout.from_json(text)
    except (OSError, UnicodeDecodeError) as error:
        raise ParameterError(f"The layouts {path!r} cannot be read: {error}.") from error
