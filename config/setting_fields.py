"""How a setting is declared: default, purpose, bounds."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Note:
    """What a declaration says of a setting besides its type and default; bounds are inclusive.

    ``protected``: a change needs proof that it is the owner's (SettingEntry.is_protected).
    ``path``: where it stands, if not in its section's own table: in one of the core, by any name.
    """

    purpose: str
    minimum: float | None = None
    maximum: float | None = None
    choices: tuple[str, ...] = ()
    protected: bool = False
    path: str = ""


def setting(  # noqa: PLR0913 - what may be said of a setting, by name
    default: T,
    purpose: str,
    *,
    minimum: float | None = None,
    maximum: float | None = None,
    choices: tuple[str, ...] = (),
    protected: bool = False,
    path: str = "",
) -> T:
    """Declare one field of a section: ``port: int = setting(8080, "Port to listen on.")``.

    ``purpose`` is one or more whole sentences; it becomes the comment in ``default.toml``.
    """
    note = Note(purpose, minimum, maximum, choices, protected, path)
    return field(default=default, metadata={"note": note})
