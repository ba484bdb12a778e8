"""The rows of saved pages: what a transaction reads and writes. Texts are compressed."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from winnow.features.saved.stores.found_text import found_text
from winnow.features.saved.stores.saved_page import (
    Note,
    PageQuery,
    SavedEntry,
    SavedPage,
    merged,
)
from winnow.features.saved.stores.search_words import TOKENIZER, indexed, match_of

VERSION: Final = 1
_TABLES: Final = f"""
CREATE TABLE page (
    id INTEGER PRIMARY KEY AUTOINCREMENT, owner TEXT NOT NULL, url TEXT NOT NULL,
    saved TEXT NOT NULL, size INTEGER NOT NULL, fields TEXT NOT NULL, notes TEXT NOT NULL,
    is_fetched INTEGER NOT NULL, UNIQUE (owner, url)
) STRICT;
CREATE INDEX page_saved ON page (owner, saved, id);
CREATE INDEX page_size ON page (owner, size);
CREATE TABLE body (
    page INTEGER PRIMARY KEY, content BLOB NOT NULL, text BLOB NOT NULL
) STRICT;
CREATE TABLE tag (
    owner TEXT NOT NULL, name TEXT NOT NULL, page INTEGER NOT NULL, PRIMARY KEY (owner, name, page)
) STRICT, WITHOUT ROWID;
CREATE INDEX tag_page ON tag (page);
CREATE TABLE image (
    page INTEGER NOT NULL, place INTEGER NOT NULL, url TEXT NOT NULL, media_type TEXT NOT NULL,
    body BLOB NOT NULL, PRIMARY KEY (page, place)
) STRICT, WITHOUT ROWID;
CREATE VIRTUAL TABLE search USING fts5 (
    owner, title, words, labels, tokenize = "{TOKENIZER}"
);
"""
_FIELDS: Final = ("title", "byline", "site", "language", "direction", "published", "excerpt")
_SHOWN: Final = "page.id, page.url, page.saved, page.fields, page.notes, page.is_fetched"
_BY_WORDS: Final = f"""
SELECT {_SHOWN} FROM search JOIN page ON page.id = search.rowid
WHERE search MATCH ? AND page.owner = ?
AND (? = '' OR EXISTS (SELECT 1 FROM tag WHERE page = page.id AND name = ?))
ORDER BY rank LIMIT ? OFFSET ?
"""  # noqa: S608 - constants
_BY_TAG: Final = f"""
SELECT {_SHOWN} FROM tag JOIN page ON page.id = tag.page
WHERE tag.owner = ? AND tag.name = ? ORDER BY page.saved DESC, page.id DESC LIMIT ? OFFSET ?
"""  # noqa: S608 - constants
_LATEST: Final = f"""
SELECT {_SHOWN} FROM page WHERE owner = ? ORDER BY saved DESC, id DESC LIMIT ? OFFSET ?
"""  # noqa: S608 - constants
_RANK: Final = "bm25(0, 10, 1, 5)"
"""A word in the title counts ten times, one in a tag or note five times."""
Images = Mapping[str, tuple[bytes, str]]
Step = Callable[[SavedPage], SavedPage]
_Row = tuple[int, str, str, str, str, int]


def prepare(database: sqlite3.Connection, version: int) -> None:
    """Make the tables of a new file."""
    if version < VERSION:
        for statement in _TABLES.split(";\n"):
            database.execute(statement)
        database.execute("INSERT INTO search (search, rank) VALUES ('rank', ?)", (_RANK,))


def write(database: sqlite3.Connection, owner: str, page: SavedPage, images: Images) -> int:
    """Store a page; returns its number."""
    number = number_of(database, owner, page.url)
    old = read(database, owner, number) if number is not None else None
    if number is None or old is None:
        return _insert(database, owner, page, images)
    both = merged(old, page)
    if page.content:
        _write_images(database, number, images)
    _update(database, owner, number, both)
    return number


def read(database: sqlite3.Connection, owner: str, number: int) -> SavedPage | None:
    """A page with all it has."""
    row = database.execute(
        f"SELECT {_SHOWN}, body.content, body.text FROM page JOIN body ON body.page = page.id "  # noqa: S608 - constants
        "WHERE page.id = ? AND page.owner = ?",
        (number, owner),
    ).fetchone()
    if row is None:
        return None
    content, text = row[6:]
    page = _entry(database, row[:6]).page
    return replace(page, content=_unpacked(content), text=_unpacked(text))


def number_of(database: sqlite3.Connection, owner: str, url: str) -> int | None:
    """The number of the page at an address."""
    query = "SELECT id FROM page WHERE owner = ? AND url = ?"
    row = database.execute(query, (owner, url)).fetchone()
    return int(row[0]) if row else None


def find(database: sqlite3.Connection, owner: str, query: PageQuery) -> tuple[SavedEntry, ...]:
    """Entries of a query; none for words without a letter."""
    part = query.limit, query.offset
    if query.words.strip():
        match = match_of(query.words)
        wanted = f"owner : {_owner_word(owner)} AND ({match})"
        values = (wanted, owner, query.tag, query.tag, *part)
        found = database.execute(_BY_WORDS, values).fetchall() if match else []
        return tuple(_with_text(database, _entry(database, row), query.words) for row in found)
    if query.tag:
        found = database.execute(_BY_TAG, (owner, query.tag, *part)).fetchall()
    else:
        found = database.execute(_LATEST, (owner, *part)).fetchall()
    return tuple(_entry(database, row) for row in found)


def tags(database: sqlite3.Connection, owner: str) -> dict[str, int]:
    """The number of pages by tag."""
    query = "SELECT name, COUNT(*) FROM tag WHERE owner = ? GROUP BY name ORDER BY name"
    return dict(database.execute(query, (owner,)).fetchall())


def used(database: sqlite3.Connection, owner: str) -> tuple[int, int]:
    """An owner's pages, and their bytes."""
    query = "SELECT COUNT(*), COALESCE(SUM(size), 0) FROM page WHERE owner = ?"
    count, space = database.execute(query, (owner,)).fetchone()
    return int(count), int(space)


def change(database: sqlite3.Connection, owner: str, number: int, step: Step) -> None:
    """Replace a page by what ``step`` makes of it; one that is gone stays so."""
    if page := read(database, owner, number):
        _update(database, owner, number, step(page))


def delete(database: sqlite3.Connection, owner: str, number: int) -> None:
    """Delete a page with all it has."""
    owned = "SELECT 1 FROM page WHERE id = ? AND owner = ?"
    if not database.execute(owned, (number, owner)).fetchone():
        return
    for table, key in (("search", "rowid"), ("tag", "page"), ("image", "page"), ("body", "page")):
        database.execute(f"DELETE FROM {table} WHERE {key} = ?", (number,))  # noqa: S608 - constants
    database.execute("DELETE FROM page WHERE id = ?", (number,))


def images(database: sqlite3.Connection, owner: str, number: int) -> Sequence[str]:
    """The addresses of a page's stored images."""
    query = (
        "SELECT image.url FROM image JOIN page ON page.id = image.page "
        "WHERE page.id = ? AND page.owner = ? ORDER BY place"
    )
    return [url for (url,) in database.execute(query, (number, owner))]


def image(
    database: sqlite3.Connection, owner: str, number: int, place: int
) -> tuple[bytes, str] | None:
    """The body and media type of a stored image."""
    query = (
        "SELECT image.body, image.media_type FROM image JOIN page ON page.id = image.page "
        "WHERE page.id = ? AND page.owner = ? AND place = ?"
    )
    row = database.execute(query, (number, owner, place)).fetchone()
    return (row[0], row[1]) if row else None


def _insert(database: sqlite3.Connection, owner: str, page: SavedPage, images: Images) -> int:
    statement = "INSERT INTO page (owner, url, saved, size, fields, notes, is_fetched) "
    values = (owner, page.url, page.saved, *_values(page, _image_space(images)))
    cursor = database.execute(statement + "VALUES (?, ?, ?, ?, ?, ?, ?)", values)
    number = int(cursor.lastrowid or 0)
    _write_images(database, number, images)
    _write_rest(database, owner, number, page)
    return number


def _update(database: sqlite3.Connection, owner: str, number: int, page: SavedPage) -> None:
    query = "SELECT COALESCE(SUM(LENGTH(body)), 0) FROM image WHERE page = ?"
    (space,) = database.execute(query, (number,)).fetchone()
    database.execute(
        "UPDATE page SET saved = ?, size = ?, fields = ?, notes = ?, is_fetched = ? WHERE id = ?",
        (page.saved, *_values(page, space), number),
    )
    database.execute("DELETE FROM search WHERE rowid = ?", (number,))
    database.execute("DELETE FROM tag WHERE page = ?", (number,))
    _write_rest(database, owner, number, page)


def _values(page: SavedPage, image_space: int) -> tuple[int, str, str, int]:
    fields = json.dumps({name: getattr(page, name) for name in _FIELDS}, ensure_ascii=False)
    notes = json.dumps([[note.quote, note.remark, note.made] for note in page.notes])
    size = image_space + len(page.content) + 2 * len(page.text) + len(fields) + len(notes)
    return size, fields, notes, int(bool(page.content))


def _write_rest(database: sqlite3.Connection, owner: str, number: int, page: SavedPage) -> None:
    """The text, the index and the tags."""
    bodies = (number, _packed(page.content), _packed(page.text))
    database.execute("INSERT OR REPLACE INTO body VALUES (?, ?, ?)", bodies)
    labels = [page.site, page.byline, *page.tags]
    labels += [text for note in page.notes for text in (note.quote, note.remark)]
    words = (page.title, f"{page.excerpt}\n{page.text}", "\n".join(labels))
    database.execute(
        "INSERT INTO search (rowid, owner, title, words, labels) VALUES (?, ?, ?, ?, ?)",
        (number, _owner_word(owner), *map(indexed, words)),
    )
    tag_rows = [(owner, name, number) for name in page.tags]
    database.executemany("INSERT INTO tag VALUES (?, ?, ?)", tag_rows)


def _write_images(database: sqlite3.Connection, number: int, images: Images) -> None:
    database.execute("DELETE FROM image WHERE page = ?", (number,))
    found = [
        (number, place, url, media_type, body)
        for place, (url, (body, media_type)) in enumerate(images.items())
    ]
    database.executemany("INSERT INTO image VALUES (?, ?, ?, ?, ?)", found)


def _image_space(images: Images) -> int:
    return sum(len(body) for body, _ in images.values())


def _entry(database: sqlite3.Connection, row: _Row) -> SavedEntry:
    number, url, saved, fields, notes, is_fetched = row
    query = "SELECT name FROM tag WHERE page = ? ORDER BY name"
    names = tuple(name for (name,) in database.execute(query, (number,)))
    page = SavedPage(
        url,
        saved=saved,
        tags=names,
        notes=tuple(Note(*note) for note in json.loads(notes)),
        **json.loads(fields),
    )
    return SavedEntry(number, page, bool(is_fetched))


def _with_text(database: sqlite3.Connection, entry: SavedEntry, words: str) -> SavedEntry:
    """The entry with the text around the words; a damaged text is told of where it is read."""
    query = "SELECT text FROM body WHERE page = ?"
    (packed,) = database.execute(query, (entry.number,)).fetchone() or (b"",)
    try:
        return replace(entry, found=found_text(_unpacked(packed), words))
    except sqlite3.DatabaseError:
        return entry


def _owner_word(owner: str) -> str:
    """One word of the index for an owner, whatever letters the name has."""
    return f"o{owner.encode().hex()}"


def _packed(text: str) -> bytes:
    return zlib.compress(text.encode(), 3)


def _unpacked(data: bytes) -> str:
    try:
        return zlib.decompress(data).decode()
    except (zlib.error, ValueError) as error:  # one row: no reason to set the whole file aside
        raise sqlite3.DatabaseError("its text is damaged") from error
