"""A newspaper of twelve stories, written for the demonstration of learned layouts.

Each story has the same two boxes between its paragraphs, marked up as if they were paragraphs too:
on one page nothing tells them from the story.
"""

from __future__ import annotations

from itertools import product
from typing import Final

HOST: Final = "harbour-observer.example"
BOXES: Final = (
    "Every Friday our newsletter brings the week's stories from the quays to your letter box, "
    "together with the tides, the market prices and a puzzle for the whole family.",
    "The Harbour Observer belongs to its readers. A membership costs less than a cup of coffee a "
    "week, and it pays for the reporters who wrote the story that you are reading now.",
)
BOATS: Final = (
    "Marigold",
    "Sea Thistle",
    "Old Friend",
    "Kittiwake",
    "Evening Star",
    "Two Brothers",
    "Provider",
    "Bluebell",
    "Northern Light",
    "Grey Heron",
    "Morning Tide",
    "Lucky Penny",
)
CARGO: Final = ("barley", "slate", "herring", "timber", "coal", "apples", "wool", "cement")
PLACES: Final = ("Saltby", "Cray Point", "the Narrows", "Hollin Bay", "Ferryside", "Old Quay")
PEOPLE: Final = ("the harbour master", "her owner", "the mate", "a fisherman", "the pilot")
FORMS: Final = (
    "The {boat} came into {place} before dawn with {cargo} in her hold, and {person} was the first "
    "on the quay to see how low she lay in the water.",
    "At {place} they say that no ship has carried so much {cargo} since the {boat} was built, and "
    "{person} has the books to prove it.",
    "When the wind went round, {person} had the {boat} moved to {place}, where the {cargo} could "
    "be landed without waiting for the next high water.",
    "Nobody at {place} would say what the {cargo} had cost, but {person} told us that the {boat} "
    "will sail again as soon as the weather allows it.",
)
MENU: Final = ("News", "Tides", "Market", "Weather", "Letters", "Notices")


def path(number: int) -> str:
    """Where story ``number`` (0 to 11) stands."""
    return f"/story/{BOATS[number].lower().replace(' ', '-')}"


def sentences(number: int) -> list[str]:
    """Twelve sentences that no other story has."""
    lines = []
    for place, (form, turn) in enumerate(product(FORMS, range(3))):
        step = place + turn + number
        words = {
            "boat": BOATS[number],
            "cargo": CARGO[(step * 3) % len(CARGO)],
            "place": PLACES[(step * 5 + turn) % len(PLACES)],
            "person": PEOPLE[step % len(PEOPLE)],
        }
        lines.append(form.format(**words))
    return lines


def _paragraph(text: str) -> str:
    """A box stands in an element of its own."""
    paragraph = f"<p>{text}</p>"
    return f'<div class="offer">{paragraph}</div>' if text in BOXES else paragraph


def story(number: int) -> str:
    """The whole page."""
    lines = sentences(number)
    paragraphs = [" ".join(lines[start : start + 2]) for start in range(0, 12, 2)]
    body = [*paragraphs[:2], BOXES[0], *paragraphs[2:4], BOXES[1], *paragraphs[4:]]
    menu = "".join(f'<li><a href="/{item.lower()}">{item}</a></li>' for item in MENU)
    boat = BOATS[number]
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f"<title>The {boat} and her cargo - The Harbour Observer</title></head><body>"
        f'<div class="top"><ul class="menu">{menu}</ul></div>'
        f'<div class="story"><h1>The {boat} and her cargo</h1>'
        + "".join(map(_paragraph, body))
        + '</div><div class="foot"><p><a href="/imprint">Imprint</a> <a href="/terms">Terms</a> '
        "The Harbour Observer, printed at the Old Quay since the year of the great flood."
        "</p></div></body></html>"
    )
