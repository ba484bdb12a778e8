"""What of hidden text a rendering has: what a script would reveal, and no copy of what is shown."""

from __future__ import annotations

from winnow.document.document import Document
from winnow.document.render.selection import select
from winnow.document.values import Extraction, Span

TEXT = "".join(f"<p>Sentence number {n} of the story, which has ten words.</p>" for n in range(5))


def shown(html: str) -> str:
    document = Document.from_html(html)
    segments = select(document, Extraction("all", (Span(0, len(document.text)),)))
    starts, ends = segments.start.tolist(), segments.end.tolist()
    return " ".join(document.text[a:b] for a, b in zip(starts, ends, strict=True))


def test_a_hidden_copy_of_the_text_goes_though_it_is_most_of_it() -> None:
    found = shown(f"<div hidden>{TEXT}<p>And one more.</p></div><div>{TEXT}</div>")

    assert found.count("Sentence number 3") == 1
    assert "one more" not in found


def test_what_a_script_would_reveal_stays() -> None:
    assert "Sentence number 3" in shown(f"<div hidden>{TEXT}</div><p>Please wait.</p>")
    assert "Sentence number 3" not in shown(f"<div hidden>{TEXT}</div><p>{'Other words. ' * 50}")


def test_hidden_code_stays_unless_it_stands_elsewhere() -> None:
    code = "<pre{}>make install and make run it</pre>"

    assert "make run" in shown(TEXT + code.format(" hidden"))
    assert shown(TEXT + code.format(" hidden") + code.format("")).count("make run") == 1
