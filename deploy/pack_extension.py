"""``make extension``: packs ``extension/`` for Chromium and Firefox, the same bytes each time."""

from __future__ import annotations

import json
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

BROWSERS: Final = {"chromium": "zip", "firefox": "xpi"}
"""The ending of the file by browser."""
_LEFT_OUT: Final = frozenset({"README.md"})
_OTHERS: Final = {
    "chromium": ("browser_specific_settings", "scripts"),
    "firefox": ("minimum_chrome_version", "service_worker"),
}
"""What the manifest and its background have for the other browser."""
_TIME: Final = (1980, 1, 1, 0, 0, 0)
_FILE_MODE: Final = 0o100644 << 16


def manifest_for(browser: str, manifest: Mapping[str, Any]) -> dict[str, Any]:
    """The manifest without what is for the other browser, which would be warned of."""
    key, form = _OTHERS[browser]
    background = {name: each for name, each in manifest["background"].items() if name != form}
    kept = {name: each for name, each in manifest.items() if name != key}
    return {**kept, "background": background}


def pack(browser: str, source: Path, out: Path) -> Path:
    """Write the archive into the folder ``out``: names in order, no times, no owners."""
    manifest = json.loads((source / "manifest.json").read_text())
    out.mkdir(parents=True, exist_ok=True)
    name = f"winnow-extension-{manifest['version']}-{browser}.{BROWSERS[browser]}"
    with zipfile.ZipFile(out / name, "w") as archive:
        for file in sorted(source.rglob("*")):
            if file.name in _LEFT_OUT or file.is_dir():
                continue
            entry = zipfile.ZipInfo(file.relative_to(source).as_posix(), _TIME)
            entry.external_attr, entry.create_system = _FILE_MODE, 3
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, _content(browser, file), compresslevel=9)
    return out / name


def _content(browser: str, file: Path) -> bytes:
    if file.name != "manifest.json":
        return file.read_bytes()
    manifest = manifest_for(browser, json.loads(file.read_text()))
    return json.dumps(manifest, indent=2).encode() + b"\n"


def main() -> None:
    """Pack for each browser into ``dist/``."""
    root = Path(__file__).parents[1]
    for browser in BROWSERS:
        sys.stdout.write(f"{pack(browser, root / 'extension', root / 'dist').relative_to(root)}\n")


if __name__ == "__main__":
    main()
