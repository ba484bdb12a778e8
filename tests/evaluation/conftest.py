"""A small test package written for the tests."""

import json
from pathlib import Path

import pytest

STORY = "<html><body><nav>Home News</nav><p>The dog barked at the moon.</p></body></html>"
PAGES = {
    "story": (STORY, "The dog barked at the moon.", {"page_type": "article", "with": ["barked"]}),
    "shop": ("<body><p>Blue shoes</p></body>", "Blue shoes", {"page_type": "product"}),
    "blank": ("", "", {}),
}


@pytest.fixture
def package_folder(tmp_path: Path) -> Path:
    """A package of three pages: an article, a product page and an empty one."""
    folder = tmp_path / "small"
    folder.mkdir()
    (folder / "package.json").write_text(json.dumps({"name": "small", "ship": False}))
    for name, (html, gold, notes) in PAGES.items():
        (folder / f"{name}.html").write_text(html)
        (folder / f"{name}.txt").write_text(gold)
        (folder / f"{name}.json").write_text(json.dumps(notes))
    return folder
