"""The names that scripts, browsers and stored data rely on, as the program has them now.

``python -m tests.winnow.outside_names`` adds new ones to ``outside_names.txt``. None leaves it.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import tempfile
from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Final

from tests.proxy.origins import ask, get
from winnow.cli import COMMANDS, parser
from winnow.compose.running import running
from winnow.config.feature_settings import FeatureSettings
from winnow.config.learning_settings import LearningSettings
from winnow.config.server_settings import Server
from winnow.config.setting_list import entries
from winnow.config.settings import (
    InterceptionSettings,
    Settings,
    StorageSettings,
)
from winnow.config.sources.renamed import SETTINGS
from winnow.feature_list import FEATURES, sections_of
from winnow.proxy.decisions.request.preferences import FIELDS, NAMES
from winnow.proxy.stores.library import Library

LIST: Final = Path(__file__).with_name("outside_names.txt")
ROOT: Final = Path(__file__).parents[2]
_WRITTEN: Final = re.compile(r'"(Winnow-[A-Z][A-Za-z-]+|winnow-pairing)"')
"""Fields that we write."""


def names_of_now() -> set[str]:
    """One line each: its kind, then the name."""
    return {*_addresses(), *_settings(), *_fields(), *_commands(), *_stored()}


def _addresses() -> Iterator[str]:
    for feature in FEATURES:
        for address in feature.addresses:
            yield f"address {address.path}{'...' if address.below else ''}"


def _settings() -> Iterator[str]:
    for path, entry in entries(sections_of(FeatureSettings())).items():
        yield f"setting {path}"
        yield f"variable {entry.variable}"
    yield from (f"old setting {path}" for path in SETTINGS)


def _fields() -> Iterator[str]:
    yield from (f"field {name}" for name in FIELDS)
    yield from (f"parameter {name}" for name in NAMES)
    for room in ("proxy", "features"):
        for path in (ROOT / room).rglob("*.py"):
            yield from (f"field {name.lower()}" for name in _WRITTEN.findall(path.read_text()))


def _commands() -> Iterator[str]:
    for action in parser([*COMMANDS])._actions:  # argparse has no public name for it
        if isinstance(action, argparse._SubParsersAction):
            for name, command in action.choices.items():
                yield f"command {name}"
                for option in command._actions:
                    yield from (f"command {name} {word}" for word in option.option_strings)


def _stored() -> Iterator[str]:
    yield from (f"stored shelf.json {each.name}" for each in fields(Library))
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(_run(Path(folder)))
        found = (path.relative_to(folder) for path in Path(folder).rglob("*") if path.is_file())
        yield from (f"stored {path}" for path in found if path.suffix in _LASTING)


_LASTING: Final = {".sqlite3", ".json", ".pem"}


async def _run(folder: Path) -> None:
    """What a run leaves in its folder, after each store was asked once."""
    settings = replace(
        Settings(),
        server=Server(port=0),
        storage=StorageSettings(folder=folder),
        learning=LearningSettings(on_disk=True),
        interception=InterceptionSettings(hosts=("example.com",)),
    )
    async with running(settings) as proxy:
        for path in ("/-/saved", "/-/ca.crt"):
            answer = await ask(proxy.port, get(f"http://127.0.0.1:{proxy.port}{path}"))
            assert answer.status == 200, path


def main() -> None:
    """Add the names that are new."""
    known = set(LIST.read_text().splitlines()) if LIST.exists() else set()
    LIST.write_text("".join(f"{name}\n" for name in sorted(known | names_of_now())))


if __name__ == "__main__":
    main()
