"""The image's smaller locale data write dates, times and durations as the whole ones do."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import babel
import pytest

SCRIPT = Path(__file__).parents[2] / "deploy" / "slim_locales.py"
WRITES = """
import datetime, os, babel
from babel.dates import format_date, format_time, format_timedelta, get_datetime_format
day, moment = datetime.date(2026, 3, 4), datetime.time(4, 5)
for name in sorted(os.listdir(os.path.join(os.path.dirname(babel.__file__), "locale-data"))):
    tongue = name.removesuffix(".dat")
    if name.endswith(".dat") and tongue != "root":
        parts = [format_date(day, form, tongue) for form in ("short", "medium", "long", "full")]
        parts += [format_time(moment, "short", locale=tongue), get_datetime_format("long", tongue)]
        parts.append(format_timedelta(datetime.timedelta(minutes=5), locale=tongue))
        print(tongue, *parts)
"""


def written(*folders: Path) -> str:
    path = os.pathsep.join(map(str, folders))
    command = [sys.executable, "-P", "-c", WRITES]
    done = subprocess.run(
        command, capture_output=True, text=True, check=True, env={**os.environ, "PYTHONPATH": path}
    )
    return done.stdout


@pytest.mark.release
def test_every_language_writes_dates_alike_and_the_data_are_an_eighth(tmp_path: Path) -> None:
    package = Path(babel.__file__).parent
    shutil.copytree(package, tmp_path / "babel")
    data = tmp_path / "babel" / "locale-data"
    before = sum(file.stat().st_size for file in data.glob("*.dat"))
    subprocess.run([sys.executable, SCRIPT, data], check=True)
    assert sum(file.stat().st_size for file in data.glob("*.dat")) < before / 8
    whole = written()
    assert len(whole.splitlines()) > 1000
    assert written(tmp_path) == whole
