"""Odd surroundings: damaged files, two proxies on one folder or in one program, a full disk, a
frozen Redis, rules that backtrack.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from tests.attack.attempts import Attempt
from tests.attack.families.people import another, choose, seen
from tests.attack.families.wire import odd
from tests.attack.network import Network
from tests.attack.web import CHROME, HTML, page, request, throw
from tests.attack.worlds import SITE, World, defaults
from tests.features.redis.redises import redis
from tests.proxy.origins import reply
from winnow.compose.running import running
from winnow.features.redis.settings import RedisSettings


def _damage() -> dict[str, bytes]:
    return {
        "garbage": b"\xff\x00garbage" * 400,
        "empty": b"",
        "cut SQLite": b"SQLite format 3\0" + b"\0" * 50,
        "half JSON": b'{"parts": {"a": [1',
        "JSON of another kind": b"[1, 2, 3]",
        "markup": b"<html>",
    }


async def damaged(world: World, kind: str, number: int) -> str:
    """A proxy starts and answers whatever stands in its data folder."""
    folder = world.folder / f"damaged-{number}"
    async with another(world, defaults(folder)) as proxy:
        await seen(proxy.port, "http://site.example/")
        await throw(proxy.port, request("/-/ca.crt", f"127.0.0.1:{proxy.port}"))
        await throw(proxy.port, request("/-/small/http://site.example/", f"127.0.0.1:{proxy.port}"))
    files = [each for each in folder.rglob("*") if each.is_file()]
    if not files:
        return "nothing was kept: there is nothing to damage"
    for file in files:
        if not file.name.endswith(("-wal", "-shm", "-journal")):
            file.write_bytes(_damage()[kind])
    try:
        async with another(world, defaults(folder)) as proxy:
            own = f"127.0.0.1:{proxy.port}"
            for target in ("http://site.example/", "/-/settings", "/-/status", "/-/ca.crt",
                           "/-/small/", "/-/setup"):  # fmt: skip
                host = own if target.startswith("/") else "site.example"
                got = await throw(proxy.port, request(target, host, (HTML,)))
                if got.status >= 500:
                    return f"{target} is {got.status}: {got.body[:150]!r}"
                if through := odd(world, got):
                    return f"{target}: {through}"
    except Exception as error:  # noqa: BLE001  # whatever it is, the proxy did not start
        return f"it did not start: {error!r}"
    return ""


async def two_on_one(world: World) -> str:
    """Two proxies on one folder: both answer, and what each was told is kept."""
    settings = defaults(world.folder / "shared")
    async with another(world, settings) as one, another(world, settings) as two:
        for number, proxy in enumerate((one, two)):
            for each in range(3):
                name = f"t{30 + number * 3 + each}.site.example"
                await choose(proxy.port, f"http://{name}/", "never")
    files = list((world.folder / "shared").rglob("choices.sqlite3"))
    said = ""
    for file in files:
        with closing(sqlite3.connect(file)) as database:
            said += "\n".join(database.iterdump())
    lost = [n for n in range(30, 36) if f"t{n}.site.example" not in said]
    return f"choices were lost: {lost}" if lost else ""


class Elsewhere(threading.Thread):
    """A proxy of its own in a thread of this program, its client beside it."""

    def __init__(self, number: int, folder: Path, port: int) -> None:
        super().__init__()
        self.number, self.folder, self.site = number, folder, port
        self.wrong = ""

    def run(self) -> None:
        with asyncio.Runner(loop_factory=Network) as runner:
            self.wrong = runner.run(self._read())

    async def _read(self) -> str:
        network = asyncio.get_running_loop()
        assert isinstance(network, Network)
        network.names["site.example"] = lambda: [SITE]
        network.routes[SITE, 80] = self.site
        path = f"/own{self.number}"
        async with running(defaults(self.folder)) as proxy:
            for _ in range(6):
                got = await throw(proxy.port, request(f"http://site.example{path}", "site.example"))
                if strange := set(got.body) - {65 + self.number}:
                    return f"bytes of another: {bytes(strange)[:10]!r}"
        return ""


async def two_threads(world: World) -> str:
    """Two proxies in two threads of one program keep their bytes apart."""
    for number in range(2):
        body = bytes([65 + number]) * (8 << 20)
        world.site.replies[f"/own{number}"] = reply(body, "Cache-Control: no-store")
    threads = [Elsewhere(n, world.folder / f"thread{n}", world.site.port) for n in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        await asyncio.to_thread(thread.join)
    return next((thread.wrong for thread in threads if thread.wrong), "")


async def frozen(world: World, target: str) -> str:
    """A Redis that stopped answering costs a request its stated wait, no more."""
    async with redis() as made:
        settings = defaults(world.folder / "frozen")
        settings = replace(
            settings,
            of_features=(RedisSettings(cache=made.url, storage=made.url),),
        )
        async with another(world, settings) as proxy:
            own = f"127.0.0.1:{proxy.port}"
            host = own if target.startswith("/") else "site.example"
            await throw(proxy.port, request(target, host, (HTML,)))
            made.freeze()
            try:
                got = await throw(proxy.port, request(target + "?again", host, (HTML,)))
            finally:
                made.thaw()
            if got.status >= 500 or not got.status:
                return f"status {got.status}: {got.body[:120]!r}"
            return f"{got.seconds:.1f} s" if got.seconds > 10 else ""


BACKTRACKING: Final = (
    "/(a+)+$/", "/^(([a-z])+.)+[A-Z]([a-z])+$/", "/(.*a){25}/", "/(x+x+)+y/", "/([a-zA-Z]+)*$/",
    "||*a*a*a*a*a*a*a*a*a*a*b^",
)  # fmt: skip


async def backtracked(world: World, rule: str) -> str:
    """An expression of an ad list that backtracks costs its page the extraction, nobody else's."""
    folder = world.folder / f"list{abs(hash(rule)):x}"
    folder.mkdir(parents=True)
    (folder / "list.txt").write_text(f"[Adblock Plus 2.0]\n{rule}\n##{rule}\n")
    plain = defaults(folder / "data")
    ads = replace(plain.ads, lists=(str(folder / "list.txt"),))
    extraction = replace(plain.extraction, extractor="crunch:5")
    links = f"<a href=http://ads.example/{'a' * 4000}!>{'a' * 4000}!</a>" * 40
    world.site.replies["/backtrack"] = page("Ads", links)
    async with another(world, replace(plain, ads=ads, extraction=extraction)) as proxy:
        slow = asyncio.create_task(seen(proxy.port, "http://site.example/backtrack"))
        await asyncio.sleep(0.2)
        quick = await seen(proxy.port, "http://other.example/", source="127.0.0.40")
        late = await slow
        if quick.seconds > 12 or late.seconds > 20:
            return f"the page took {late.seconds:.1f} s, another's {quick.seconds:.1f} s"
        return odd(world, late)


async def full_disk(world: World, target: str) -> str:
    """Where nothing can be written, pages still come and a choice says so plainly."""
    folder = world.folder / f"full{abs(hash(target)):x}"
    folder.mkdir(parents=True)
    async with another(world, defaults(folder)) as proxy:
        with unwritable():
            own = f"127.0.0.1:{proxy.port}"
            host = own if target.startswith("/") else "site.example"
            if target == "choose":
                got = await choose(proxy.port, "http://t39.site.example/", "never")
            else:
                got = await throw(proxy.port, request(target, host, (HTML,)))
        if got.status == 500 or b"Traceback" in got.raw:
            return f"status {got.status}: {got.body[:120]!r}"
        return f"logged: {world.log.said[0]}" if world.log.said else ""


@contextlib.contextmanager
def unwritable() -> Iterator[None]:
    """No file of this process may grow, as on a full disk."""
    import resource  # noqa: PLC0415
    import signal  # noqa: PLC0415

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    heard = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, heard)


async def path_leaked(world: World, field: str) -> str:
    """A setting with a file's path does not stand in any reply."""
    folder = world.folder / f"leak{abs(hash(field)):x}"
    folder.mkdir(parents=True)
    (folder / "list.txt").write_text("||ads.example^\n")
    (folder / "rules.toml").write_text('[[rule]]\nsite = "t38.site.example"\nextractor = "lqf"\n')
    plain = defaults(folder / "data")
    settings = replace(
        plain,
        ads=replace(plain.ads, lists=(str(folder / "list.txt"),)),
        extraction=replace(plain.extraction, extractor=field),
        sites=replace(plain.sites, rules=folder / "rules.toml"),
    )
    async with another(world, settings) as proxy:
        for url in ("http://site.example/", "http://t38.site.example/"):
            got = await seen(proxy.port, url, CHROME)
            if re.search(rb"/tmp/|/home/|/root/|list\.txt|rules\.toml", got.raw):
                return f"a path: {got.head!r}"
        bad = f"extractor={field}:ads=/etc/passwd"
        got = await throw(
            proxy.port,
            request(f"/-/api/extract?url=http://site.example/&{bad}", f"127.0.0.1:{proxy.port}"),
        )
        return "a path of the client's was opened" if b"root:" in got.raw else ""


def attempts() -> Iterator[Attempt]:
    for number, kind in enumerate(_damage()):
        yield Attempt("damaged files", kind, partial(damaged, kind=kind, number=number))
    yield Attempt("two proxies", "on one data folder", two_on_one)
    yield Attempt("two proxies", "in two threads", two_threads)
    for target in ("http://site.example/r", "/-/settings", "/http://site.example/r", "/-/small/"):
        yield Attempt("a frozen Redis", target, partial(frozen, target=target))
    for rule in BACKTRACKING:
        yield Attempt("expressions that backtrack", rule, partial(backtracked, rule=rule))
    for target in ("/-/ca.crt", "/-/setup", "http://site.example/full", "choose",
                   "/-/small/http://site.example/full"):  # fmt: skip
        yield Attempt("a full disk", target, partial(full_disk, target=target))
    for field in ("auto", "crunch:5", "lqf"):
        yield Attempt("paths in replies", field, partial(path_leaked, field=field))
