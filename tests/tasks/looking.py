"""Pages of things and of links, and walls before pages."""

# ruff: noqa: E501 - markup is read best as it is written

from __future__ import annotations

from tests.tasks.fragments import Site
from tests.tasks.markup import CHANGED, Kind, Made, form, named


def cookie_wall(site: Site) -> Made:
    made = form("/consent", "", "Accept all") + form("/refuse", "", "Refuse")
    return (
        f"<div class=wall><h2>We value your privacy</h2><p>{site.sentences[2]}</p>{made}</div>",
        "any",
        ("Accept all", "Refuse"),
    )


def paywall(site: Site) -> Made:
    return (
        f"<article><h1>{site.subject}</h1>{site.prose(3)}<a href=/subscribe>Subscribe to read on</a></article>",
        "any",
        ("/subscribe",),
    )


COOKIES = (
    "<div class=cookie-notice><p>We use cookies to count visits and to remember what is in your cart. "
    "Read which ones, and for how long they are kept.</p></div>"
)


def product(site: Site) -> Made:
    data = '<script type="application/ld+json">{"@type":"Product","offers":{"@type":"Offer","price":"24.90"}}</script>'
    add = form("/cart", '<input name="count" value="1">', "Add to cart")
    return (
        f"{data}<h1>{site.things[0]}</h1><p class=price>€24.90</p>{add}{site.prose(3)}{COOKIES}",
        CHANGED,
        ("24.90", 'name="count"', "Add to cart"),
    )


def marked_product(site: Site) -> Made:
    price = '<div itemprop="offers" itemscope itemtype="https://schema.org/Offer">EUR <span itemprop="price">17.50</span></div>'
    body = f'<div itemscope itemtype="https://schema.org/Product"><h1>{site.things[1]}</h1>{price}{site.prose(2)}<button>Buy</button></div>{COOKIES}'
    return body, CHANGED, ("17.50", "Buy")


def listing(site: Site) -> Made:
    cards = "".join(
        f"<li><a href=/p/{n}><img src=/p/{n}.jpg>{t} {n}</a> <b>€{n + 9}.90</b>"
        for n, t in enumerate(site.things * 5)
    )
    return (
        f"<h1>{site.name}</h1><ul>{cards}</ul><a href=?page=2>Next</a>",
        "any",
        ("/p/7", "€19.90", "?page=2"),
    )


def results(site: Site) -> Made:
    hits = "".join(
        f"<li><a href=/r/{n}>{s[:40]}</a><p>{s[20:70]}</p>"
        for n, s in enumerate(site.sentences * 2)
    )
    made = form("/search", f'<input name="q" value="{site.subject}">', "Search", "get")
    return f"{made}<ol>{hits}</ol>", "any", ("/r/3", 'name="q"')


def forum_index(site: Site) -> Made:
    rows = "".join(
        f"<tr><td><a href=/t/{n}>{s[:50]}</a><td>{n * 7} posts<td>today"
        for n, s in enumerate(site.sentences * 2)
    )
    return f"<h1>Forum</h1><table>{rows}</table><a href=/new>New topic</a>", "any", ("/t/5", "/new")


def wiki_front(site: Site) -> Made:
    portals = "".join(
        f"<div><h2><a href=/w/{t}>{t}</a></h2><p><a href=/w/{t}/1>{s[:30]}</a>, <a href=/w/{t}/2>{s[30:55]}</a></p></div>"
        for t, s in zip(site.things, site.sentences, strict=False)
    )
    return f"<h1>Welcome</h1>{portals}", "any", (f"/w/{site.things[0]}",)


def gallery(site: Site) -> Made:
    images = "".join(
        f"<a href=/i/{n}><img src=/i/{n}.jpg alt='{t} {n}'></a>"
        for n, t in enumerate(site.things * 4)
    )
    return f"<h1>{site.things[3]}</h1><div>{images}</div>", "any", ("/i/3",)


def feed_reader(site: Site) -> Made:
    items = "".join(
        f"<li><a href=/f/{n}>{s[:45]}</a> <button name=read value={n}>Mark as read</button>"
        for n, s in enumerate(site.sentences)
    )
    return f"<ul>{items}</ul><button id=all>Mark all</button>", "any", ("/f/2",)


def poll(site: Site) -> Made:
    choices = "".join(
        f'<p><label><input type="radio" name="vote" value="{n}"> {t}</label></p>'
        for n, t in enumerate(site.things)
    )
    return f"<h1>{site.subject}?</h1>{form('/vote', choices, 'Vote')}", "any", named("vote")


def upload(site: Site) -> Made:
    return (
        f"<h1>{site.things[2]}</h1>"
        + form("/up", '<p>Your file: <input type="file" name="file"></p>', "Send"),
        "any",
        named("file"),
    )


def chat(site: Site) -> Made:
    said = "".join(f"<li><b>user{n}</b> {s[:25]}" for n, s in enumerate(site.sentences))
    return (
        f"<ul>{said}</ul><form action=/say><input name=say><input name=to></form><script src=/chat.js></script>",
        "any",
        named("say"),
    )


KINDS: tuple[Kind, ...] = (
    cookie_wall,
    paywall,
    product,
    marked_product,
    listing,
    results,
    forum_index,
    wiki_front,
    gallery,
    feed_reader,
    poll,
    upload,
    chat,
)
