"""Features fit together; their pages are loaded at first use, and are those that they name."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from tests.proxy.own.own_requests import asked
from winnow import feature_list
from winnow.compose.own_pages.features import (
    FeaturePages,
    FeatureTasks,
    pages_of,
    tasks_of,
    texts_of,
)
from winnow.config.errors import ConfigError
from winnow.config.feature_settings import FeatureSettings
from winnow.feature import (
    Context,
    Feature,
    FeatureError,
    OwnAddress,
    enabled,
    fitting,
    loaded,
    menus_of,
)
from winnow.feature_contract import checks
from winnow.feature_list import FEATURES, features_of, sections_of
from winnow.proxy.own.languages import Language
from winnow.proxy.own.menus import MENUS, Menus, in_header, in_settings
from winnow.proxy.own.router import OwnPage, OwnRequest, OwnResponse
from winnow.proxy.own.translation import _, is_translated, speaking

NOTHING = cast(Context, None)


async def _page(request: OwnRequest) -> OwnResponse:
    return OwnResponse(request.path.encode())


def pages(_: Context) -> dict[str, OwnPage]:
    """What a feature of this test has."""
    return {"/-/a": _page, "/-/a/": _page}


SOCKS = "winnow.features.socks.settings:SocksSettings"
MINE = Feature(
    name="mine",
    addresses=(OwnAddress("/-/a"), OwnAddress("/-/a/", below=True)),
    pages=f"{__name__}:pages",
)


async def test_pages_are_loaded_once_in_a_thread() -> None:
    threads: list[threading.Thread] = []

    def context() -> Context:
        threads.append(threading.current_thread())
        return NOTHING

    own = FeaturePages((MINE,), context)
    assert not threads
    answers = await asyncio.gather(*(own(asked(path)) for path in ("/-/a", "/-/a/b", "/-/a/")))
    assert [answer.body for answer in answers] == [b"/-/a", b"/-/a/b", b"/-/a/"]
    assert len(threads) == 1
    assert threads[0] is not threading.main_thread()


async def test_another_address_is_not_found() -> None:
    assert (await FeaturePages((MINE,), lambda: NOTHING)(asked("/-/b"))).status == 404


def test_a_page_that_is_not_named_is_an_error() -> None:
    with pytest.raises(FeatureError, match="/-/a/"):
        pages_of(Feature(name="less", addresses=MINE.addresses[:1], pages=MINE.pages), NOTHING)


@pytest.mark.parametrize(
    "other",
    [Feature(name="mine"), Feature(name="other", addresses=(OwnAddress("/-/a"),))],
    ids=["name", "path"],
)
def test_two_features_claim_nothing_together(other: Feature) -> None:
    with pytest.raises(FeatureError, match=r"mine|twice"):
        fitting((MINE, other))


@pytest.mark.parametrize("name", ["no.such.module:pages", "winnow.feature:missing"])
def test_a_name_that_leads_to_nothing_is_an_error(name: str) -> None:
    with pytest.raises(FeatureError, match="leads to nothing"):
        loaded(name)


def test_links_stand_in_their_order() -> None:
    entries = (in_header("Second", 20), in_settings("Other", 5))
    late = Feature(name="late", addresses=(OwnAddress("/-/late", entries=entries),))
    soon = Feature(name="soon", addresses=(OwnAddress("/-/soon", entries=(in_header("One", 10),)),))
    menus = menus_of((late, soon))
    assert list(menus.header.items()) == [("/-/soon", "One"), ("/-/late", "Second")]
    assert dict(menus.settings) == {"/-/late": "Other"}


def test_what_is_built_upon_one_that_is_off_is_off_too() -> None:
    above = Feature(name="above", needs=("mine",))
    top = Feature(name="top", needs=("above",))
    other = Feature(name="other")
    assert enabled((MINE, top, above, other), ["mine"]) == (other,)


@pytest.mark.parametrize("name", ["core", "nothing"])
def test_only_a_feature_can_be_switched_off(name: str) -> None:
    with pytest.raises(FeatureError, match=name):
        enabled((Feature(name="core", optional=False), MINE), [name])


@pytest.mark.parametrize("feature", FEATURES, ids=lambda each: each.name)
def test_a_feature_keeps_the_contract(feature: Feature) -> None:
    _check(feature)


def _check(feature: Feature) -> None:
    for _name, check in checks(feature):
        check()


@pytest.mark.parametrize(
    "broken",
    [
        Feature(name="Not a name"),
        Feature(name="a", addresses=(OwnAddress("/elsewhere"),), pages=MINE.pages),
        Feature(name="a", addresses=(OwnAddress("/-/a", below=True),), pages=MINE.pages),
        Feature(name="a", addresses=(OwnAddress("/-/a"),)),
        Feature(name="a", observers="no.such:thing"),
        Feature(name="a", settings=SOCKS, task=f"{__name__}:deaf"),
    ],
    ids=["name", "path", "below", "pages", "observers", "port"],
)
def test_a_broken_feature_does_not(broken: Feature) -> None:
    with pytest.raises((AssertionError, FeatureError)):
        _check(broken)


def test_a_feature_that_no_package_brings_is_a_clear_error() -> None:
    with pytest.raises(ConfigError, match=r"No package brings slowest"):
        features_of(FeatureSettings(enabled=("slowest",)))


BEGUN: list[str] = []


async def beside(_: Context) -> None:
    """A task that runs until it is ended."""
    number = len(BEGUN)
    BEGUN.append(f"begun {number}")
    try:
        await asyncio.Event().wait()
    finally:
        BEGUN.append(f"ended {number}")


async def failing(_: Context) -> None:
    raise OSError("The disk is gone.")


async def late(_: Context) -> None:
    await asyncio.sleep(0)
    raise OSError("The disk is gone.")


async def deaf(context: Context) -> None:
    """A task that tries a port once more, and later."""
    await asyncio.Event().wait()


async def test_a_task_runs_until_the_settings_change(caplog: pytest.LogCaptureFixture) -> None:
    BEGUN.clear()
    wanted = (Feature(name="mine", task=f"{__name__}:beside"),)
    tasks = FeatureTasks()
    await tasks.begin(tasks_of(wanted, lambda: NOTHING))
    assert BEGUN == ["begun 0"]
    bad = tasks_of((*wanted, Feature(name="bad", task=f"{__name__}:failing")), lambda: NOTHING)
    with pytest.raises(OSError, match="The disk is gone"):
        await tasks.begin(bad)
    await asyncio.sleep(0)
    assert BEGUN == ["begun 0", "begun 1", "ended 1"], "the one before goes on"
    await tasks.begin(tasks_of((Feature(name="late", task=f"{__name__}:late"),), lambda: NOTHING))
    await tasks.aclose()
    assert BEGUN == ["begun 0", "begun 1", "ended 1", "ended 0"]
    await tasks.begin(tasks_of((Feature(name="late", task=f"{__name__}:late"),), lambda: NOTHING))
    while "The disk is gone." not in caplog.text:  # noqa: ASYNC110 - a log tells nobody
        await asyncio.sleep(0)


def test_texts_of_a_package_are_in_the_readers_language(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "a_package" / "texts"
    folder.mkdir(parents=True)
    (folder.parent / "__init__.py").touch()
    (folder / "de.po").write_text('msgid "Slowest pages"\nmsgstr "Langsamste Seiten"\n')
    monkeypatch.syspath_prepend(tmp_path)
    wanted = Feature(name="mine", texts="a_package:texts")
    token = MENUS.set(Menus(texts=texts_of((wanted,))))
    try:
        with speaking(Language.GERMAN):
            assert _("Slowest pages") == "Langsamste Seiten"
            assert is_translated("Slowest pages")
            assert _("Settings") == "Einstellungen"
        with speaking(Language.FRENCH):
            assert _("Slowest pages") == "Slowest pages"
            assert not is_translated("Slowest pages")
    finally:
        MENUS.reset(token)


def test_a_start_imports_no_page_of_a_feature() -> None:
    program = (
        "import sys, winnow.compose.running\n"
        "print(*(name for name in sys.modules if '.own.handlers.' in name or "
        "name.startswith('winnow.features.') and name.count('.') > 2))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["winnow.proxy.own.handlers.devices"]


def test_a_feature_s_own_catalogue_is_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A newcomer's plural forms were empty, and no check said so."""
    monkeypatch.syspath_prepend(tmp_path)
    package = tmp_path / "longest_texts" / "catalogues"
    package.mkdir(parents=True)
    (package.parent / "__init__.py").touch()
    check = dict(checks(Feature(name="longest", texts="longest_texts:catalogues")))["texts"]
    with pytest.raises(AssertionError, match=r"has no LANGUAGE\.po"):
        check()
    text = 'msgid "Longest"\nmsgstr "Die längsten"\n\nmsgid "{number} word"\n'
    plural = 'msgid_plural "{number} words"\nmsgstr[0] ""\nmsgstr[1] "{number} Wörter"\n'
    (package / "de.po").write_text(text + plural, "utf-8")
    with pytest.raises(AssertionError, match=r"lacks a translation of '\{number\} word'"):
        check()
    (package / "de.po").write_text(text + plural.replace('""', '"{number} Wort"'), "utf-8")
    check()


def test_a_page_under_another_name_than_its_address_breaks_the_contract() -> None:
    """A newcomer's mistyped page passed all checks, and was a 500 in the browser."""
    mistyped = replace(MINE, addresses=(OwnAddress("/-/b"), *MINE.addresses[1:]))
    with pytest.raises(AssertionError, match=r"without a page: \['/-/b'\].*: \['/-/a'\]"):
        dict(checks(mistyped))["pages"]()
    dict(checks(MINE))["pages"]()


def test_a_section_that_leads_to_nothing_is_an_error_of_settings(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lost = Feature(name="lost", settings="winnow.features.nowhere:Settings")
    monkeypatch.setattr(feature_list, "known", lambda _chosen: (lost,))
    with pytest.raises(ConfigError, match=r"features: .*leads to nothing"):
        sections_of(FeatureSettings())
