"""Clients see no path of the server in a method's name or an error."""

import pytest

from winnow.jobs.public_names import public_name, without_folders


@pytest.mark.parametrize(
    ("specification", "shown"),
    [
        ("auto", "auto"),
        ("crunch:ads=/var/lists/ads.txt", "crunch:ads=ads.txt"),
        ("crunch:ads=C:\\lists\\ads.txt,level=3", "crunch:ads=ads.txt,level=3"),
        ("memory:model=models/mine,k=7", "memory:model=mine,k=7"),
    ],
)
def test_files_are_named_without_their_folders(specification: str, shown: str) -> None:
    assert public_name(specification) == shown


def test_a_sentence_keeps_addresses_and_loses_folders() -> None:
    said = "cannot read '/var/lib/ads.txt' for https://a.test/x/y: see /etc/winnow/winnow.toml"
    shown = "cannot read 'ads.txt' for https://a.test/x/y: see winnow.toml"
    assert without_folders(said) == shown
