"""The picture of docs/mss.md: each token of the courier's page with its score, and the chosen run.

``python -m docs.mss_scores`` draws it from docs/courier/page.html, written for this.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from winnow.document.document import Document
from winnow.document.parsing import tags
from winnow.document.tokens import TAG
from winnow.evaluation.reporting.svg import Scale, element, image, note, text
from winnow.extractors.mss.mss_extractors import Mss, best_runs
from winnow.extractors.subsequence import Run, Scores

HERE: Final = Path(__file__).parent
WIDTH: Final = 980.0
LEFT: Final = 20.0
LETTER: Final = 6.7
LINE: Final = 17.0
TICK: Final = 5.0
CURVE: Final = 150.0
STYLE: Final = "text{font:11px ui-monospace,monospace;fill:#1b1b1b}.caption{font:12px sans-serif}"
INSIDE, OUTSIDE, RUN = "#0072b2", "#d55e00", "#009e73"


@dataclass(frozen=True, slots=True)
class Box:
    """Where one token stands in the picture: a word, or a tick for a tag."""

    token: int
    x: float
    line: int
    width: float
    word: str


def picture(document: Document) -> str:
    """The page's tokens in the order of its text, coloured; below, the sum of their scores."""
    extractor = Mss()
    p = extractor.probabilities(extractor.features(document))
    scores = p - 0.5
    run = best_runs(scores)[0]
    boxes = list(laid_out(document))
    bottom = (boxes[-1].line + 2) * LINE + 26
    parts = [*_words(document, boxes, scores), *_bar(boxes, run), *_curve(scores, run, bottom)]
    label = "Scores of a page's tokens and the run that maximum subsequence chooses"
    return image("".join(parts), WIDTH, bottom + CURVE + 40, label, STYLE)


def laid_out(document: Document) -> Iterator[Box]:
    """Words in lines as a browser without a style sheet would set them; tags before their word."""
    tokens, x, line, piece = document.tokens, LEFT, 0, -1
    for index in range(len(tokens)):
        if tokens.kind[index] == TAG:
            yield Box(index, x, line, TICK - 1, "")
            x += TICK
            continue
        word = document.text[tokens.start[index] : tokens.end[index]]
        first = tokens.piece[index] != piece
        piece = tokens.piece[index]
        width = LETTER * len(word) + 2
        if x + width > WIDTH - 20 or (
            first and document.pieces.gap[piece] >= tags.LINE and x > LEFT
        ):
            x, line = LEFT, line + 1
        yield Box(index, x, line, width, word)
        behind = document.text[tokens.end[index] : tokens.end[index] + 1]
        x += width + (LETTER - 3 if behind.isspace() else 0)


def _words(document: Document, boxes: list[Box], scores: Scores) -> Iterator[str]:
    for box in boxes:
        score, top = float(scores[box.token]), 24 + box.line * LINE
        name = document.name_of(int(document.tokens.element[box.token]))
        label = box.word or f"<{'/' if document.tokens.closing[box.token] else ''}{name}>"
        yield element(
            "rect",
            note(f"{label} {score:+.2f}"),
            x=box.x,
            y=top - 11,
            width=box.width,
            height=14,
            fill=INSIDE if score > 0 else OUTSIDE,
            fill_opacity=round(min(abs(score) * 1.3, 0.55), 2),
        )
        if box.word:
            yield text(box.word, box.x + 1, top)


def _bar(boxes: list[Box], run: Run) -> Iterator[str]:
    lines = [box.line for box in boxes if box.word and run.start <= box.token < run.end]
    top, end = 12 + lines[0] * LINE, 29 + lines[-1] * LINE
    yield element("rect", x=6, y=top, width=5, height=end - top, fill=RUN)


def _curve(scores: Scores, run: Run, top: float) -> Iterator[str]:
    """The sum of the scores from the page's first token on; the run climbs the most."""
    sums = np.append(0.0, np.cumsum(scores))
    across = Scale(0, len(scores), LEFT, WIDTH - 20)
    down = Scale(float(sums.min()), float(sums.max()), top + CURVE, top + 10)
    yield element(
        "rect", x=across(run.start), y=top, width=across(run.end) - across(run.start),
        height=CURVE + 10, fill=RUN, fill_opacity=0.15,
    )  # fmt: skip
    points = " ".join(f"{across(at):.1f},{down(float(each)):.1f}" for at, each in enumerate(sums))
    yield element("polyline", points=points, fill="none", stroke="#1b1b1b", stroke_width=1.5)
    below = top + CURVE + 28
    yield text("sum of the scores, token by token", LEFT, below, class_="caption")
    label = f"the chosen run: its sum, {run.total:.0f}, is the largest of all"
    yield text(label, WIDTH - 20, below, class_="caption", text_anchor="end")


def main() -> None:
    """Write the picture."""
    document = Document.from_html((HERE / "courier" / "page.html").read_bytes())
    (HERE / "images" / "mss.svg").write_text(picture(document) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
