"""Counter-proofs: what a person may do works, so that a refusal elsewhere shows something."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import count
from urllib.parse import urlencode

from tests.attack.attempts import Attempt
from tests.attack.families.foreign import SAME, forms, path_of, resume
from tests.attack.families.inside import FACES as INSIDE
from tests.attack.families.inside import target_of
from tests.attack.families.markup import FACES, running, shown_as
from tests.attack.families.settings import form_of, posted
from tests.attack.web import CHROME, HTML, request, throw
from tests.attack.worlds import SECRET, World
from tests.proxy.origins import reply

_NUMBERS = count()


async def own_program(world: World, face: str) -> str:
    """A program of this computer reaches what it may reach anyway."""
    url = f"http://127.0.0.1:{world.tool.port}/{next(_NUMBERS)}"  # some faces remember pages
    await throw(world.port, request(target_of(face, url), world.own))
    return "" if world.tool.requests else "this computer's own program was refused"


async def own_form(world: World) -> str:
    """A person's form changes what lasts."""
    shown = await throw(world.port, request("/-/settings", world.own, SAME))
    before = world.lasting()
    pause = next(said for method, _, said in forms(shown.body) if said.get("change") == "pause")
    target = path_of(next(target for _, target, said in forms(shown.body) if said == pause))
    honest = (*SAME, f"Origin: http://{world.own}")
    body = urlencode(pause).encode()
    got = await throw(world.port, request(target, world.own, honest, "POST", body))
    changed = world.lasting() != before
    await resume(world)
    return "" if changed else f"an honest form changed nothing: {got.head!r}"


async def own_setting(world: World) -> str:
    """A person's form changes a setting, which can be undone."""
    form = await form_of(world, "extraction")
    honest = (*SAME, f"Origin: http://{world.own}")
    status = await posted(world, form, world.own, honest)
    words = world.proxy.loaded.settings.extraction.min_words
    return "" if words == 31 else f"an honest form changed no setting: status {status}"


async def remembered(world: World) -> str:
    """What may be shared is answered from the cache."""
    world.site.replies["/control"] = reply(b"shared", "Cache-Control: max-age=60")
    url = "http://site.example/control"
    for _ in range(2):
        got = await throw(world.port, request(url, "site.example"))
    return "" if "hit" in got.field("cache-status") else f"no hit: {got.field('cache-status')}"


async def read(world: World, face: str) -> str:
    """A plain page is shown, with our one bar where there is one."""
    target, fields = FACES[face]
    world.site.replies["/plain"] = shown_as("<p>Plain.</p>")
    host = world.own if target.startswith("/") else "site.example"
    got = await throw(world.port, request(target.format("/plain"), host, fields))
    if got.status != 200 or running(got.body.decode()):
        return f"status {got.status} {running(got.body.decode())}"
    if not target.startswith("/-/") and got.field("winnow-action") != "extracted":
        return f"it was not extracted: {got.field('winnow-reason')}"
    return ""


async def noticed(world: World) -> str:
    """A script that is left in a page is seen by this suite."""
    bad = ("<script>alert(1)</script>", "<a href='javascript:alert(1)'>a</a>", "<base href=x>",
           "<div id=winnow-bar></div><div id=winnow-bar></div>", "<p onclick=x>")  # fmt: skip
    missed = [markup for markup in bad if not running(markup)]
    return f"not noticed: {missed}" if missed else ""


async def a_persons_tab(world: World) -> str:
    """A link that a person opens in the gateway is followed to a public page."""
    fields = (CHROME, HTML, "Sec-Fetch-Site: none", "Sec-Fetch-Mode: navigate",
              "Sec-Fetch-Dest: document")  # fmt: skip
    got = await throw(world.port, request("/http://site.example/", world.own, fields))
    return "" if got.status == 200 and SECRET not in got.raw else f"status {got.status}"


async def own_router(world: World) -> str:
    """A person opens a page of the own network: one question, once."""
    url, router = "http://192.168.1.1/menu", (CHROME, HTML)
    asked = await throw(world.port, request(url, "192.168.1.1", router))
    question = asked.field("location")
    host = "winnow.internal"
    shown = await throw(world.port, request(question, host, router))
    ((_, target, fields),) = forms(shown.body)[:1]
    body, honest = urlencode(fields).encode(), (CHROME, HTML, f"Origin: http://{host}")
    kept = await throw(
        world.port, request(f"http://{host}{path_of(target)}", host, honest, "POST", body)
    )
    world.tool.requests.clear()
    await throw(world.port, request(url, "192.168.1.1", router))
    opened = bool(world.tool.requests) and kept.field("location") == url
    settings = await throw(world.port, request("/-/settings", world.own, SAME))
    mine = (*SAME, f"Origin: http://{world.own}")
    for _, to, form in forms(settings.body):
        if form.get("value") == "private:192.168.1.1":
            sent = urlencode(form).encode()
            await throw(world.port, request(path_of(to), world.own, mine, "POST", sent))
    again = await throw(world.port, request(url, "192.168.1.1", router))
    if again.field("location") != question:
        return "the permission cannot be taken back"
    return "" if opened else f"the own router was refused: {kept.head!r}"


def attempts() -> Iterator[Attempt]:
    for name, face in INSIDE.items():
        yield Attempt("counter-proofs", f"own program by {name}", partial(own_program, face=face))
    yield Attempt("counter-proofs", "own form", own_form)
    yield Attempt("counter-proofs", "own setting", own_setting)
    yield Attempt("counter-proofs", "own router", own_router)
    yield Attempt("counter-proofs", "shared reply", remembered)
    yield Attempt("counter-proofs", "a person's tab", a_persons_tab)
    yield Attempt("counter-proofs", "a script is noticed", noticed)
    for name in FACES:
        yield Attempt("counter-proofs", f"plain page by {name}", partial(read, face=name))
