"""``python -m tests.ungated PACKAGE...``: that no page looks different where every step is entered.

What ``winnow.document.parsing.signature.needs`` says of a step is held to what the step does: a
document whose signature has every bit is shown as the same document with its own.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from random import Random

from winnow.config.purpose_settings import PurposeSettings
from winnow.document.document import Document
from winnow.document.errors import AmbiguousMarkupError
from winnow.document.parsing.inline_spacing import with_blanks
from winnow.document.parsing.scan import scan
from winnow.document.parsing.signature import WORDS
from winnow.document.purposes import treatments_of
from winnow.document.render.renderers import renderer_for
from winnow.document.values import Format, Page, Recipe
from winnow.engine.pipeline import extracted
from winnow.engine.script_shell import shell_sign
from winnow.evaluation.gold.packages import find, load

EVERY = -1
"""A signature that has every bit."""


def differences(page: Page) -> list[str]:
    """What is different where every step is entered."""
    document = Document.parse(page)
    own, every = (_shown(each) for each in (document, replace(document, signature=EVERY)))
    return [name for name in own if own[name] != every[name]] + _spacing(document.markup)


def _shown(document: Document) -> dict[str, object]:
    recipe = Recipe(treatments=treatments_of(PurposeSettings()))
    _, extraction = extracted(document, recipe)
    bodies = {
        kind.value: renderer_for(Recipe(format=kind)).render(document, extraction).body
        for kind in (Format.HTML, Format.JSON, Format.TEXT)
    }
    seen = document.hidden.tolist()
    return {**bodies, "extraction": extraction, "hidden": seen, "shell": shell_sign(document)}


def _spacing(markup: str) -> list[str]:
    try:
        own = scan(markup)
    except AmbiguousMarkupError:
        return []
    texts = {with_blanks(each, markup).text for each in (own, replace(own, signature=EVERY))}
    return ["spacing"] if len(texts) > 1 else []


def signed(page: bytes, seed: int) -> bytes:
    """A page with some of the signature's words put at places drawn for a number."""
    random = Random(seed)
    for word in random.choices(WORDS, k=random.randrange(4)):
        at = page.find(random.choice((b" ", b'"', b"<", b">")), random.randrange(len(page) + 1)) + 1
        page = page[:at] + word.encode() + page[at:]
    return page


def main(packages: list[str]) -> int:
    """Compare every page of some packages."""
    failed = 0
    for package in map(load, map(find, packages)):
        for entry in package:
            if found := differences(Page(entry.body, entry.url)):
                failed += 1
                sys.stdout.write(f"{package.name} {entry.id}: {', '.join(found)}\n")
        sys.stdout.write(f"{package.name}: {len(package)} pages\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
