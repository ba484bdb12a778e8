"""What is learned of sites."""

from __future__ import annotations

from dataclasses import dataclass

from winnow.config.setting_fields import setting


@dataclass(frozen=True, slots=True)
class LearningSettings:
    """What Winnow learns about sites from the pages it shows; see docs/layouts.md."""

    enabled: bool = setting(
        True,
        "Learn which blocks the pages of a site share, as keyed hashes and numbers; no text.",
    )
    on_disk: bool = setting(
        False,
        "Store what was learned in the storage folder, with the names of the sites. Off: it is "
        "in memory, in each server process, until Winnow ends.",
    )
    pages: int = setting(
        8, "Number of pages of one layout after which its data is used.", minimum=2
    )
    private_hosts: bool = setting(
        False, "Learn from private hosts too: routers, intranets, names without a dot."
    )
    words: bool = setting(
        False,
        "Let mss-site learn from the pages it shows: the words of a site’s last pages are held in "
        "memory as keyed hashes, in order; only counts of such hashes are stored on disk.",
    )
    last_pages: int = setting(50, "Number of these pages per site.", minimum=2, maximum=500)
    sites: int = setting(
        300, "Maximum number of sites, most recent first; up to 64 kB each.", minimum=1
    )
    days: int = setting(30, "Days after which data of an unvisited site is deleted.", minimum=1)
