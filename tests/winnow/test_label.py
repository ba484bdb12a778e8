"""``winnow label``: rules and crawled pages to a test package that can be trained on."""

import gzip
import json
from pathlib import Path

import pytest

from tests.extractors.mss.pages import news
from winnow.cli import main
from winnow.document.document import Document
from winnow.evaluation.gold.packages import load
from winnow.evaluation.gold.rules import Gold, GoldRule, gold_of

RULES = """
[[site]]
host = "news.example"
main = "div.site0 > p"
headline = "h1"
drop = ".ad"
"""


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    path = tmp_path / "rules.toml"
    path.write_text(RULES)
    return path


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    folder = tmp_path / "crawl"
    pages = {
        "news.example/a": news(1).replace("so it ended", "so it <b class=ad>Buy!</b>ended"),
        "www.news.example/b": news(2),
        "news.example/other": "<p>No such layout</p>",
        "news.example/brief": "<div class=site0><p>Two words</p></div>",
        "news.example/tags": "<div class=site0><p>" + "<b>a</b> " * 60 + "</p></div>",
        "elsewhere.example/c": news(3),
    }
    for name, html in pages.items():
        path = folder / f"{name}.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(html)
    return folder


def test_pages_are_labelled_and_what_is_left_out_is_told(
    rules: Path, crawl: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["label", str(rules), str(crawl), "--out", str(tmp_path / "made")]) == 0
    told = capsys.readouterr().out
    assert told.startswith("2 pages labelled")
    for reason in ("1 without a rule", "1 without a match", "1 under 50 words", "1 over 20% tags"):
        assert reason in told
    entries = {entry.url: entry for entry in load(tmp_path / "made")}
    entry = entries["http://news.example/a.html"]
    assert entry.gold.startswith("Story 1 begins here")
    assert entry.gold.rstrip().endswith("so it ended.")
    assert entry.meta["title"] == "Headline 1"
    assert entry.snippets("variants")[0].startswith("Headline 1\n\nStory 1")


def test_a_labelled_package_can_be_trained_on(rules: Path, crawl: Path, tmp_path: Path) -> None:
    made = str(tmp_path / "made")
    assert main(["label", str(rules), str(crawl), "--out", made]) == 0
    assert main(["train", "mss", made, "--out", str(tmp_path / "model")]) == 0


def record(url: str, status: str, kind: str) -> bytes:
    """One response as ISO 28500 stores it."""
    answer = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\n\r\n{news(4)}".encode()
    head = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\n"
        "WARC-Date: 2026-01-01T00:00:00Z\r\nWARC-Record-ID: <urn:uuid:1>\r\n"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(answer)}\r\n\r\n"
    )
    return head.encode() + answer + b"\r\n\r\n"


def test_a_warc_file_is_read(rules: Path, tmp_path: Path) -> None:
    answers = (
        ("http://news.example/a", "200 OK", "text/html; charset=utf-8"),
        ("http://news.example/gone", "404 Not Found", "text/html"),
        ("http://news.example/x.png", "200 OK", "image/png"),
    )
    path = tmp_path / "crawl.warc.gz"
    path.write_bytes(b"".join(gzip.compress(record(*answer)) for answer in answers))
    assert main(["label", str(rules), str(path), "--out", str(tmp_path / "made")]) == 0
    assert [entry.url for entry in load(tmp_path / "made")] == ["http://news.example/a"]


def test_an_address_in_the_notes_counts(rules: Path, tmp_path: Path) -> None:
    folder = tmp_path / "crawl"
    folder.mkdir()
    (folder / "1.html").write_text(news(1))
    (folder / "1.json").write_text(json.dumps({"url": "https://news.example/story"}))
    assert main(["label", str(rules), str(folder), "--out", str(tmp_path / "made")]) == 0


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("", "no [[site]] table"),
        ("[[site]]\nhost='a'", "needs a selector `main`"),
        ("[[site]]\nmain='p'\nmian='q'", "'mian' is none of"),
        ("[[site]]\nmain='p[['", "no CSS selector"),
        ("[[site", "cannot be read"),
    ],
)
def test_wrong_rules_are_told(
    text: str, hint: str, crawl: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text(text)
    assert main(["label", str(path), str(crawl), "--out", str(tmp_path / "made")]) == 2
    assert hint in capsys.readouterr().err


def test_no_page_at_all_is_failed_work(
    rules: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "empty").mkdir()
    out = str(tmp_path / "made")
    assert main(["label", str(rules), str(tmp_path / "empty"), "--out", out]) == 1
    assert main(["label", str(rules), str(tmp_path / "none"), "--out", out]) == 2
    (tmp_path / "crawl.warc").write_text("no archive at all\n" * 9)
    assert main(["label", str(rules), str(tmp_path / "crawl.warc"), "--out", out]) == 2
    assert "no WARC file" in capsys.readouterr().err


def test_nested_matches_count_once() -> None:
    document = Document.from_html("<div class=a>One <div class=a>two</div></div><p class=a>three")
    assert gold_of(document, GoldRule("", ".a")).main.split() == ["One", "two", "three"]


def test_an_article_may_start_at_headline_byline_or_text() -> None:
    assert Gold("Text.", "Head", "By A").variants == (
        "By A\n\nText.", "Head\n\nBy A\n\nText.", "Head\n\nText."
    )  # fmt: skip
    assert Gold("Text.").variants == ()
