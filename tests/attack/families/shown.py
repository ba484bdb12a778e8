"""Documents that other sites post to ``/-/show``: none is shown unasked, none has our rights."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from selectolax.lexbor import LexborHTMLParser

from tests.attack.attempts import Attempt
from tests.attack.families.foreign import SAME, forms
from tests.attack.web import FOREIGN, SENTENCE, Got, request, throw
from tests.attack.worlds import World
from tests.payloads import PAYLOADS
from tests.proxy.http.test_form_data import KIND, written

PATH: Final = "/-/show"
URL: Final = "http://site.example/shown"
OPENED: Final = (
    "form",
    "window.open",
    "link without Referer",
    *(kind for kind in FOREIGN if "old" in kind),
)
"""Foreign requests that open a page, or may: they are answered by the question."""
MARK: Final = "and by morning the whole village"
CLICK: Final = "the honest click"


def document(payload: str = "") -> str:
    return f"<title>x</title><article><h1>Flood</h1>{payload}<p>{SENTENCE * 9}</p></article>"


async def send(world: World, page: str, fields: tuple[str, ...], **more: str) -> Got:
    body = written({"url": URL, "page": page, **more})
    kind = f"Content-Type: {KIND}"
    return await throw(world.port, request(PATH, world.own, (*fields, kind), "POST", body))


def honest(world: World) -> tuple[str, ...]:
    return (*SAME, f"Origin: http://{world.own}")


async def unasked(world: World, fields: tuple[str, ...], kind: str, proof: str) -> str:
    """Sent from another site, with and without a token: the article is never in the reply."""
    before = world.lasting()
    page, more = document(), {"token": proof} if proof else {}
    if proof == CLICK:
        asked = await send(world, page, FOREIGN["form"])
        more = {"token": forms(asked.body)[-1][2]["token"]}
    got = await send(world, page, fields, **more)
    if MARK in LexborHTMLParser(got.body).text(deep=True):
        return f"it is shown: status {got.status}"
    if got.status < 400 and (more or kind not in OPENED):
        return f"it is answered: status {got.status}"
    if got.fields("access-control-allow-origin"):
        return "a script may read it"
    if got.status == 200 and "frame-ancestors 'none'" not in got.field("content-security-policy"):
        return "it may be framed"
    return "it was stored" if world.lasting() != before else world.broken_into()


async def article(world: World, payload: str) -> str:
    """A hostile document after the honest click: no script, and no origin of ours."""
    page = document(payload)
    asked = await send(world, page, FOREIGN["form"])
    if LexborHTMLParser(asked.body).css("script, iframe, object, embed, img, meta[http-equiv]"):
        return "the question holds markup of the page"
    fields = forms(asked.body)[-1][2]
    got = await send(world, fields["page"], honest(world), token=fields["token"])
    policy = got.field("content-security-policy")
    if got.status == 200 and ("sandbox" not in policy or "default-src 'none'" not in policy):
        return f"the article has the policy {policy!r}"
    if "allow-scripts" in policy or (got.status == 200 and "allow-same-origin" in policy):
        return f"the article has rights: {policy!r}"
    if LexborHTMLParser(got.body).css("script, iframe, object, embed, meta[http-equiv=refresh]"):
        return "the article holds what runs"
    return world.broken_into()


async def shown(world: World) -> str:
    """The counter-proof: what a person may do."""
    page = document()
    asked = await send(world, page, FOREIGN["form"])
    fields = forms(asked.body)[-1][2]
    got = await send(world, fields["page"], honest(world), token=fields["token"])
    return "" if got.status == 200 and MARK.encode() in got.body else f"status {got.status}"


def attempts() -> Iterator[Attempt]:
    for kind, fields in FOREIGN.items():
        tells = any(line.startswith(("Origin", "Sec-Fetch")) for line in fields)
        for proof in ("", "x", "1." + "A" * 24, *((CLICK,) if tells else ())):
            run = partial(unasked, fields=fields, kind=kind, proof=proof)
            yield Attempt("documents that sites send", f"{kind}, token {proof!r}", run)
    for payload in (payload for listed in PAYLOADS.values() for payload in listed):
        run = partial(article, payload=payload)
        yield Attempt("documents that sites send", f"after the click: {payload[:60]}", run)
    yield Attempt("counter-proofs", "a page that the reader sends is shown", shown)
