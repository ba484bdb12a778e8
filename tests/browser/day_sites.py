"""Written sites of all kinds, on which a person reads and gets things done; they know no proxy.

What was done is noted in ``Town.done``, so that a task counts only where its site says so.
"""

from __future__ import annotations

import io
import wave
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from html import escape

from aiohttp import web

Handler = Callable[[web.Request], Awaitable[web.Response]]
SUBJECTS = (
    *("ferry", "bridge", "market", "library", "orchard", "harbour", "school", "tower", "mill"),
    *("garden", "station", "museum", "theatre", "bakery", "forest", "island", "canal", "hospital"),
)
_SENTENCES = (
    "The {0} was closed for most of the winter, because the water had come up to its windows.",
    "Last week the council decided, after three long meetings, to repair it before the summer.",
    "“Nobody here wants to lose the {0},” said the mayor, who has known it since she was a child.",
    "The work will cost less than was feared, for much of it is done by people of the town.",
    "Until then visitors are asked to take the road along the river, which is open all day.",
    "Those who remember the old {0} say that it was smaller, darker and a great deal colder.",
    "A plan of the new one hangs in the town hall, where everybody may look at it until Friday.",
)
_LINKS = ("Home", "World", "Business", "Sport", "Weather", "Culture", "Contact", "Help", "About")


def paragraphs(subject: str) -> list[str]:
    """What an article about a subject says; each paragraph has words of its own."""
    lines = [line.format(subject) for line in _SENTENCES]
    return [" ".join(lines[at : at + 3]) for at in range(0, 5)]


def frame(title: str, main: str, head: str = "") -> str:
    """A page with a header, a menu, a side column and a footer around ``main``."""
    menu = "".join(f"<li><a href=/{link.lower()}>{link}</a></li>" for link in _LINKS)
    aside = "".join(f"<li><a href=/top/{n}>Most read number {n}</a></li>" for n in range(6))
    return (
        f"<!doctype html><html lang=en><head><meta charset=utf-8><title>{title}</title>"
        '<meta name=viewport content="width=device-width">'
        "<style>nav ul{display:flex;flex-wrap:wrap;gap:1em;list-style:none}</style>"
        f"{head}</head><body><header><a href=/>Logo</a><nav><ul>{menu}</ul></nav></header>"
        f"<main>{main}</main><aside><h2>Most read</h2><ul>{aside}</ul></aside>"
        "<footer><p>All rights reserved. <a href=/imprint>Imprint</a> <a href=/privacy>Privacy</a>"
        "</p></footer></body></html>"
    )


def article(subject: str, more: str = "") -> str:
    text = "".join(f"<p>{line}</p>" for line in paragraphs(subject))
    title = f"The {subject} will open again"
    return frame(title, f"<article><h1>{title}</h1><p>By Anna Berg</p>{text}</article>{more}")


def form(action: str, fields: str, button: str, method: str = "post") -> str:
    return f"<form action={action} method={method}>{fields}<button>{button}</button></form>"


def labelled(name: str, label: str, kind: str = "text", more: str = "") -> str:
    return f"<p><label>{label} <input name={name} type={kind} {more}></label></p>"


COMMENT = "<section><h2>Comments</h2><p>Ben: I shall miss it.</p>" + form(
    "/comment", "<p><label>Your comment <textarea name=text></textarea></label></p>", "Send comment"
)
LOGIN = frame(
    "Log in",
    "<h1>Log in</h1>"
    + form("/login", labelled("name", "Name") + labelled("word", "Password", "password"), "Log in")
    + "<p><a href=/signup>Create an account</a></p>",
)
SIGNUP = frame(
    "Create an account",
    "<h1>Create an account</h1>"
    + form(
        "/signup",
        labelled("name", "Name")
        + labelled("mail", "E-mail", "email")
        + labelled("word", "Password", "password")
        + labelled("agreed", "I agree to the terms", "checkbox"),
        "Sign up",
    ),
)
PAY = frame(
    "Payment",
    "<h1>Payment</h1><p>Total: 24.90 €</p>"
    + form(
        "/pay",
        labelled("card", "Card number", "text", "autocomplete=cc-number inputmode=numeric")
        + labelled("until", "Expires", "text", "autocomplete=cc-exp")
        + labelled("code", "Security code", "text", "autocomplete=cc-csc"),
        "Pay now",
    ),
)
PRODUCT = frame(
    "Copper kettle",
    "<h1>Copper kettle</h1><img src=/kettle.png alt=Kettle width=320 height=200>"
    "<p>Price: <span itemprop=price>24.90</span> €</p>"
    "<p>A kettle of beaten copper for two litres, made by hand in a small workshop by the sea. It "
    "keeps tea warm for an hour and whistles when the water boils.</p>"
    + form(
        "/cart",
        "<input type=hidden name=item value=kettle><p><label>Quantity <select name=many><option>1"
        "<option>2</select></label></p>",
        "Add to cart",
    ),
    '<script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":'
    '"Copper kettle","offers":{"@type":"Offer","price":"24.90","priceCurrency":"EUR"}}</script>',
)
SEARCH = frame(
    "Search", "<h1>Search</h1>" + form("/results", labelled("q", "Words", "search"), "Go", "get")
)
RECIPE = frame(
    "Plum cake",
    "<article><h1>Plum cake</h1><p>The cake that everybody asks for when the plums are ripe. It is "
    "quickly made and tastes best on the second day, if there is anything left of it by then.</p>"
    "<h2>Ingredients</h2><ul><li>300 g flour</li><li>150 g butter</li><li>100 g sugar</li>"
    "<li>2 eggs</li><li>1 kg plums</li></ul><h2>Method</h2><ol><li>Knead flour, butter, sugar and "
    "eggs to a smooth dough and leave it in a cool place for an hour.</li><li>Roll it out, cover "
    "it with the halved plums and bake it for forty minutes at 180 degrees.</li></ol></article>",
    '<script type="application/ld+json">{"@context":"https://schema.org","@type":"Recipe","name":'
    '"Plum cake","recipeIngredient":["300 g flour","150 g butter"]}</script>',
)
APPLICATION = (
    "<!doctype html><html lang=en><head><title>Mail</title></head><body><div id=root>Loading ..."
    "</div><script>fetch('/messages').then(reply => reply.json()).then(found => {"
    "root.innerHTML = '<h1>Inbox</h1><ul>' + found.map(text => '<li>' + text + '</li>').join('') +"
    "'</ul><button id=archive>Archive</button>'; archive.onclick = () => fetch('/archive',"
    "{method: 'POST'}).then(() => archive.textContent = 'Archived'); })</script></body></html>"
)
ROBOT = frame("One moment", "<h1>Are you human?</h1>" + form("/human", "", "I am human"))


SWIM = "Where to swim?"


def thread() -> str:
    posts = "".join(
        f"<div class=post><b>{who}</b><p>{' '.join(paragraphs(subject)[:2])}</p></div>"
        for who, subject in zip(("Anna", "Ben", "Cleo", "Dora"), SUBJECTS, strict=False)
    )
    answer = "<p><label>Answer <textarea name=text></textarea></label></p>"
    return frame(
        "Where to swim?", f"<h1>Where to swim?</h1>{posts}" + form("/reply", answer, "Reply")
    )


def listing(title: str, links: dict[str, str]) -> str:
    teasers = "".join(
        f"<li><h3><a href={path}>{text}</a></h3><p>A short teaser of it.</p></li>"
        for path, text in links.items()
    )
    return frame(title, f"<h1>{title}</h1><ul>{teasers}</ul>")


def tone() -> bytes:
    """A second of silence as a WAV file."""
    made = io.BytesIO()
    with wave.open(made, "wb") as file:
        file.setparams((1, 2, 8000, 0, "NONE", ""))
        file.writeframes(bytes(16000))
    return made.getvalue()


NEWS = listing("News of today", {f"/{each}": f"The {each} opens" for each in SUBJECTS})
SHOP = listing("Kettles and cups", {"/kettle": "Copper kettle, 24.90 €", "/cup": "Cup, 4.50 €"})
PLAYER = (
    article("radio", "<h2>Listen</h2><audio controls preload=metadata src=/talk.wav></audio>")
    .replace("</article>", "", 1)
    .replace("</main>", "</article></main>")
)
FILES = article("report").replace(
    "</article>", "<p><a href=/report.csv download>Download the figures</a></p></article>"
)


@dataclass
class Town:
    """All sites; ``done`` has what was done on them, in order."""

    done: list[str] = field(default_factory=list)

    def pages(self) -> dict[str, dict[str, str]]:
        """Pages that are always the same, by host and path."""
        news = {f"/{each}": article(each, COMMENT) for each in SUBJECTS}
        guides = {f"/guide/{each}": article(each) for each in SUBJECTS[:4]}
        return {
            "news.example": {"/": NEWS, **news},
            "docs.example": {"/": listing("Guides", {g: g for g in guides}), **guides},
            "forum.example": {"/": listing("Forum", {"/swim": SWIM}), "/swim": thread()},
            "search.example": {"/": SEARCH},
            "recipes.example": {"/": RECIPE},
            "files.example": {"/": FILES},
            "radio.example": {"/": PLAYER},
            "accounts.example": {"/": LOGIN, "/signup": SIGNUP},
            "shop.example": {"/": SHOP, "/kettle": PRODUCT, "/pay": PAY},
            "mail.example": {"/": APPLICATION},
            "guarded.example": {"/": ROBOT},
        }

    async def serve(self, request: web.Request) -> web.Response:
        """The page of whichever host is asked."""
        host = request.host.partition(":")[0]
        known = self.pages().get(host, {}).get(request.path)
        if request.method == "GET" and known:
            return web.Response(text=known, content_type="text/html")
        handlers: dict[tuple[str, str], Handler] = {
            ("accounts.example", "/login"): self._log_in,
            ("accounts.example", "/inside"): self._inside,
            ("search.example", "/results"): self._results,
            ("shop.example", "/cart"): self._cart,
            ("mail.example", "/messages"): _messages,
            ("files.example", "/report.csv"): _report,
            ("radio.example", "/talk.wav"): self._talk,
        }
        handler = handlers.get((host, request.path))
        if handler:
            return await handler(request)
        if request.method == "POST":
            return await self._noted(request)
        return web.Response(status=404, text="<h1>Not found</h1>", content_type="text/html")

    async def _noted(self, request: web.Request) -> web.Response:
        """A form that needs no more than to be sent: done with all its fields filled in."""
        text = ", ".join(f"{name}={value}" for name, value in (await _sent(request)).items())
        self.done.append(f"{request.path} {text}".strip())
        thanks = frame("Thank you", f"<h1>Thank you</h1><p>{escape(text)}</p>")
        return web.Response(text=thanks, content_type="text/html")

    async def _log_in(self, request: web.Request) -> web.Response:
        sent = await _sent(request)
        if sent.get("word") != "secret":
            return web.Response(text=LOGIN, content_type="text/html", status=403)
        led = web.Response(status=303, headers={"Location": "/inside"})
        led.set_cookie("session", sent["name"], httponly=True)
        return led

    async def _inside(self, request: web.Request) -> web.Response:
        name = request.cookies.get("session", "")
        if not name:
            return web.Response(status=303, headers={"Location": "/"})
        self.done.append(f"/inside {name}")
        main = f"<h1>Hello {escape(name)}</h1>" + form("/logout", "", "Log out")
        return web.Response(text=frame("Your account", main), content_type="text/html")

    async def _results(self, request: web.Request) -> web.Response:
        words = request.query.get("q", "")
        self.done.append(f"/results {words}")
        found = [each for each in SUBJECTS if words and words in each]
        links = {f"http://news.example/{each}": f"The {each} opens" for each in found}
        return web.Response(text=listing(f"Results for {words}", links), content_type="text/html")

    async def _cart(self, request: web.Request) -> web.Response:
        sent = await _sent(request)
        self.done.append(f"/cart {sent.get('many')} {sent.get('item')}")
        main = (
            f"<h1>Your cart</h1><p>{sent.get('many')} copper kettle</p><p><a href=/pay>To pay</a>"
        )
        return web.Response(text=frame("Your cart", main), content_type="text/html")

    async def _talk(self, request: web.Request) -> web.Response:
        self.done.append("/talk.wav")
        return web.Response(body=tone(), content_type="audio/wav")


async def _sent(request: web.Request) -> dict[str, str]:
    """The fields of a form that were filled in."""
    return {name: str(value) for name, value in (await request.post()).items() if value}


async def _messages(request: web.Request) -> web.Response:
    return web.json_response(["The kettle is on its way", "Meeting on Friday"])


async def _report(request: web.Request) -> web.Response:
    return web.Response(text="a,b\n1,2\n", content_type="text/csv")
