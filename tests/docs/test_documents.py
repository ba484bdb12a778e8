"""Links between the documents lead somewhere, and what they list is what the program has."""

from __future__ import annotations

import ast
import json
import re
from dataclasses import fields
from pathlib import Path

import pytest

from winnow.article import Article, extract
from winnow.document.values import Format
from winnow.extractors.contract import RULES
from winnow.proxy.decisions.request.preferences import FIELDS

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/**/*.md")])
FORMATS_PAGE = (ROOT / "docs" / "formats.md").read_text()


def rows(heading: str) -> list[str]:
    """The first column of the first table below a heading of docs/formats.md."""
    _, _, rest = FORMATS_PAGE.partition(f"{heading}\n")
    table = re.search(r"\|---.*\n((?:\|.*\n)+)", rest)
    assert table, heading
    return re.findall(r"^\| `([^`(]+)", table[1], re.MULTILINE)


@pytest.mark.parametrize("file", DOCUMENTS, ids=lambda file: str(file.relative_to(ROOT)))
def test_every_link_leads_to_a_file(file: Path) -> None:
    for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", file.read_text()):
        assert (file.parent / link).exists(), link


@pytest.mark.parametrize("file", DOCUMENTS, ids=lambda file: str(file.relative_to(ROOT)))
def test_a_terminal_can_show_it(file: Path) -> None:
    """At most 120 characters a line, but for rows of tables: those cannot be broken."""
    lines = enumerate(file.read_text("utf-8").splitlines(), 1)
    assert [number for number, line in lines if len(line) > 120 and line[0] != "|"] == []


def test_every_document_is_in_the_index() -> None:
    index = (ROOT / "docs" / "index.md").read_text()
    for file in ROOT.glob("docs/*.md"):
        assert file.name == "index.md" or f"({file.name})" in index


def test_every_decision_is_listed() -> None:
    listed = (ROOT / "docs" / "adr" / "README.md").read_text()
    for file in ROOT.glob("docs/adr/0*.md"):
        assert f"({file.name})" in listed


def test_every_format_is_described() -> None:
    assert rows("## Formats") == [form.value for form in Format]


def test_every_json_field_is_described() -> None:
    assert rows("### JSON of an extraction") == list(json.loads(extract("<p>a").json))


def test_every_request_field_is_described() -> None:
    assert {name.lower() for name in rows("## What a request may ask for")} == set(FIELDS)


def test_every_attribute_of_an_article_is_described() -> None:
    public = {name for name in vars(Article) if not name.startswith("_")}
    public |= {field.name for field in fields(Article)}
    assert set(rows("## In Python")) == public - {"edited"}


def test_every_rule_of_the_contract_is_described() -> None:
    guide = (ROOT / "docs" / "writing-an-extractor.md").read_text()
    for rule in RULES:
        assert f"- {rule}\n" in guide


def test_every_program_that_a_document_names_is_there() -> None:
    named = {
        Path(*name.split("."))
        for file in DOCUMENTS
        if file.name != "CHANGELOG.md"
        for name in re.findall(r"python -m ((?:benchmarks|tests|docs)[.\w]*\w)", file.read_text())
    }
    files = ((ROOT / name).with_suffix(".py") for name in named)
    assert named
    assert [file for file in files if not (file.exists() or main_of(file).exists())] == []


def main_of(file: Path) -> Path:
    return file.with_suffix("") / "__main__.py"


def test_every_module_on_the_way_of_a_request_is_there() -> None:
    way = (ROOT / "ARCHITECTURE.md").read_text().partition("## The way")[2].partition("## Where")[0]
    cells = [row.split("|")[3] for row in way.splitlines() if re.match(r"\| \d+ \|", row)]
    room = Path()
    assert len(cells) > 10
    for name in re.findall(r"`([a-z_0-9/]+)`", " ".join(cells)):
        if "/" in name:
            room = Path(name).parent if not name.endswith("/") else Path(name)
        stem = room / Path(name).name if not name.endswith("/") else room
        places = [ROOT / "proxy" / stem, ROOT / stem]
        assert any(p.is_dir() or p.with_suffix(".py").exists() for p in places), name


ELSEWHERE = {"appearance": "browser"}


@pytest.mark.parametrize(
    "folder", sorted(path.parent for path in (ROOT / "features").glob("*/__init__.py")), ids=str
)
def test_a_feature_says_what_it_is_and_has_a_document_and_tests(folder: Path) -> None:
    said = ast.get_docstring(ast.parse((folder / "__init__.py").read_text())) or ""
    named = re.findall(r"docs/[\w-]+\.md", said)
    assert named, f"{folder}/__init__.py names no document (docs/....md)"
    assert all((ROOT / each).exists() for each in named)
    tests = ROOT / "tests" / ELSEWHERE.get(folder.name, f"features/{folder.name}")
    assert list(tests.glob("test_*.py")), f"{tests} has no tests"
