"""Whether a settings file with secrets can be read by every user of the computer (CWE-732)."""

from __future__ import annotations

import stat
from pathlib import Path

from winnow.config.hidden_values import told
from winnow.config.secret_files import ORIGIN, SECRETS
from winnow.config.setting_list import values_in
from winnow.config.sources.source_precedence import DEFAULT_ORIGIN, Loaded


def exposed_secrets(loaded: Loaded) -> tuple[str, ...]:
    """One sentence for each settings file that has secrets and is readable by all users."""
    named: dict[str, list[str]] = {}
    values = values_in(loaded.settings)
    for path in SECRETS:
        origin = loaded.origins.get(path, DEFAULT_ORIGIN).removeprefix(ORIGIN)
        section, _, name = path.partition(".")
        value = values[section].get(name, "")
        if origin != DEFAULT_ORIGIN and told(path, value) != value:
            named.setdefault(origin, []).append(path)
    return tuple(
        f"Every user of this computer can read {file}, which has {', '.join(paths)}: "
        f"run chmod o-rwx on it."
        for file, paths in named.items()
        if _readable_by_all(Path(file))
    )


def _readable_by_all(file: Path) -> bool:
    try:
        return bool(file.stat().st_mode & stat.S_IROTH)
    except OSError:  # the environment or the command line is no file
        return False
