"""Golden pages: a page written for a test beside what each renderer makes of it.

A folder holds ``source.html`` and the ``expected.*`` of each format. What the extraction keeps is
said by the page itself: the text of elements with the attribute ``data-kept``. ``python -m
tests.pages`` writes the expected files anew; the difference is then reviewed by a person.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from winnow.document.document import Document
from winnow.document.render.reader.style import STYLE
from winnow.document.render.renderers import renderer_for
from winnow.document.values import Comments, Extraction, Format, Profile, Purpose, Recipe, Span
from winnow.engine.net.completion import completed
from winnow.engine.records.page_records import with_records

FOLDER = Path(__file__).parent
URL = "https://example.org/news/story.html"
PROFILES = {
    Profile.BASIC: "expected.basic.html",
    Profile.VOICE: "expected.voice.html",
}
FILES = {
    Format.HTML: "expected.html",
    Format.PRUNED: "expected.pruned.html",
    Format.TEXT: "expected.txt",
    Format.MARKDOWN: "expected.md",
    Format.JSON: "expected.json",
}


def names() -> list[str]:
    """The names of all golden pages."""
    return sorted(source.parent.name for source in FOLDER.glob("*/source.html"))


def marked(document: Document) -> Extraction:
    """An extraction that keeps the text of all elements with ``data-kept``.

    Where the root has a ``data-purpose``, the page's purpose, what belongs together is completed
    and records are looked for, as in every page that is read.
    """
    elements = range(len(document.elements))
    kept = [index for index in elements if "data-kept" in document.attributes_of(index)]
    inside = document.inside(np.array(kept, dtype=np.int64))
    pieces = document.pieces
    spans = (
        Span(int(pieces.start[piece]), int(pieces.end[piece])) for piece in np.flatnonzero(inside)
    )
    purpose = document.attributes_of(0).get("data-purpose") if len(document.elements) else None
    found = Extraction("marked", tuple(spans), purpose=Purpose(purpose) if purpose else None)
    if not purpose:
        return found
    return with_records(document, completed(document, found), Comments.FOLD)


def shown(name: str, form: Format, profile: Profile = Profile.READER) -> str:
    """A golden page in a format; the stylesheet, which is the same everywhere, is left out."""
    document = Document.from_html((FOLDER / name / "source.html").read_bytes(), URL)
    renderer = renderer_for(Recipe(format=form, profile=profile))
    body = renderer.render(document, marked(document)).body.decode()
    if form is Format.JSON:
        return json.dumps(json.loads(body), indent=1, ensure_ascii=False) + "\n"
    return body.replace(STYLE, "")


def expected(name: str, form: Format) -> str:
    """What a person found right."""
    return (FOLDER / name / FILES[form]).read_text("utf-8")


def write() -> None:
    """Write what the renderers make of every page now."""
    for name in names():
        for form, file in FILES.items():
            (FOLDER / name / file).write_text(shown(name, form), "utf-8")
        for profile, file in PROFILES.items():
            (FOLDER / name / file).write_text(shown(name, Format.HTML, profile), "utf-8")
