"""``winnow sites list|show|export|forget``: what was learned about sites."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Mapping, Sequence

from winnow.command_errors import CommandError, UsageError, one_of
from winnow.command_settings import add_config_flag, load_settings
from winnow.config.settings import Settings
from winnow.data_folder import sites_of
from winnow.features.learned_sites.site_summaries import about, as_json
from winnow.proxy.stores.site_keys import learned_key_of

ACTIONS = ("list", "show", "export", "forget")


def declare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "action", type=one_of("action", ACTIONS), choices=ACTIONS, metavar="|".join(ACTIONS)
    )
    parser.add_argument("sites", nargs="*", default=[], metavar="SITE", help="such as example.com")
    parser.add_argument("--all", action="store_true", help="forget: all sites")
    add_config_flag(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    settings = load_settings(arguments.config, {}).settings
    names = [key for name in arguments.sites for key in _keys(name)]
    if arguments.action == "forget":
        if not names and not arguments.all:
            raise UsageError("name the sites to forget, or --all")
        asyncio.run(_forget(settings, names))
        return 0
    if arguments.action in ("show", "export") and not names:
        raise UsageError(f"name the site to {arguments.action}")
    memories = asyncio.run(_stored(settings, names))
    missing = [name for name in arguments.sites if not memories.keys() & set(_keys(name))]
    if missing:
        raise CommandError(f"nothing is stored about {', '.join(missing)}")
    _ACTIONS[arguments.action](memories)
    return 0


def _keys(site: str) -> list[str]:
    """The keys that a person means: those of an origin; by HTTPS and HTTP for a name alone."""
    origins = [site] if "://" in site else [f"https://{site}", f"http://{site}"]
    return [learned_key_of(origin) for origin in origins]


def _list(memories: Mapping[str, bytes]) -> None:
    for name, memory in sorted(memories.items()):
        counts = ", ".join(f"{kind}: {pages} pages" for kind, pages in about(memory).pages.items())
        sys.stdout.write(f"{name:40} {len(memory) / 1000:5.1f} kB  {counts}\n")


def _show(memories: Mapping[str, bytes]) -> None:
    for name, memory in memories.items():
        sys.stdout.write(f"{name}\n")
        for line in about(memory).lines:
            sys.stdout.write(f"  {line}\n")


def _export(memories: Mapping[str, bytes]) -> None:
    sys.stdout.write(as_json(memories))


_ACTIONS = {"list": _list, "show": _show, "export": _export}


async def _stored(settings: Settings, names: Sequence[str]) -> Mapping[str, bytes]:
    store = await sites_of(settings)
    try:
        return await store.recall(names or sorted(await store.stamps()))
    finally:
        await store.aclose()


async def _forget(settings: Settings, names: Sequence[str]) -> None:
    store = await sites_of(settings)
    try:
        chosen = names or sorted(await store.stamps())
        unknown = sorted(set(chosen) - set(await store.stamps()))
        await store.forget(chosen)
    finally:
        await store.aclose()
    sys.stdout.write(f"Removed {len(chosen) - len(unknown)} sites.\n")
