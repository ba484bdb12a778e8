"""``python -m benchmarks.saved_pages``: what saving and searching pages costs, by CPU time.

Pages of 800 words of Zipf's distribution are saved, and searched for words from the most frequent
to rare ones. ``--pages`` says how many.
"""

from __future__ import annotations

import argparse
import random
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from itertools import accumulate
from pathlib import Path

from winnow.document.values import Format, Page, Recipe
from winnow.engine.pipeline import transform
from winnow.jobs.quality import QualityLimits
from winnow.proxy.stores import saved_page_rows as rows
from winnow.proxy.stores.saved_page import PageQuery, SavedPage

OWNER = "user:reader"
WORDS = 800
VOCABULARY = 50_000
RUNS = 5


class Texts:
    """Words of random letters; the n-th is 1/n as frequent as the first."""

    def __init__(self) -> None:
        self._random = random.Random(1)  # noqa: S311 - a benchmark's texts
        letters = "etaoinshrdlucmfwypvbgkqjxz"
        self.words = tuple(
            "".join(self._random.choices(letters, k=self._random.randint(2, 10)))
            for _ in range(VOCABULARY)
        )
        self._weights = list(accumulate(1 / rank for rank in range(1, VOCABULARY + 1)))

    def page(self, number: int) -> SavedPage:
        """A page as an extraction gives it."""
        words = self._random.choices(self.words, cum_weights=self._weights, k=WORDS)
        text = " ".join(words)
        return SavedPage(
            f"https://a.example/{number}",
            " ".join(words[:8]),
            f"<p>{text}</p>",
            text,
            saved=f"2026-01-01T{number:06}",
            tags=("later", f"tag {number % 50}"),
        )


def cpu(work: Callable[[], object]) -> float:
    """Milliseconds of this process's CPU time, the least of some runs."""
    found = []
    for _ in range(RUNS):
        start = time.process_time()
        work()
        found.append(time.process_time() - start)
    return 1000 * min(found)


def saving(database: sqlite3.Connection, texts: Texts, count: int) -> float:
    """Milliseconds for one page: text, index, tags and the transaction."""
    spent = 0.0
    for number in range(count):
        page = texts.page(number)
        start = time.process_time()
        with database:
            database.execute("BEGIN IMMEDIATE")
            rows.write(database, OWNER, page, {})
            rows.used(database, OWNER)
        spent += time.process_time() - start
    return 1000 * spent / count


def extraction(texts: Texts) -> float:
    """Milliseconds to make the article of a page among a site's menus."""
    page = texts.page(0)
    paragraphs = "".join(
        f"<p>{page.text[start : start + 600]}</p>" for start in range(0, 4800, 600)
    )
    menu = "<ul>" + '<li><a href="/x">word</a>' * 100 + "</ul>"
    body = f"<!doctype html><title>{page.title}</title>{menu}<article>{paragraphs}</article>{menu}"
    recipe = replace(Recipe("auto"), format=Format.JSON)
    source = Page(body.encode(), page.url)
    return cpu(lambda: transform(source, recipe, QualityLimits()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=10_000)
    count = parser.parse_args().pages
    texts, say = Texts(), sys.stdout.write
    with (
        tempfile.TemporaryDirectory() as folder,
        closing(sqlite3.connect(Path(folder) / "saved.sqlite3", isolation_level=None)) as database,
    ):
        database.execute("PRAGMA journal_mode = WAL")
        rows.prepare(database)
        say(f"saving one of {count:,} pages: {saving(database, texts, count):.1f} ms\n")
        say(f"its extraction: {extraction(texts):.1f} ms\n")
        most = texts.words
        queries = {
            "the most frequent word": PageQuery(most[0]),
            "the tenth": PageQuery(most[9]),
            "the thousandth": PageQuery(most[999]),
            "the two most frequent": PageQuery(f"{most[0]} {most[1]}"),
            "these two as a phrase": PageQuery(f'"{most[0]} {most[1]}"'),
            "words that begin with two letters": PageQuery(most[5][:2]),
            "a word and a tag": PageQuery(most[20], "tag 1"),
            "a tag": PageQuery(tag="later"),
            "the latest": PageQuery(),
            "page 100 of the latest": PageQuery(offset=count // 2),
        }
        for name, query in queries.items():
            spent = cpu(lambda query=query: rows.find(database, OWNER, query))  # type: ignore[misc]  # mypy infers no default
            say(f"{name}: {spent:.1f} ms, {len(rows.find(database, OWNER, query))} shown\n")


if __name__ == "__main__":
    main()
