"""Which links to own pages stand in the menus, as the features bring them. Light: the command
line imports it."""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from winnow.proxy.own.catalogue import Catalogue
    from winnow.proxy.own.languages import Language


class Menu(StrEnum):
    """Where links to own pages stand: at the top of each, and on the settings pages."""

    HEADER = "header"
    SETTINGS = "settings"


@dataclass(frozen=True, slots=True)
class MenuEntry:
    """A link; ``text`` is English, marked by ``N_``. A lower ``order`` stands first."""

    menu: Menu
    text: str
    order: int


def in_header(text: str, order: int) -> MenuEntry:
    """A link at the top of every own page."""
    return MenuEntry(Menu.HEADER, text, order)


def in_settings(text: str, order: int) -> MenuEntry:
    """A link between the settings pages."""
    return MenuEntry(Menu.SETTINGS, text, order)


@dataclass(frozen=True, slots=True, eq=False)
class Menus:
    """The text of each link by path, in order. ``addresses``: all own ones that there are; one
    with a slash at its end stands for all below it. ``texts``: catalogues of packages. ``search``:
    the address of the search engine, ``%s`` for the words; "" for none."""

    header: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, str] = field(default_factory=dict)
    addresses: frozenset[str] = frozenset()
    texts: Mapping[Language, tuple[Catalogue, ...]] = field(default_factory=dict)
    search: str = ""


NO_MENUS: Final = Menus()
MENUS: Final[ContextVar[Menus]] = ContextVar("menus", default=NO_MENUS)
"""Those of the program that answers the request."""
