"""Pages made up for benchmarks, the same on every machine, of any size."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

_WORDS = (
    "the of and to in is it that was for on are with as his they at be this from have or by one "
    "had not but what all were when we there can an your which their said if do will each about "
    "how up garden river evening letter window market journey picture question mountain"
).split()


def page(size: int, seed: int = 0) -> bytes:
    """An HTML page of about ``size`` bytes; the same for the same arguments."""
    random = Random(seed)  # noqa: S311 - repeatable on purpose, nothing secret
    parts = ["<!DOCTYPE html><html lang=en><head><title>A page</title></head><body>", _menu(random)]
    length = sum(map(len, parts))
    for part in _stories(random):
        if length >= size:
            break
        parts.append(part)
        length += len(part)
    parts.append("<footer><p>All rights reserved.</p></footer></body></html>")
    return "".join(parts).encode()


def typical(size: int, seed: int = 0) -> bytes:
    """A page of about ``size`` bytes with as many words as pages of that size have in the wild.

    Of 100 kB those have some 2,200 words; the rest are scripts and attributes, as here.
    """
    random = Random(seed)  # noqa: S311 - as above
    text = page(max(size // 5, 1_000), seed).decode()
    head, story, foot = text.partition('<div class="story')
    blocks = (story + foot).split("\n")
    share = (size - len(text)) // max(len(blocks), 1)
    filled = "\n".join(f"{block}\n{_ballast(random, share)}" for block in blocks[:-1])
    return f"{head}{filled}\n{blocks[-1]}".encode()


def _ballast(random: Random, size: int) -> str:
    """What stands between stories: scripts, and empty boxes with many attributes."""
    name = random.choice(_WORDS)
    box = (
        f'<div class="{name} ad-{name} w-full" data-{name}="{random.random()}"><span></span></div>'
    )
    boxes = box * (size // 5 // len(box))
    left = max(size - len(boxes) - 80, 0)
    return f"{boxes}<script>var {name} = '{'x=1;' * (left // 4)}';</script>"


def _stories(random: Random) -> Iterator[str]:
    makers = (_paragraph,) * 6 + (_menu, _table, _comment, _script)
    while True:
        yield random.choice(makers)(random)


def _text(random: Random, count: int) -> str:
    return " ".join(random.choices(_WORDS, k=count))


def _paragraph(random: Random) -> str:
    text = _text(random, random.randint(20, 60))
    link = f'<a href="/{random.choice(_WORDS)}">{_text(random, 3)}</a>'
    paragraph = f"<p>{text} {link}, <b>{text[:40]}</b>.</p>"
    return f'<div class="story s{random.randint(1, 9)}">{paragraph}</div>\n'


def _menu(random: Random) -> str:
    items = (
        f'<li class="item"><a href="/{word}/x">{word.title()}</a></li>'
        for word in random.choices(_WORDS, k=8)
    )
    return f'<nav id="menu"><ul>{"".join(items)}</ul></nav>\n'


def _table(random: Random) -> str:
    row = "".join(f"<td>{_text(random, 2)}</td>" for _ in range(4))
    return f"<table>{f'<tr>{row}</tr>' * 5}</table>\n"


def _comment(random: Random) -> str:
    return (
        f"<!-- {_text(random, 10)} --><ul><li>{_text(random, 15)}<br>{_text(random, 9)}</li></ul>\n"
    )


def _script(random: Random) -> str:
    lines = "f(x);" * 120
    return f"<script>var x = {{'{random.choice(_WORDS)}': {random.random()}}};{lines}</script>\n"
