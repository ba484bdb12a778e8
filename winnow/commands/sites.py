"""``winnow sites list|show|export|forget``: what pages taught of their sites. Knows no proxy."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Mapping, Sequence

from winnow.command_errors import CommandError, UsageError
from winnow.commands.config import add_config_flag, load_settings
from winnow.compose.policies import sites_of
from winnow.config.settings import Settings
from winnow.engine.site_summaries import about, as_json
from winnow.proxy.stores.choices import site_of

ACTIONS = ("list", "show", "export", "forget")


def declare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", choices=ACTIONS, metavar="|".join(ACTIONS))
    parser.add_argument("sites", nargs="*", metavar="SITE", help="such as example.com")
    parser.add_argument("--all", action="store_true", help="forget: all sites")
    add_config_flag(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    settings = load_settings(arguments.config, {}).settings
    names = [site_of(name) for name in arguments.sites]
    if arguments.action == "forget":
        if not names and not arguments.all:
            raise UsageError("name the sites to forget, or --all")
        asyncio.run(_forget(settings, names))
        return 0
    if arguments.action in ("show", "export") and not names:
        raise UsageError(f"name the site to {arguments.action}")
    known = asyncio.run(_recalled(settings, names))
    missing = [name for name in names if name not in known]
    if missing:
        raise CommandError(f"nothing is known of {', '.join(missing)}")
    _ACTIONS[arguments.action](known)
    return 0


def _list(known: Mapping[str, bytes]) -> None:
    for name, memory in sorted(known.items()):
        counts = ", ".join(f"{kind}: {pages} pages" for kind, pages in about(memory).pages.items())
        sys.stdout.write(f"{name:40} {len(memory) / 1000:5.1f} kB  {counts}\n")


def _show(known: Mapping[str, bytes]) -> None:
    for name, memory in known.items():
        sys.stdout.write(f"{name}\n")
        for line in about(memory).lines:
            sys.stdout.write(f"  {line}\n")


def _export(known: Mapping[str, bytes]) -> None:
    sys.stdout.write(as_json(known))


_ACTIONS = {"list": _list, "show": _show, "export": _export}


async def _recalled(settings: Settings, names: Sequence[str]) -> Mapping[str, bytes]:
    store = await sites_of(settings)
    try:
        return await store.recall(names or sorted(await store.stamps()))
    finally:
        await store.aclose()


async def _forget(settings: Settings, names: Sequence[str]) -> None:
    store = await sites_of(settings)
    try:
        gone = names or sorted(await store.stamps())
        unknown = sorted(set(gone) - set(await store.stamps()))
        await store.forget(gone)
    finally:
        await store.aclose()
    sys.stdout.write(f"{len(gone) - len(unknown)} sites are forgotten.\n")
