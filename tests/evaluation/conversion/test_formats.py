"""Each published layout, in small, becomes the package that it should."""

import gzip
import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from winnow.evaluation.conversion.annotated import annotated_text
from winnow.evaluation.conversion.formats import FORMATS
from winnow.evaluation.conversion.writing import write_package
from winnow.evaluation.errors import PackageError
from winnow.evaluation.gold.packages import PackageEntry, load

PAGE = b"<html><body><p>The dog</p></body></html>"


def laid_out(root: Path, files: Mapping[str, object]) -> Path:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, dict):
            path.write_text(json.dumps(content))
        else:
            path.write_bytes(content if isinstance(content, bytes) else str(content).encode())
    return root


def only(kind: str, root: Path) -> PackageEntry:
    (entry,) = FORMATS[kind](root)
    return entry


def test_wcxb(tmp_path: Path) -> None:
    truth: dict[str, object] = {
        "url": "https://example.com/",
        "_internal": {"page_type": {"primary": "forum"}},
        "ground_truth": {"title": "T", "main_content": "The dog", "with": ["dog"], "without": []},
    }
    files = {"ground-truth/0001.json": truth, "html/0001.html.gz": gzip.compress(PAGE)}
    entry = only("wcxb", laid_out(tmp_path, files))
    assert (entry.id, entry.body, entry.gold) == ("0001", PAGE, "The dog")
    assert (entry.url, entry.page_type) == ("https://example.com/", "forum")
    assert entry.snippets("with") == ("dog",)


@pytest.mark.parametrize("name", ["1.txt", "1-cleaned.txt"])
def test_cleaneval(tmp_path: Path, name: str) -> None:
    gold = "URL: http://example.com/a\n\n<h>News\n<p>The dog barked.\n<l>One\n<l>Two\n"
    entry = only("cleaneval", laid_out(tmp_path, {"orig/1.html": PAGE, f"clean/{name}": gold}))
    assert entry.gold == "News\nThe dog barked.\nOne\nTwo"
    assert entry.url == "http://example.com/a"
    assert str(entry.meta["marked"]).startswith("<h>News")


def test_article_extraction_benchmark(tmp_path: Path) -> None:
    truth: dict[str, object] = {"abc": {"articleBody": "The dog", "url": "https://example.com/"}}
    files = {"ground-truth.json": truth, "html/abc.html.gz": gzip.compress(PAGE)}
    entry = only("article-extraction-benchmark", laid_out(tmp_path, files))
    assert (entry.id, entry.gold, entry.page_type) == ("abc", "The dog", "article")


def test_l3s_gn1(tmp_path: Path) -> None:
    marked = (
        "<h1><span class=x-nc-sel1>News</span></h1><div class='x-nc-sel2'><p>The <b>d</b>og"
        "<span class=x-nc-sel4>related</span> barked.</p><p>Twice.</p></div><p>menu</p>"
        "<span class=x-nc-sel3>Caption</span><script class=x-nc-sel2>x</script>"
    )
    files = {
        "original/a.html": PAGE,
        "annotated/a.html": marked,
    }
    entry = only("l3s-gn1", laid_out(tmp_path, files))
    assert entry.gold.splitlines() == ["News", "The dog barked.", "Twice.", "Caption"]
    assert entry.meta["title"] == "News"
    assert annotated_text(b"", "123") == ""


def test_dragnet(tmp_path: Path) -> None:
    gold = "The dog\n\n!@#$%^&*()  COMMENTS\n\nNice dog"
    files = {
        "HTML/7.html": PAGE,
        "Corrected/7.html.corrected.txt": gold,
    }
    entry = only("dragnet", laid_out(tmp_path, files))
    assert (entry.gold, entry.meta["comments"]) == ("The dog", "Nice dog")


def test_readability(tmp_path: Path) -> None:
    files = {
        "ars/source.html": PAGE,
        "ars/expected.html": "<div><p>The dog</p><p>barked.</p></div>",
        "ars/expected-metadata.json": {"title": "Dogs", "byline": "Ann", "lang": "en"},
    }
    entry = only("readability", laid_out(tmp_path, files))
    assert entry.id == "ars"
    assert entry.gold.split() == ["The", "dog", "barked."]
    assert entry.meta == {"title": "Dogs", "author": "Ann", "language": "en"}


def test_cleanportaleval(tmp_path: Path) -> None:
    files = {"input/1.html": PAGE, "GoldStandard/1.txt": "URL: http://a.example/\n<p>The dog\n"}
    entry = only("cleanportaleval", laid_out(tmp_path, files))
    assert (entry.gold, entry.url) == ("The dog", "http://a.example/")


def test_paragraphs_in_brackets_are_optional_in_fundus_evaluation(tmp_path: Path) -> None:
    body = ["[Standfirst]", "The dog", "barked."]
    truth: dict[str, object] = {"AP_0.html.gz": {"body": body, "url": "https://a.example/"}}
    files = {"ground_truth.json": truth, "html/AP_0.html.gz": gzip.compress(PAGE)}
    entry = only("fundus-evaluation", laid_out(tmp_path, files))
    assert (entry.id, entry.body, entry.gold) == ("AP_0", PAGE, "The dog\nbarked.")
    assert entry.meta["variants"] == ["Standfirst\nThe dog\nbarked."]


def test_webmainbench_is_given_without_its_marks(tmp_path: Path) -> None:
    record = {
        "track_id": "1",
        "url": "https://a.example/",
        "html": '<p cc-select="true">The dög</p><p>menu</p>',
        "main_html": "<p>The dög</p>",
        "meta": {"language": "de", "style": "Article", "level": "mid"},
    }
    entry = only("webmainbench", laid_out(tmp_path, {"a.jsonl": json.dumps(record) + "\n"}))
    assert entry.body.decode() == "<p>The dög</p><p>menu</p>"
    assert (entry.gold, entry.page_type, entry.meta["language"]) == ("The dög", "article", "de")


def test_the_combined_sets(tmp_path: Path) -> None:
    truth = json.dumps({"page_id": "ab", "plaintext": "The dog", "url": None}) + "\n"
    files = {"ground-truth/cetd.jsonl": truth, "html/cetd/ab.html": PAGE}
    entry = only("combined", laid_out(tmp_path, files))
    assert (entry.id, entry.body, entry.gold) == ("cetd-ab", PAGE, "The dog")
    assert entry.meta["group"] == "cetd"


def test_old_gold_need_not_be_utf8(tmp_path: Path) -> None:
    files = {
        "orig/1.html": PAGE,
        "clean/1.txt": b"<p>caf\xe9",
    }
    assert only("cleaneval", laid_out(tmp_path, files)).gold == "café"


@pytest.mark.parametrize("kind", sorted(FORMATS.keys() - {"article-extraction-benchmark"}))
def test_another_folder_is_reported(tmp_path: Path, kind: str) -> None:
    with pytest.raises(PackageError, match="as it was published"):
        list(FORMATS[kind](tmp_path))


def test_what_is_written_is_read(tmp_path: Path) -> None:
    entry = PackageEntry("a/b", PAGE, "The dög", {"url": "https://example.com/"})
    description = {"name": "small", "licence": "CC0"}
    assert write_package(tmp_path / "small", description, [entry]) == 1
    package = load(tmp_path / "small")
    assert (package.name, package.ids) == ("small", ("a_b",))
    read = package.entry("a_b")
    assert (read.body, read.gold, read.url) == (PAGE, "The dög", "https://example.com/")
    with pytest.raises(PackageError, match="is not empty"):
        write_package(tmp_path / "small", description, [entry])
