"""Pages of one site, written for the tests: a menu, a widget, an article, a footer."""

from __future__ import annotations

import random

from winnow.document.document import Document
from winnow.document.values import Page

WORDS = (
    "harbour lantern meadow copper thistle raven orchard pebble timber willow ember quarry saddle "
    "marble velvet anchor bramble cinder falcon garnet hollow ivory juniper kettle lichen mosaic"
).split()

MENU = "".join(f'<li><a href="/{word}">{word.title()}</a></li>' for word in WORDS[:8])
WIDGET = (
    "Our newsletter brings the best of the week to your letter box every Friday morning, free of "
    "charge and without any obligation, and more than forty thousand readers swear by it."
)
FOOTER = "All rights reserved. Nothing on these pages may be printed without our written consent."


def prose(seed: int, sentences: int) -> str:
    """Sentences that no other seed makes."""
    dice = random.Random(seed)
    made = (" ".join(dice.choices(WORDS, k=14)).capitalize() for _ in range(sentences))
    return " ".join(f"{sentence}, {seed}." for sentence in made)


def markup(number: int, paragraphs: int = 4, story: str = "story-{}") -> str:
    """Page ``number`` of the site. ``story``: the class of its story, with the number."""
    told = [f"<p>{prose(number * 100 + place, 3)}</p>" for place in range(paragraphs)]
    first, rest = "".join(told[:2]), "".join(told[2:])
    return (
        f"<html><head><title>Story {number} - The Paper</title></head><body>"
        f'<ul class="menu">{MENU}</ul><div id="story" class="{story.format(number)}">'
        f"<h1>{prose(number, 1)}</h1>{first}"
        f'<div class="letter"><p>{WIDGET}</p></div>{rest}</div>'
        f'<div class="foot"><p>{FOOTER}</p></div></body></html>'
    )


def page(number: int) -> Page:
    """Page ``number`` at its address."""
    return Page(markup(number).encode(), f"https://paper.example/story/{number}")


def document(number: int) -> Document:
    """The same, parsed."""
    return Document.parse(page(number))
