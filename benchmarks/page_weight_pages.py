"""Written pages of 1 to 5 MB: an article with photographs, style sheets, scripts and menus.

Nothing of them is anybody's: words, rules, code and pixels are drawn from a seed.
"""

from __future__ import annotations

import io
import random
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from PIL import Image

from benchmarks.audio_files import _WORDS as WORDS

PAGES: Final = 30


@dataclass(frozen=True)
class WrittenPage:
    """``files``: all that the page loads, by path; its first is the page."""

    path: str
    files: dict[str, tuple[bytes, str]] = field(default_factory=dict)
    photographs: tuple[str, ...] = ()


def written_page(number: int) -> WrittenPage:
    """The page of a number; each is another."""
    chance = random.Random(number)  # noqa: S311 - a benchmark's text
    base = f"/{number}"
    photographs = tuple(f"{base}/photo{place}.jpg" for place in range(chance.randint(4, 9)))
    styles = [f"{base}/style{place}.css" for place in range(chance.randint(2, 4))]
    scripts = [f"{base}/script{place}.js" for place in range(chance.randint(3, 8))]
    files = {
        f"{base}/": (_markup(chance, photographs, styles, scripts), "text/html; charset=utf-8")
    }
    files |= {path: (_rules(chance), "text/css") for path in styles}
    files |= {path: (_code(chance), "text/javascript") for path in scripts}
    files |= {path: (_photograph(chance), "image/jpeg") for path in photographs}
    return WrittenPage(f"{base}/", files, photographs)


def _sentence(chance: random.Random) -> str:
    return " ".join(chance.choices(WORDS, k=chance.randint(9, 22))).capitalize() + "."


def _paragraph(chance: random.Random) -> str:
    return "<p>" + " ".join(_sentence(chance) for _ in range(chance.randint(3, 6))) + "</p>"


def _links(chance: random.Random, name: str, count: int) -> str:
    items = "".join(
        f'<li class="{name}__item {name}__item--{place}"><a class="{name}__link" '
        f'data-track="{name}-{chance.getrandbits(48):x}" href="/{chance.getrandbits(40):x}">'
        f"{' '.join(chance.choices(WORDS, k=chance.randint(1, 7)))}</a></li>"
        for place in range(count)
    )
    return f'<div class="{name}"><ul class="{name}__list">{items}</ul></div>'


def _markup(
    chance: random.Random, photographs: tuple[str, ...], styles: list[str], scripts: list[str]
) -> bytes:
    title = " ".join(chance.choices(WORDS, k=7)).capitalize()
    figures = [
        f'<figure class="story__figure"><img src="{path}" alt="A photograph" width="1600" '
        f'height="1067"><figcaption>{_sentence(chance)}</figcaption></figure>'
        for path in photographs
    ]
    body = "".join(
        figure + "".join(_paragraph(chance) for _ in range(chance.randint(2, 4)))
        for figure in figures
    )
    head = "".join(f'<link rel="stylesheet" href="{path}">' for path in styles)
    head += "".join(f'<script src="{path}" async></script>' for path in scripts)
    state = ",".join(
        f'"{chance.getrandbits(32):x}":"{chance.getrandbits(96):x}"' for _ in range(200)
    )
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>{head}'
        f"<script>window.__STATE__={{{state}}}</script></head><body>"
        f"<header>{_links(chance, 'menu', 60)}</header><main><article><h1>{title}</h1>"
        f"{body}</article></main><aside>{_links(chance, 'related', 60)}"
        f"{_links(chance, 'most-read', 40)}</aside>"
        f"<footer>{_links(chance, 'footer', 80)}</footer></body></html>"
    ).encode()


def _rules(chance: random.Random) -> bytes:
    return "\n".join(
        f".{chance.choice(WORDS)}__{chance.choice(WORDS)}--{chance.getrandbits(20):x}"
        f"{{margin:{chance.randint(0, 40)}px;color:#{chance.getrandbits(24):06x}}}"
        for _ in range(chance.randint(500, 3000))
    ).encode()


def _code(chance: random.Random) -> bytes:
    return "".join(
        f"function {chance.choice(WORDS)}{chance.getrandbits(30):x}(a,b){{"
        f"return a.{chance.choice(WORDS)}({chance.getrandbits(16)},b)}}"
        for _ in range(chance.randint(1000, 5000))
    ).encode()


def _photograph(chance: random.Random) -> bytes:
    """Shapes with grain: as hard to compress as a photograph of this width."""
    pixels = np.random.default_rng(chance.getrandbits(32))
    coarse = pixels.integers(0, 255, (24, 36, 3), dtype=np.uint8)
    shapes = Image.fromarray(coarse).resize((1600, 1067), Image.Resampling.BICUBIC)
    fine = pixels.integers(0, 255, (267, 400, 3), dtype=np.uint8)
    detail = Image.fromarray(fine).resize((1600, 1067), Image.Resampling.BILINEAR)
    grain = Image.fromarray(pixels.integers(0, 255, (1067, 1600, 3), dtype=np.uint8))
    mixed = Image.blend(Image.blend(shapes, detail, 0.22), grain, 0.06)
    out = io.BytesIO()
    mixed.save(out, "JPEG", quality=chance.randint(70, 88))
    return out.getvalue()
