"""engine/net/listings.py: code amid kept text is kept, code beside it is not."""

import pytest

from tests.engine.net.test_completion import STEP, shown

CODE = "<pre>depth --at inner</pre>"


@pytest.mark.parametrize("listing", [CODE, CODE * 2, f"<div class=code>{CODE}</div>"])
def test_code_between_kept_texts_stays(listing: str) -> None:
    assert "depth --at inner" in shown(f"<p>{STEP}</p>{listing}<p>{STEP}</p>", "depth --at inner")


def test_code_between_kept_siblings_stays_where_the_text_beside_it_goes() -> None:
    html = f"<div><p>{STEP}</p><p>Gone</p>{CODE}<p>Gone</p><ul><li>{STEP}</ul></div>"
    assert "depth --at inner" in shown(html, "depth --at inner", "Gone")


@pytest.mark.parametrize(
    "html",
    [
        f"{CODE}<p>{STEP}</p>",
        f"<p>{STEP}</p>{CODE}",
        f"<p>{STEP}</p><div><p>Gone</p>{CODE}</div><p>{STEP}</p>",
        f"<p>Gone</p>{CODE}<p>{STEP}</p>",
        f"<p>{STEP}</p><pre hidden>depth --at inner</pre><p>{STEP}</p>",
    ],
)
def test_other_code_stays_out(html: str) -> None:
    assert "depth --at inner" not in shown(html, "depth --at inner", "Gone")
