"""Pages that are read, with what can be done on them."""

# ruff: noqa: E501 - markup is read best as it is written

from __future__ import annotations

from tests.tasks.fragments import Site
from tests.tasks.markup import READ, Kind, Made, field, form, named


def article(site: Site) -> Made:
    return f"<article><h1>{site.subject}</h1>{site.prose(9)}</article>", READ, (site.sentences[0],)


def article_with_log_in(site: Site) -> Made:
    made = form("/in", field("User", "user") + field("Password", "pass", "password"), "Go")
    data = '<script type="application/ld+json">{"@type":"NewsArticle"}</script>'
    return (
        f"{data}<div class=login>{made}</div><article><h1>{site.subject}</h1>{site.prose(9)}</article>",
        READ,
        (*named("user", "pass"), site.sentences[0]),
    )


def article_with_newsletter(site: Site) -> Made:
    made = form("/letter", field("E-mail", "mail", "email"), "Subscribe")
    return (
        f"<article><h1>{site.subject}</h1>{site.prose(5)}<div class=box>{made}</div>{site.prose(5, 2)}</article>",
        READ,
        (),  # a newsletter is no task of the article: it goes with what is not for reading
    )


def article_with_comments(site: Site) -> Made:
    made = form("/comment", field("Name", "author") + "<textarea name=comment></textarea>", "Post")
    return (
        f"<article><h1>{site.subject}</h1>{site.prose(9)}</article><section><h2>Comments</h2>{made}</section>",
        READ,
        named("author", "comment"),
    )


def article_with_search(site: Site) -> Made:
    made = form("/search", '<input name="q" type="search">', "Search", "get")
    # A search of the site is no task of the article either.
    return f"{made}<article><h1>{site.subject}</h1>{site.prose(9)}</article>", READ, ()


def article_with_download(site: Site) -> Made:
    return (
        f"<article><h1>{site.subject}</h1>{site.prose(8)}<p>{site.sentences[4]} <a href=/r.pdf download>PDF</a>.</p>{site.prose(2, 1)}</article>",
        READ,
        ("/r.pdf",),
    )


def article_with_details(site: Site) -> Made:
    more = f"<details><summary>{site.things[1]}</summary>{site.prose(2, 3)}</details>"
    return (
        f"<article><h1>{site.subject}</h1>{site.prose(8)}{more}{site.prose(2, 1)}</article>",
        READ,
        (site.things[1],),
    )


def article_with_contents(site: Site) -> Made:
    parts = "".join(f"<h2 id=part{n}>{t}</h2>{site.prose(3, n)}" for n, t in enumerate(site.things))
    ways = "".join(f"<li><a href=#part{n}>{t}</a>" for n, t in enumerate(site.things))
    return (
        f"<article><h1>{site.subject}</h1><ol>{ways}</ol>{parts}</article>",
        READ,
        (site.things[2], site.sentences[3]),
    )


def manual(site: Site) -> Made:
    code = "<pre><code>boil --minutes 4 --lid closed\n</code></pre>"
    parts = "".join(f"<h2>{t}</h2>{site.prose(2, n)}{code}" for n, t in enumerate(site.things))
    return f"<h1>{site.subject} manual</h1>{parts}", READ, ("boil --minutes 4",)


def thread(site: Site) -> Made:
    posts = "".join(
        f"<div class=post id=p{n}><b class=author>user{n}</b><div class=message>{site.prose(2, n)}</div></div>"
        for n in range(8)
    )
    data = '<script type="application/ld+json">{"@type":"DiscussionForumPosting"}</script>'
    made = form("/reply", "<textarea name=reply></textarea>", "Reply")
    return (
        f"{data}<h1>{site.subject}?</h1>{posts}{made}",
        READ,
        (*named("reply"), site.sentences[1]),
    )


def question(site: Site) -> Made:
    data = '<script type="application/ld+json">{"@type":"QAPage"}</script>'
    answers = "".join(
        f"<div class=answer><p>{n} votes</p>{site.prose(3, n)}</div>" for n in range(3)
    )
    return (
        f"{data}<h1>{site.subject}?</h1><div class=question>{site.prose(2)}</div>{answers}",
        READ,
        (site.sentences[2],),
    )


def recipe(site: Site) -> Made:
    data = '<script type="application/ld+json">{"@type":"Recipe"}</script>'
    parts = "".join(f"<li>{n + 1} cups of {t.lower()}" for n, t in enumerate(site.things))
    return (
        f"{data}<h1>{site.things[0]}</h1>{site.prose(4)}<h2>Ingredients</h2><ul>{parts}</ul><h2>Steps</h2>{site.prose(4, 2)}",
        READ,
        tuple(t.lower() for t in site.things),
    )


KINDS: tuple[Kind, ...] = (
    article,
    article_with_log_in,
    article_with_newsletter,
    article_with_comments,
    article_with_search,
    article_with_download,
    article_with_details,
    article_with_contents,
    manual,
    thread,
    question,
    recipe,
)
