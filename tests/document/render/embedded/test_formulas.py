"""Formulas are shown once, as MathML, and said in TeX where the page has it."""

from __future__ import annotations

import pytest

from winnow.document.document import Document
from winnow.document.render.embedded.formulas import tex_of, tex_of_picture
from winnow.document.render.renderers import renderer_for
from winnow.document.values import Extraction, Format, Profile, Recipe, Span

KATEX = (
    '<span class="katex"><span class="katex-mathml"><math><mi>a</mi></math></span>'
    '<span class="katex-html" aria-hidden="true">a</span></span>'
)


def shown(html: str, form: Format, profile: Profile = Profile.READER) -> str:
    document = Document.from_html(html)
    extraction = Extraction("all", (Span(0, len(document.text)),))
    return (
        renderer_for(Recipe(format=form, profile=profile))
        .render(document, extraction)
        .body.decode()
    )


@pytest.mark.parametrize(
    ("markup", "tex"),
    [
        ('<math alttext="x^2"><mi>x</mi></math>', "x^2"),
        (r'<math><annotation encoding="application/x-tex">a &lt;  b</annotation></math>', "a < b"),
        (r'<math alttext="{\displaystyle {a}+b}"></math>', "{a}+b"),
        (r'<math alttext="{\displaystyle a}+{b}"></math>', r"{\displaystyle a}+{b}"),
        ("<math><mi>x</mi></math>", ""),
    ],
)
def test_the_source_of_mathml(markup: str, tex: str) -> None:
    assert tex_of(markup) == tex


@pytest.mark.parametrize(
    "address",
    [
        "https://wikimedia.org/api/rest_v1/media/math/render/svg/9f",
        "//upload.wikimedia.org/math/a/b/c/abc.png",
        "https://s0.wp.com/latex.php?latex=x",
        "https://latex.codecogs.com/gif.latex?x",
        "https://chart.googleapis.com/chart?cht=tx&amp;chl=x",
    ],
)
def test_a_picture_of_a_formula_is_its_alternative_text(address: str) -> None:
    image = f'<p>So <img alt="x_1" src="{address}"> is.</p>'

    assert tex_of_picture(image) == "x_1"
    assert shown(image, Format.TEXT) == "So $x_1$ is.\n"
    assert shown(image, Format.MARKDOWN) == "So $x_1$ is.\n"
    assert "<img" in shown(image, Format.HTML)


@pytest.mark.parametrize("address", ["photo.jpg", "data:image/png;base64,/math/render/"])
def test_other_pictures_are_pictures(address: str) -> None:
    assert tex_of_picture(f'<img alt="x" src="{address}">') == ""


def test_a_formula_in_two_forms_is_shown_once() -> None:
    assert shown(f"<p>If {KATEX}, then.</p>", Format.TEXT) == "If a, then.\n"


def test_glyphs_without_mathml_stay() -> None:
    html = '<p>If <span class="katex"><span class="katex-html">a</span></span>, then.</p>'

    assert shown(html, Format.TEXT) == "If a, then.\n"


def test_a_formula_that_the_method_dropped_stays_out() -> None:
    document = Document.from_html(f"<p>One.</p><div>{KATEX}</div>")
    extraction = Extraction("first", (Span(0, 4),))

    assert renderer_for(Recipe(format=Format.TEXT)).render(document, extraction).body == b"One.\n"


def test_a_display_formula_has_two_dollars() -> None:
    html = '<p>If</p><math display="block" alttext="x"><mi>x</mi></math><p>then.</p>'

    assert shown(html, Format.TEXT) == "If\n\n$$x$$\n\nthen.\n"


def test_a_formula_is_spoken_by_its_label_or_its_source() -> None:
    html = '<p>If <math aria-label="x squared" alttext="x^2"><mi>x</mi></math>, then'
    spoken = shown(html + ' <math alttext="y_1"><mi>y</mi></math>.</p>', Format.HTML, Profile.VOICE)

    assert 'aria-label="x squared"' in spoken
    assert 'aria-label="y_1"' in spoken


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        (r'<script type="math/tex">a &lt b_1 < c</script>', r"$a &lt b_1 < c$"),
        ('<script type="math/tex; mode=display">x  ^2\n</script>', "$$x ^2$$"),
        (
            '<span class="MathJax_Preview">x2</span><script type="math/tex">x^2</script>',
            "$x^2$",
        ),
        (
            '<span class="MathJax" id="MathJax-Element-1-Frame">x2</span>'
            '<script type="math/tex" id="MathJax-Element-1">x^2</script>',
            "x2",
        ),
        ('<script type="math/tex"></script>none', "none"),
        ("<script>'math/tex'</script>none", "none"),
    ],
)
def test_tex_in_scripts_is_shown_unless_it_was_drawn(markup: str, text: str) -> None:
    assert shown(f"<p>So {markup} is.</p>", Format.TEXT) == f"So {text} is.\n"
