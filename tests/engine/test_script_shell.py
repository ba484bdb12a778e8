"""Pages that scripts write are recognised, read from their own data, or refused with a reason."""

from __future__ import annotations

import json

import pytest

from winnow.document.document import Document
from winnow.document.values import Format, Page, Recipe
from winnow.engine.pipeline import transform
from winnow.engine.script_shell import SCRIPT_SHELL, shell_sign, with_carried_text
from winnow.jobs.job_types import PipelineError

TITLE = "The river rose again"
TEXT = "The river rose by nine centimetres on Friday, the town of Hall says, and more is due. "
BODY = "".join(f"<p>{number}. {TEXT}</p>" for number in range(12))
DATA = json.dumps({"props": {"article": {"title": TITLE, "body": BODY}}})
SCRIPT = "<script src=/app.js></script>"
PLEA = "<noscript>You need to enable JavaScript to run this app.</noscript>"
SHELLS = {
    "mount point": f"<title>{TITLE}</title><div id=root></div>{SCRIPT}",
    "mount point with a comment": f"<title>A</title><div id=app><!-- ssr --></div>{SCRIPT}",
    "custom element": f"<title>A</title><app-root></app-root>{SCRIPT}",
    "plea": f"<title>A</title><p>Loading, one moment</p>{PLEA}{SCRIPT}",
    "plea of another language": f"<p>…<noscript>Bitte JavaScript einschalten</noscript>{SCRIPT}",
    "nothing but scripts": f"<title>A</title>{SCRIPT}{SCRIPT}",
}
OTHERS = {
    "an article": f"<title>{TITLE}</title><article><h1>{TITLE}</h1>{BODY}</article>{PLEA}{SCRIPT}",
    "an article in a noscript": f"<div id=root></div><noscript>{BODY}</noscript>{SCRIPT}",
    "a search page": f"<title>Find</title><form><input name=q></form>{PLEA}{SCRIPT}",
    "a short note without scripts": "<title>A</title><p>Back on Monday.",
    "a short note with a counter": f"<p>{TEXT}{SCRIPT}",
    "a frame that counts": f"<p>{TEXT}<noscript><iframe src=//a.test/js></noscript>{SCRIPT}",
}


@pytest.mark.parametrize("name", SHELLS)
def test_a_shell_is_recognised_and_refused_with_a_sentence(name: str) -> None:
    page = Page(f"<!doctype html>{SHELLS[name]}".encode())
    assert shell_sign(Document.parse(page)).endswith(".")
    with pytest.raises(PipelineError, match="scripts write its text") as caught:
        transform(page, Recipe())
    assert caught.value.failure.reason == SCRIPT_SHELL


@pytest.mark.parametrize("name", OTHERS)
def test_what_can_be_read_or_used_is_no_shell(name: str) -> None:
    assert not shell_sign(Document.from_html(f"<!doctype html>{OTHERS[name]}"))


def test_the_text_that_a_shell_carries_is_its_article() -> None:
    script = f"<script id=__NEXT_DATA__ type=application/json>{DATA}</script>"
    page = Page(f"<!doctype html><title>{TITLE}</title><div id=__next></div>{script}".encode())
    rendered = transform(page, Recipe(format=Format.TEXT))
    assert rendered.title == TITLE
    assert rendered.body.decode().count("The river rose by nine") == 12
    assert any("__NEXT_DATA__" in reason for reason in rendered.reasons)


def test_markup_in_the_data_is_sanitised_as_any() -> None:
    evil = BODY + "<script>alert(1)</script><img src=x onerror=alert(1)><a href=javascript:a>b</a>"
    data = json.dumps({"title": TITLE, "body": evil}).replace("<", "\\u003c")
    script = f"<script type=application/json>{data}</script>"
    page = Page(f"<!doctype html><title>{TITLE}</title><div id=app></div>{script}".encode())
    shown = transform(page, Recipe()).body.decode()
    assert "river rose" in shown
    assert "alert" not in shown
    assert "javascript:" not in shown


def test_a_page_with_text_of_its_own_is_not_read_from_its_data() -> None:
    script = f"<script type=application/json>{DATA}</script>"
    document = Document.from_html(f"<title>A</title><p>{TEXT * 9}</p>{script}")
    same, reason = with_carried_text(document)
    assert same is document
    assert not reason
