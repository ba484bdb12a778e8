"""The name of an extraction method as clients may see it: no path of the server's files in it."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

_FOLDERS: Final = re.compile(r"[^,=]*[/\\]")
_ABSOLUTE: Final = re.compile(r"(?<![\w:/])/(?:[^\s/'\"]+/)+")
"""The folders of an absolute path in a sentence; the slashes of a URL stand behind others."""


@lru_cache(maxsize=64)
def public_name(specification: str) -> str:
    """``specification`` (``NAME:KEY=VALUE,...``) with every file by its base name.

    A parameter of a method may name a file of the server, such as ``crunch:ads=/var/ads.txt``;
    responses would otherwise tell every client where it stands.
    """
    name, colon, parameters = specification.partition(":")
    return name + colon + _FOLDERS.sub("", parameters)


def without_folders(message: str) -> str:
    """An error's sentence with every absolute path by its base name."""
    return _ABSOLUTE.sub("", message)
