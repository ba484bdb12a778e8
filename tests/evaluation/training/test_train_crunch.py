"""Key words that tell a genre, and the sites that are compared with."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np

from winnow.evaluation.training.train_crunch import Site, classified, report, save, trained
from winnow.extractors.crunch.site_genre import words_of


def test_key_words_tell_a_genre_from_the_others(tmp_path: Path) -> None:
    shops = [site("shopping", "cart cart cart cart cart cart the") for _ in range(3)]
    papers = [site("news", "said said said said said said the") for _ in range(3)]
    cacheable_pages, tested = classified([*shops, *papers])
    assert [each.genre for each in tested] == ["shopping", "news"]
    sites = trained(cacheable_pages)
    assert sites.words == ("cart", "said")
    assert report(sites, tested).splitlines()[1].split() == ["news", "2", "1", "1"]
    assert sites.genre("she said the cart said") == "news"
    save(sites, tmp_path)
    assert set(np.load(tmp_path / "sites.npz")) == {"words", "genres", "counts"}


def site(genre: str, text: str) -> Site:
    return Site(genre, Counter(words_of(text)))
