"""The settings file changed by another site, under another name, by GET, or without the code."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final
from urllib.parse import urlencode

from tests.attack.attempts import Attempt
from tests.attack.families.foreign import POSTS, SAME
from tests.attack.web import CHROME, FOREIGN, HTML, request, throw
from tests.attack.worlds import World
from tests.proxy.origins import Answer
from tests.winnow.compose.test_settings_editing import fields_of
from winnow.features.settings.setting_forms import DEFAULT

ALL: Final = "/-/settings/all"
HARMFUL: Final = {
    "extraction": {"extraction.min_words": "31"},
    "interception": {"interception.hosts": "*"},
    "access": {"access.users": "eve horse"},
    "upstream": {"upstream.proxy": "http://evil.example:3128"},
    "storage": {"storage.folder": "/tmp/evil"},
    "server": {"server.host": "0.0.0.0"},
    "sites": {"sites.rules": "/etc/passwd"},
}
PROTECTED: Final = ("access", "upstream", "storage", "server", "sites")


async def form_of(world: World, section: str) -> dict[str, str]:
    """The form of a section as its owner gets it, with its token, and a harmful change in it."""
    got = await throw(world.port, request(f"{ALL}?section={section}", world.own, SAME))
    head, _, body = got.raw.partition(b"\r\n\r\n")
    return {**fields_of(Answer(got.status, head, body)), **HARMFUL[section]}


async def posted(world: World, form: dict[str, str], host: str, fields: Sequence[str]) -> int:
    body = urlencode(form).encode()
    return (await throw(world.port, request(ALL, host, fields, "POST", body))).status


async def by_other(world: World, section: str, fields: Sequence[str]) -> str:
    """A page of another site posts the form, knowing the token, or not where nothing else tells."""
    form, before = await form_of(world, section), world.lasting()
    if not any(line.startswith(("Origin", "Referer", "Sec-Fetch")) for line in fields):
        form["token"] = "1." + "A" * 24
    status = await posted(world, form, world.own, fields)
    return "" if world.lasting() == before else f"{section} was changed (status {status})"


async def under_name(world: World, section: str, host: str) -> str:
    """A name of somebody else that leads to us (DNS rebinding)."""
    form, before = await form_of(world, section), world.lasting()
    status = await posted(world, form, host, (CHROME, HTML, f"Origin: http://{host}"))
    return "" if world.lasting() == before else f"{section} was changed (status {status})"


async def by_get(world: World, section: str) -> str:
    form, before = await form_of(world, section), world.lasting()
    await throw(world.port, request(f"{ALL}?{urlencode(form)}", world.own, SAME))
    return "" if world.lasting() == before else f"GET changed {section}"


async def without_code(world: World, section: str, code: str) -> str:
    """The owner's own form for what Winnow runs or trusts, without the terminal's code."""
    form, before = await form_of(world, section), world.lasting()
    honest = (*SAME, f"Origin: http://{world.own}")
    for _ in range(8):
        status = await posted(world, {**form, "code": code}, world.own, honest)
        if world.lasting() != before:
            return f"{section} was changed by the code {code!r} (status {status})"
    return ""


async def within_another(world: World, section: str, prefix: str) -> str:
    """The fields of a protected section in the form, and with the token, of one that is not."""
    own, before = await form_of(world, "extraction"), world.lasting()
    form = {name: said for name, said in own.items() if name not in HARMFUL["extraction"]}
    form |= {f"{prefix}{name}": said for name, said in HARMFUL[section].items()}
    status = await posted(world, form, world.own, (*SAME, f"Origin: http://{world.own}"))
    return "" if world.lasting() == before else f"{section} was changed (status {status})"


def attempts() -> Iterator[Attempt]:
    for section in HARMFUL:
        for name in POSTS:
            run = partial(by_other, section=section, fields=FOREIGN[name])
            yield Attempt("settings by another site", f"{section} by {name}", run)
        for host in ("evil.example", "127.0.0.1.evil.example", "a.b"):
            run = partial(under_name, section=section, host=host)
            yield Attempt("settings by another site", f"{section} under {host}", run)
        yield Attempt(
            "settings by another site", f"{section} GET", partial(by_get, section=section)
        )
    for section in PROTECTED:
        for prefix in ("", DEFAULT):
            run = partial(within_another, section=section, prefix=prefix)
            name = f"{prefix}{section} in the form of another"
            yield Attempt("settings without the code", name, run)
        for code in ("", "00000000", "0" * 500, "-1", "\u0661" * 8, "%s"):
            run = partial(without_code, section=section, code=code)
            yield Attempt("settings without the code", f"{section} {code[:12]}", run)
