"""The codes that only Winnow's terminal shows: guessed, misspelt, or those of another change."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final
from urllib.parse import urlencode

from tests.attack.attempts import Attempt
from tests.attack.families.foreign import SAME, forms, path_of
from tests.attack.families.settings import PROTECTED, form_of
from tests.attack.web import CHROME, FOREIGN, HTML, request, throw
from tests.attack.worlds import World
from winnow.proxy.access.credentials.terminal_codes import MOST_WRONG, TerminalCodes

WAYS: Final = (*PROTECTED, "network")
SPELLED: Final[dict[str, Callable[[str], str]]] = {
    "half": lambda code: code[:4],
    "one digit more": lambda code: code + "0",
    "one digit less": lambda code: code[1:],
    "backwards": lambda code: code[::-1],
    "Arabic digits": lambda code: "".join(chr(0x660 + int(digit)) for digit in code),
    "wide digits": lambda code: "".join(chr(0xFF10 + int(digit)) for digit in code),
    "with a sign": lambda code: f"+{code}",
    "twice": lambda code: code * 2,
    "with NUL": lambda code: f"{code}\0",
    "in brackets": lambda code: f"[{code}]",
    "as a fraction": lambda code: f"{code}.0",
    "percent": lambda code: "".join(f"%{ord(digit):x}" for digit in code),
}
STRANGERS: Final = ("fetch", "form", "frame", "old browser, fetch", "another port of this computer")


CODES: Final[list[str]] = []
"""The codes that were asked for, each for a change of its own."""
SAID: Final[list[str]] = []
"""What the terminal shows."""


def codes_of(world: World) -> TerminalCodes:
    """The proxy's codes, wrong ones forgotten: else each attempt would be refused for the last."""
    found = world.proxy.state.codes
    assert found is not None
    found._wrong = 0
    found._shown.clear()
    found.show = SAID.append
    return found


async def form_for(world: World, way: str) -> tuple[str, dict[str, str]]:
    """Where a change is posted to, and its honest form."""
    if way != "network":
        form = await form_of(world, way)
        if way == "storage":  # another one each time: the counter-proof's is in force
            form["storage.folder"] += f"-{len(CODES)}"
        return "/-/settings/all", form
    shown = await throw(world.port, request("/-/setup", world.own, SAME))
    return next(
        (path_of(path), said)
        for _, path, said in forms(shown.body)
        if path_of(path) == "/-/setup/network" and said.get("change") == "on"
    )


async def sent(
    world: World, way: str, code: str, host: str = "", fields: tuple[str, ...] = ()
) -> None:
    """Post the change with a code, as the owner's page does where nothing else is named."""
    path, form = await form_for(world, way)
    honest = fields or (*SAME, f"Origin: http://{world.own}")
    body = urlencode({**form, "code": code}).encode()
    await throw(world.port, request(path, host or world.own, honest, "POST", body))


async def code_for(world: World, way: str) -> str:
    """The code as the terminal shows it."""
    codes_of(world)
    SAID.clear()
    CODES.append(way)
    await sent(world, way, "")
    return "".join(SAID[0].partition("the code ")[2].split()[:2])


async def guessed(world: World, way: str) -> str:
    """After some wrong codes the right one does not hold either."""
    code, before = await code_for(world, way), world.lasting()
    for number in range(MOST_WRONG):
        await sent(world, way, f"{(int(code) + 1 + number) % 10**8:08d}")
    await sent(world, way, code)
    return "" if world.lasting() == before else f"{way}: a code held after {MOST_WRONG} guesses"


async def spelled(world: World, way: str, name: str) -> str:
    code, before = await code_for(world, way), world.lasting()
    codes_of(world)
    await sent(world, way, SPELLED[name](code))
    return "" if world.lasting() == before else f"{way} was changed by {name}"


async def of_another(world: World, way: str, other: str) -> str:
    """The code of one change makes no other one."""
    code, before = await code_for(world, other), world.lasting()
    codes_of(world)
    await sent(world, way, code)
    return "" if world.lasting() == before else f"{way} was changed by the code of {other}"


async def by_stranger(world: World, way: str, fields: tuple[str, ...], host: str) -> str:
    """Who knows the code, but is another site or comes by another name."""
    code, before = await code_for(world, way), world.lasting()
    codes_of(world)
    await sent(world, way, code, host, fields)
    return "" if world.lasting() == before else f"{way} was changed under {host or 'our name'}"


async def proof(world: World) -> str:
    """The owner's code makes the change."""
    file = world.folder / "winnow.toml"
    before = file.read_text()
    code = await code_for(world, "storage")
    await sent(world, "storage", code)
    changed = file.read_text() != before
    file.write_text(before)
    return "" if changed else "the right code changed nothing"


def attempts() -> Iterator[Attempt]:
    family = "terminal codes"
    yield Attempt("counter-proofs", "the terminal's code", proof)
    for way in WAYS:
        yield Attempt(family, f"{way} guessed", partial(guessed, way=way))
        for name in SPELLED:
            yield Attempt(family, f"{way}, {name}", partial(spelled, way=way, name=name))
        for other in WAYS:
            if other != way:
                run = partial(of_another, way=way, other=other)
                yield Attempt(family, f"{way} by that of {other}", run)
        for name in STRANGERS:
            run = partial(by_stranger, way=way, fields=FOREIGN[name], host="")
            yield Attempt(family, f"{way} by {name}", run)
        for host in ("evil.example", "winnow.internal.evil.example"):
            fields = (CHROME, HTML, f"Origin: http://{host}")
            run = partial(by_stranger, way=way, fields=fields, host=host)
            yield Attempt(family, f"{way} under {host}", run)
