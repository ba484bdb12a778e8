"""Secrets in files of their own: ``storage.redis_file``, or a credential of systemd (systemd.exec).

A credential is a file of ``$CREDENTIALS_DIRECTORY`` that is named after its setting.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

SECRETS: Final = (
    "access.users",
    "access.api_keys",
    "storage.redis",
    "cache.redis",
    "learning.redis",
    "upstream.proxy",
)
"""Settings with hashes of passwords, or with addresses that may hold one."""
ORIGIN: Final = "secret in "
"""Before the file's name, where a setting comes from."""
ENDING: Final = "_file"
_FOLDER: Final = "CREDENTIALS_DIRECTORY"


def credentials(environment: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Settings that are credentials, as ``storage.redis_file``, and their files."""
    folder = Path(environment.get(_FOLDER, ""))
    for path in SECRETS if environment.get(_FOLDER) else ():
        if (folder / path).is_file():
            yield path + ENDING, str(folder / path)


def named_by(path: str) -> str:
    """The setting that ``path`` names a file of; "" for any other setting."""
    base = path.removesuffix(ENDING)
    return base if base != path and base in SECRETS else ""


def lines_of(file: object) -> list[str]:
    """The lines of a secret's file, without blank ones. Raises ValueError, which quotes none."""
    try:
        lines = Path(str(file)).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise ValueError(f"cannot read {file}: {reason}") from error
    return [line.strip() for line in lines if line.strip()]
