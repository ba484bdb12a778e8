"""The contract of every feature, as checks that its own tests run (docs/writing-a-feature.md)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from socket import socket
from typing import Any
from unittest.mock import MagicMock

from winnow.compose.own_pages.features import pages_of
from winnow.config.errors import ConfigError
from winnow.config.settings import Settings
from winnow.feature import Context, Feature, FeatureError, loaded
from winnow.proxy.access.own_addresses import HEALTHZ, WPAD
from winnow.proxy.own.catalogue import brought
from winnow.proxy.own.languages import Language
from winnow.proxy.own.translation import own_words

Check = tuple[str, Callable[[], None]]


def checks(feature: Feature) -> Iterator[Check]:
    """Names and functions, each of which raises AssertionError where the feature breaks a rule."""
    yield "name", lambda: _name(feature)
    yield "addresses", lambda: _addresses(feature)
    yield "loading", lambda: _loading(feature)
    yield "pages", lambda: _pages(feature)
    yield "settings", lambda: _settings(feature)
    yield "texts", lambda: _texts(feature)
    yield "port", lambda: asyncio.run(_port(feature))


def _name(feature: Feature) -> None:
    assert feature.name.isidentifier(), f"{feature.name!r} is no name for a folder"
    assert feature.name == feature.name.lower(), f"{feature.name!r} is not in lower case"


def _addresses(feature: Feature) -> None:
    paths = [each.path for each in feature.addresses]
    assert len(set(paths)) == len(paths), "a path stands twice"
    for address in feature.addresses:
        assert address.path in ("/", HEALTHZ, WPAD) or address.path.startswith("/-/"), address.path
        assert address.path.endswith("/") or not address.below, f"{address.path} wants a slash"
        assert all(own_words(entry.text) for entry in address.entries), "a link without a text"
    assert bool(feature.pages) or not paths, "addresses without pages"


def _loading(feature: Feature) -> None:
    named = (feature.pages, feature.observers, feature.stores, feature.task, feature.settings)
    others = (feature.front, feature.drawing, feature.sharing, feature.trainer)
    for name in filter(None, (*named, *others, *feature.extractors.values())):
        assert callable(loaded(name)), f"{name} is no function"
    for command in feature.commands:
        assert callable(loaded(f"{command.module}:declare")), f"{command.module} declares nothing"


def _pages(feature: Feature) -> None:
    """What `pages` returns are the addresses; the core's own depend on its settings."""
    if not feature.pages or not feature.optional:
        return
    sections = (loaded(feature.settings)(),) if feature.settings else ()
    try:
        pages_of(feature, MagicMock(settings=Settings(of_features=sections)))
    except FeatureError as error:
        raise AssertionError(str(error)) from error


def _settings(feature: Feature) -> None:
    if feature.settings:
        shape = loaded(feature.settings)
        assert shape.SECTION.isidentifier(), f"{shape.SECTION!r} is no name of a table"
        assert shape() == shape(), "a section is no value"
        assert all("note" in each.metadata for each in fields(shape)), "a field without `setting`"


async def _port(feature: Feature) -> None:
    """Where its port is taken the task ends at once, and the start is refused."""
    section: Any = loaded(feature.settings)() if feature.task and feature.settings else None
    if not hasattr(section, "port"):
        return
    with socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        there = replace(section, port=taken.getsockname()[1])
        nothing: Any = None
        context = Context(Settings(of_features=(there,)), *[nothing] * 11)
        task = asyncio.ensure_future(loaded(feature.task)(context))
        await asyncio.sleep(0)
        error = task.exception() if task.done() else task.cancel()
    is_named = isinstance(error, ConfigError) and f"{section.SECTION}.port" in str(error)
    assert is_named, f"its port is taken, and {error} does not refuse the start"


def _texts(feature: Feature) -> None:
    package, _, folder = feature.texts.partition(":")
    found = [brought(package, folder, each) for each in Language if feature.texts]
    every: list[tuple[str, tuple[str, ...]]] = [
        (english, (text,)) for each in found for english, text in each.texts.items()
    ]
    every += [pair for each in found for pair in each.plurals.items()]
    assert every or not feature.texts, f"{feature.texts} has no LANGUAGE.po with texts"
    lacking = [english for english, forms in every if not all(forms)]
    assert not lacking, f"{feature.texts} lacks a translation of {lacking[0]!r}"
